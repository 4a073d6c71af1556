//! Fits: judged before they fly.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ongrid_engine::{Engine, Rejection};
use ongrid_engine_ongrid::{
    Act, ActiveSheet, Catalogue, GroupSheet, Layer, OnGrid, Share, ShipSheet, Stance, WeaponSheet, WorkSheet,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::body::JsonBody;
use crate::eft;
use crate::fitting::{Judgement, Question, Source};
use crate::problem::{Problem, ProblemBody};
use crate::routes::verify::json;

/// A fleet to be judged: fitting text, or a whole setup.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FitRequest {
    /// One or more fits in the text form that EVE players use.
    pub eft: Option<String>,
    /// A setup as in a replay; instead of `eft`, `doctrine` and `skills`.
    #[schema(value_type = Option<Object>)]
    pub setup: Option<Box<RawValue>>,
    /// With `eft`: the doctrine to meet; the first of the ruleset where it is left out.
    pub doctrine: Option<String>,
    /// With `eft`: level of each skill; those of a pilot nobody has registered where it is left out.
    #[schema(value_type = Option<Object>)]
    pub skills: Option<Value>,
}

/// What the rules say of a fleet.
#[derive(Debug, Serialize, ToSchema)]
pub struct FitBody {
    /// Whether the fleet may fight.
    pub legal: bool,
    /// The first reason why it may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonBody>,
    /// Lines of the text that mean nothing here; where there are some the fleet is not judged.
    pub faults: Vec<eft::Fault>,
    /// Lines of the text that this sim does not model, each with what becomes of it.
    pub unmodelled: Vec<eft::Note>,
    /// Old names that were taken for those of today.
    pub renamed: Vec<eft::Renamed>,
    /// Engine tag.
    pub engine: &'static str,
    /// Digest of the engine's ruleset data.
    pub ruleset: String,
    /// The doctrine that the fleet would meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doctrine: Option<MetDoctrine>,
    /// Points of the fleet's hulls.
    pub points: u32,
    /// The setup, canonical without labels; ready for a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub setup: Option<Value>,
    /// The fleet as fitting text.
    pub eft: String,
    /// Score, thresholds, level, dials and the hostile fleet: the snapshot that a fight would record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub calibration: Option<Value>,
    /// The ships as flown, legal or not.
    pub ships: Vec<ShipBody>,
    /// The hostile ships that it would meet, as flown.
    pub hostile: Vec<ShipBody>,
}

/// Why a fleet may not fight.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReasonBody {
    /// Stable code of the rules.
    pub code: &'static str,
    /// One sentence for a person.
    pub message: String,
    /// JSON pointer to the fault in `setup`, under `/setup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Ship at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship: Option<u32>,
    /// Group at fault in that ship's fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// Line of the text that it is about, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A doctrine and its bounds.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetDoctrine {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Most points of a pilot's fleet.
    pub points: u32,
    /// Most ships of a pilot's fleet.
    pub max_ships: usize,
}

/// A ship as flown, without timed effects.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShipBody {
    /// Id of its hull.
    pub hull: &'static str,
    /// Points of its hull.
    pub points: u32,
    /// Hit points.
    pub hit_points: LayersBody,
    /// What passes, by layer and type of damage, 0 to 1.
    pub resonance: ResonanceBody,
    /// Capacitor, GJ.
    pub capacitor: f64,
    /// GJ the capacitor gains a round.
    pub capacitor_recharge: f64,
    /// Strength of its sensors.
    pub sensor_strength: f64,
    /// Velocity by stance, m/s.
    pub velocity: StancesBody,
    /// Signature radius, m.
    pub signature_radius: f64,
    /// Cpu, tf.
    pub cpu: ShareBody,
    /// Power, MW.
    pub power: ShareBody,
    /// High, mid and low slots.
    pub slots: [ShareBody; 3],
    /// Turret hardpoints.
    pub turrets: ShareBody,
    /// Launcher hardpoints.
    pub launchers: ShareBody,
    /// Its groups in fit order.
    pub groups: Vec<GroupBody>,
}

/// A figure for each layer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LayersBody {
    /// Shield.
    pub shield: f64,
    /// Armor.
    pub armor: f64,
    /// Hull.
    pub hull: f64,
}

/// What passes, for each layer: em, thermal, kinetic, explosive.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResonanceBody {
    /// Shield.
    pub shield: [f64; 4],
    /// Armor.
    pub armor: [f64; 4],
    /// Hull.
    pub hull: [f64; 4],
}

/// A figure for each stance.
#[derive(Debug, Serialize, ToSchema)]
pub struct StancesBody {
    /// Standard.
    pub standard: f64,
    /// Aggressive.
    pub aggressive: f64,
    /// Evasive.
    pub evasive: f64,
}

