//! TypeScript types of what the door speaks, made from the Rust types that are serialised: `clients/ongrid-js/types`.
//!
//! Reads the sources themselves, so that the engines need no derive for it and every field keeps its comment. What
//! serialises by hand (calls, setups, rejections) is written by hand below, beside nothing but itself.

use std::fmt::Write;
use std::path::Path;

use syn::{Attribute, Fields, GenericArgument, Item, PathArguments, Type};

/// The sources, and the types of them that clients meet.
const SOURCES: &[(&str, &[&str])] = &[
    ("engine/src/engine.rs", &["Standing"]),
    ("engine-wasm/src/door.rs", &["EngineTag", "Desync"]),
    ("engine-wasm/src/bout.rs", &["Opened", "Step", "Close", "State", "Replay"]),
    ("engine-ongrid/src/view.rs", &["*"]),
    ("engine-ongrid/src/outcome.rs", &["Verdict", "DecidedBy", "Totals", "Layers", "ShipOutcome", "Outcome"]),
    (
        "engine-ongrid/src/calibration.rs",
        &["Snapshot", "HostileShip", "FittedGroup", "WalkedDown", "PilotShip", "WeighedGroup"],
    ),
    ("engine-ongrid/src/event.rs", &["What", "Why"]),
    ("engine-ongrid/src/attribute.rs", &["Class", "Layer", "Stance", "Side"]),
    ("engine-ongrid/src/catalogue.rs", &["HullClass", "HullTier", "Tier", "Role"]),
    ("engine-ongrid/src/standard.rs", &["FleetShip"]),
    ("engine-wasm/src/catalogue.rs", &["*"]),
];

/// What stands at the head of the file: the types that serialise by hand.
const HEAD: &str = r#"// Made by `cargo run -p ongrid-engine-wasm --example types` from the Rust types; do not edit.

/** A call (ongrid-8 §6). */
export type Call =
  | { ship: number; do: "fire"; target: number; overheat?: boolean; stance?: Stance }
  | { ship: number; do: "activate"; group: number; target?: number; stance?: Stance }
  | { ship: number; do: "hold"; stance?: Stance }
  | { do: "concede" };

/** The six skills, 0 … 5. */
export interface Skills {
  gunnery: number;
  "motion-prediction": number;
  missiles: number;
  tank: number;
  navigation: number;
  electronics: number;
}

/** A setup (ongrid-8 §15). */
export interface Setup {
  doctrine: string;
  skills: Skills;
  fleet: { hull: string; name?: string; fit: { module: string; charge?: string; count: number }[] }[];
}

/** Something that happened (ongrid-8 §17), and the round it happened in. */
export type Event = What & { round: number };

/** A "no": a stable code, the place, a sentence. */
export interface Rejected {
  status: "rejected";
  code: string;
  /** Index of the call at fault, from 0. */
  call: number | null;
  /** JSON pointer from the replay's root. */
  path?: string;
  detail: { round?: number; ship?: number; group?: number; known?: string[] };
  message: string;
}

/** The verdict on a whole replay. */
export interface Verified {
  status: "verified";
  engine: string;
  ruleset: string;
  replay_digest: string;
  outcome_digest: string;
  outcome: Outcome;
  standing: Standing;
  snapshot?: Snapshot;
  desync?: Desync;
}
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut out = HEAD.to_owned();
    for (path, wanted) in SOURCES {
        let file = syn::parse_file(&std::fs::read_to_string(crates.join(path))?)?;
        let all = *wanted == ["*"];
        let mut found = Vec::new();
        for item in &file.items {
            let name = match item {
                Item::Struct(item) => item.ident.to_string(),
                Item::Enum(item) => item.ident.to_string(),
                _ => continue,
            };
            if all && derives_serialize(item) || wanted.contains(&name.as_str()) {
                write_item(&mut out, item)?;
                found.push(name);
            }
        }
        if let Some(missing) = wanted.iter().find(|name| **name != "*" && !found.iter().any(|it| it == *name))
        {
            return Err(format!("{path} has no type {missing}").into());
        }
    }
    print!("{out}");
    Ok(())
}

fn derives_serialize(item: &Item) -> bool {
    let (Item::Struct(syn::ItemStruct { attrs, .. }) | Item::Enum(syn::ItemEnum { attrs, .. })) = item else {
        return false;
    };
    let tokens = |attr: &Attribute| match &attr.meta {
        syn::Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    };
    attrs.iter().any(|attr| attr.path().is_ident("derive") && tokens(attr).contains("Serialize"))
}