/// How much is used and how much there is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct ShareBody {
    /// Used.
    pub used: f64,
    /// At hand.
    pub of: f64,
}

/// A group as flown.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupBody {
    /// Id of its module.
    pub module: &'static str,
    /// Id of its charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<&'static str>,
    /// Number of modules.
    pub count: u8,
    /// Tier of the module.
    #[schema(value_type = String)]
    pub tier: ongrid_engine_ongrid::Tier,
    /// What one module adds to the fit score.
    pub weight: u32,
    /// What it does when it fires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weapon: Option<WeaponBody>,
    /// What it does when it is activated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<ActiveBody>,
}

/// A weapon group as flown.
#[derive(Debug, Serialize, ToSchema)]
pub struct WeaponBody {
    /// `turret` or `launcher`.
    pub hardpoint: &'static str,
    /// Damage of a volley: em, thermal, kinetic, explosive; quality and application 1.
    pub volley: [f64; 4],
    /// Tracking (turrets) or guidance (launchers) by stance.
    pub aim: StancesBody,
    /// Reference signature, m.
    pub ref_sig: f64,
    /// Reference velocity, m/s.
    pub ref_vel: f64,
    /// GJ a volley costs.
    pub capacitor: f64,
    /// Against each hostile ship, by its stance, one's own standard: chance to hit, or share that applies.
    pub against: Vec<StancesBody>,
}

/// An active group as flown.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActiveBody {
    /// Its class.
    #[schema(value_type = String)]
    pub class: ongrid_engine_ongrid::Class,
    /// GJ an activation costs.
    pub capacitor: f64,
    /// Activations it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<u16>,
    /// `multiplies`, `jams`, `drains`, `leeches`, `repairs` or `boosts`.
    pub does: &'static str,
    /// Multipliers of each module, jam strengths (radar, ladar, magnetometric, gravimetric), or one amount.
    pub figures: Vec<f64>,
    /// The layer it repairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub layer: Option<Layer>,
}

/// Judges a fleet: what its text means, whether it may fight, its figures, and the hostile fleet it would meet.
#[utoipa::path(post, path = "/v1/fits/check", tag = "fits", request_body = FitRequest, responses(
    (status = 200, description = "The judgement; an illegal fleet is one too", body = FitBody),
    (status = 400, description = "`format`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "`too_large`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "`media_type`, `content_encoding`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 422, description = "`limit`", body = ProblemBody, content_type = "application/problem+json"),
    (status = 503, description = "`busy`", body = ProblemBody, content_type = "application/problem+json"),
))]
pub async fn check(
    State(app): State<Shared>,
    JsonBody(request): JsonBody<FitRequest>,
) -> Result<Response, Problem> {
    let question = question(request, app.bay.catalogue())?;
    let judged = app.clone();
    // Reading takes processor time: it waits its turn with the replays.
    let body = app
        .verifier
        .run(move |_| {
            let judgement = judged.bay.judge(&question)?;
            Ok(FitBody::new(&judgement, judged.bay.engine()))
        })
        .await?;
    json(&body)
}

fn question(request: FitRequest, catalogue: &Catalogue) -> Result<Question, Problem> {
    let no = |detail| Problem::new(StatusCode::BAD_REQUEST, "format", detail);
    let first = || catalogue.doctrines.first().map_or("", |doctrine| doctrine.id).to_owned();
    match request {
        FitRequest { eft: Some(text), setup: None, doctrine, skills } => Ok(Question {
            fleet: Source::Eft(text),
            doctrine: doctrine.unwrap_or_else(first),
            skills: skills.filter(|skills| !skills.is_null()),
        }),
        FitRequest { eft: None, setup: Some(setup), doctrine: None, skills: None } => Ok(Question {
            fleet: Source::Setup(setup.get().to_owned()),
            doctrine: String::new(),
            skills: None,
        }),
        FitRequest { eft: None, setup: None, .. } => Err(no("give eft or setup")),
        _ => Err(no("give eft with doctrine and skills, or a whole setup alone")),
    }
}

impl FitBody {
    /// The answer of a judgement.
    pub fn new(judgement: &Judgement, engine: &OnGrid) -> Self {
        let catalogue = engine.catalogue();
        let ship = |sheet| ShipBody::new(sheet, &judgement.hostile, catalogue);
        Self {
            legal: judgement.is_legal(),
            reason: judgement.rejection().map(|no| ReasonBody::new(no, judgement.rejected_line())),
            faults: judgement.fleet.faults.clone(),
            unmodelled: judgement.fleet.notes.clone(),
            renamed: judgement.fleet.renamed.clone(),
            engine: OnGrid::TAG,
            ruleset: Engine::ruleset(engine).digest().hex(),
            doctrine: judgement.doctrine.map(|doctrine| MetDoctrine {
                id: doctrine.id,
                name: doctrine.name,
                points: doctrine.points,
                max_ships: doctrine.max_ships,
            }),
            points: judgement.points(),
            setup: judgement.setup.clone(),
            eft: eft::write(&judgement.fleet.ships),
            calibration: judgement.snapshot.as_ref().and_then(|snapshot| serde_json::to_value(snapshot).ok()),
            ships: judgement.flown.iter().map(ship).collect(),
            hostile: judgement
                .hostile
                .iter()
                .map(|sheet| ShipBody::new(sheet, &judgement.flown, catalogue))
                .collect(),
        }
    }
}

impl ReasonBody {
    fn new(no: &Rejection, line: Option<usize>) -> Self {
        Self {
            code: no.code(),
            message: no.message().to_owned(),
            path: no.path().map(str::to_owned),
            ship: no.at().ship,
            group: no.at().group,
            line,
        }
    }
}

impl ShipBody {
    fn new(sheet: &ShipSheet, enemies: &[ShipSheet], catalogue: &Catalogue) -> Self {
        let [turrets, launchers] = sheet.hardpoints.map(ShareBody::from);
        Self {
            hull: sheet.hull.id,
            points: sheet.hull.points,
            hit_points: sheet.max.into(),
            resonance: sheet.resonance.into(),
            capacitor: sheet.capacitor,
            capacitor_recharge: sheet.recharge,
            sensor_strength: sheet.sensor_strength,
            velocity: sheet.velocity.into(),
            signature_radius: sheet.signature,
            cpu: sheet.cpu.into(),
            power: sheet.power.into(),
            slots: sheet.slots.map(ShareBody::from),
            turrets,
            launchers,
            groups: sheet.groups.iter().map(|group| GroupBody::new(group, enemies, catalogue)).collect(),
        }
    }
}

impl GroupBody {
    fn new(group: &GroupSheet, enemies: &[ShipSheet], catalogue: &Catalogue) -> Self {
        let fitted = group.fitted;
        Self {
            module: fitted.module.id,
            charge: fitted.charge.map(|charge| charge.id),
            count: fitted.count,
            tier: fitted.module.tier,
            weight: catalogue.rules.tier_weight(fitted.module.tier),
            weapon: match &group.act {
                Act::Weapon(weapon) => Some(WeaponBody::new(weapon, enemies, catalogue)),
                _ => None,
            },
            active: match &group.act {
                Act::Active(active) => Some(ActiveBody::new(active)),
                _ => None,
            },
        }
    }
}

impl WeaponBody {
    fn new(weapon: &WeaponSheet, enemies: &[ShipSheet], catalogue: &Catalogue) -> Self {
        let against = enemies.iter().map(|enemy| {
            let at = |speed| weapon.against(&catalogue.rules, Stance::Standard, enemy.signature, speed);
            StancesBody::from(enemy.velocity.map(at))
        });
        Self {
            hardpoint: if weapon.turret { "turret" } else { "launcher" },
            volley: weapon.volley,
            aim: weapon.aim.into(),
            ref_sig: weapon.ref_sig,
            ref_vel: weapon.ref_vel,
            capacitor: weapon.cost,
            against: against.collect(),
        }
    }
}

impl ActiveBody {
    fn new(active: &ActiveSheet) -> Self {
        let (does, figures, layer) = match active.work {
            WorkSheet::Multiplies(multipliers) => {
                ("multiplies", multipliers.into_iter().filter(|m| *m != 1.0).collect(), None)
            }
            WorkSheet::Jams(strengths) => ("jams", strengths.to_vec(), None),
            WorkSheet::Drains(amount) => ("drains", vec![amount], None),
            WorkSheet::Leeches(amount) => ("leeches", vec![amount], None),
            WorkSheet::Repairs(layer, amount) => ("repairs", vec![amount], Some(layer)),
            WorkSheet::Boosts(amount) => ("boosts", vec![amount], None),
        };
        Self { class: active.class, capacitor: active.cost, uses: active.uses, does, figures, layer }
    }
}

impl From<[f64; 3]> for LayersBody {
    fn from([shield, armor, hull]: [f64; 3]) -> Self {
        Self { shield, armor, hull }
    }
}

impl From<[[f64; 4]; 3]> for ResonanceBody {
    fn from([shield, armor, hull]: [[f64; 4]; 3]) -> Self {
        Self { shield, armor, hull }
    }
}

impl From<[f64; 3]> for StancesBody {
    fn from([standard, aggressive, evasive]: [f64; 3]) -> Self {
        Self { standard, aggressive, evasive }
    }
}

impl From<Share> for ShareBody {
    fn from(share: Share) -> Self {
        Self { used: share.used, of: share.of }
    }
}