fn write_item(out: &mut String, item: &Item) -> std::fmt::Result {
    match item {
        Item::Struct(item) => {
            write!(out, "\n{}export interface {} {{\n", comment(&item.attrs, ""), item.ident)?;
            write_fields(out, &item.fields, "  ")?;
            out.push_str("}\n");
        }
        Item::Enum(item) => {
            let rename = serde(&item.attrs, "rename_all").unwrap_or_default();
            let tag = serde(&item.attrs, "tag");
            write!(out, "\n{}export type {} =", comment(&item.attrs, ""), item.ident)?;
            for variant in &item.variants {
                let name = renamed(&variant.ident.to_string(), &rename);
                write!(out, "\n{}  | ", comment(&variant.attrs, "  "))?;
                match &tag {
                    None => write!(out, "{name:?}")?,
                    Some(tag) => {
                        write!(out, "{{\n      {tag}: {name:?};\n")?;
                        write_fields(out, &variant.fields, "      ")?;
                        out.push_str("    }");
                    }
                }
            }
            out.push_str(";\n");
        }
        _ => {}
    }
    Ok(())
}

fn write_fields(out: &mut String, fields: &Fields, indent: &str) -> std::fmt::Result {
    for field in fields {
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = serde(&field.attrs, "rename").unwrap_or(name);
        let mut kind = type_of(&field.ty);
        let optional = serde(&field.attrs, "skip_serializing_if").is_some();
        if optional {
            kind = kind.trim_end_matches(" | null").to_owned();
        }
        let mark = if optional { "?" } else { "" };
        writeln!(out, "{}{indent}{name}{mark}: {kind};", comment(&field.attrs, indent))?;
    }
    Ok(())
}

/// The TypeScript type of what a Rust type is serialised to.
fn type_of(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => type_of(&reference.elem),
        Type::Slice(slice) => list(&type_of(&slice.elem)),
        Type::Array(array) => match array.len {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(ref n), .. }) => {
                let n = n.base10_parse().unwrap_or(0);
                format!("[{}]", vec![type_of(&array.elem); n].join(", "))
            }
            _ => list(&type_of(&array.elem)),
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return "unknown".to_owned() };
            let inner = match &last.arguments {
                PathArguments::AngleBracketed(inner) => inner.args.iter().collect(),
                _ => Vec::new(),
            };
            let inner: Vec<String> = inner
                .into_iter()
                .filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(type_of(ty)),
                    _ => None,
                })
                .collect();
            match last.ident.to_string().as_str() {
                "Option" => format!("{} | null", inner[0]),
                "Vec" => list(&inner[0]),
                "BTreeMap" => format!("Partial<Record<{}, {}>>", inner[0], inner[1]),
                "bool" => "boolean".to_owned(),
                "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f64" => "number".to_owned(),
                "String" | "str" | "Digest" => "string".to_owned(),
                name => name.to_owned(),
            }
        }
        _ => "unknown".to_owned(),
    }
}

fn list(of: &str) -> String {
    if of.contains(' ') { format!("({of})[]") } else { format!("{of}[]") }
}

/// The value of a serde attribute.
fn serde(attrs: &[Attribute], name: &str) -> Option<String> {
    let mut value = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        // Attributes without a value end the reading early, which is no fault here.
        let _ = attr.parse_nested_meta(|meta| {
            let text = meta.value()?.parse::<syn::LitStr>()?.value();
            if meta.path.is_ident(name) {
                value = Some(text);
            }
            Ok(())
        });
    }
    value
}

fn renamed(name: &str, rule: &str) -> String {
    let separator = match rule {
        "kebab-case" => '-',
        "snake_case" => '_',
        _ => return name.to_owned(),
    };
    let mut renamed = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            renamed.push(separator);
        }
        renamed.extend(letter.to_lowercase());
    }
    renamed
}

/// The doc comment, as TypeScript writes it.
fn comment(attrs: &[Attribute], indent: &str) -> String {
    let lines: Vec<String> = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .filter_map(|attr| match &attr.meta {
            syn::Meta::NameValue(syn::MetaNameValue {
                value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }),
                ..
            }) => Some(text.value().trim().to_owned()),
            _ => None,
        })
        .collect();
    match lines.as_slice() {
        [] => String::new(),
        lines => format!("{indent}/** {} */\n", lines.join(" ")),
    }
}
