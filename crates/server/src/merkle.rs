//! The Merkle tree of RFC 6962 (2.1) over tiles of 256 hashes (C2SP tlog-tiles): appending, roots, proofs and their
//! verification (RFC 9162, 2.1.3.2 and 2.1.4.2). Written out here: it is less than a page of arithmetic, and what must be
//! checked by others for years should not change with a dependency.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sha2::{Digest as _, Sha256};

/// A node of the tree.
pub type Hash = [u8; 32];

/// Hashes in a full tile.
pub const WIDTH: u64 = 256;
/// Levels of the tree in a tile.
const HEIGHT: u32 = 8;

/// The hash of a leaf.
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// The hash of a node with two children.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root of the tree without leaves.
pub fn empty() -> Hash {
    Sha256::digest([]).into()
}

/// The largest power of two below `n`, for `n` of 2 or more.
fn split(n: u64) -> u64 {
    1 << (u64::BITS - 1 - (n - 1).leading_zeros())
}

/// The root over hashes that stand for equally many leaves each, the last perhaps for fewer.
fn root_over(hashes: &[Hash]) -> Option<Hash> {
    match hashes {
        [] => None,
        [one] => Some(*one),
        _ => {
            let (left, right) = hashes.split_at(split(hashes.len() as u64) as usize);
            Some(node(&root_over(left)?, &root_over(right)?))
        }
    }
}

/// Level and number of a tile.
pub type TileId = (u64, u64);

/// The right edge of a growing tree: the last tile of every level, none of them full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    tiles: Vec<Vec<Hash>>,
}

impl Edge {
    /// The tiles that make the edge of a tree of that size, lowest level first.
    pub fn tiles_of(size: u64) -> Vec<TileId> {
        let mut ids = Vec::new();
        let mut width = size;
        while width > 0 {
            ids.push((ids.len() as u64, width / WIDTH));
            width /= WIDTH;
        }
        ids
    }

    /// The edge of a tree from its tiles ([`Edge::tiles_of`]; a level whose last tile is full has an empty one).
    /// `None` where they are not of that size.
    pub fn new(size: u64, tiles: Vec<Vec<Hash>>) -> Option<Self> {
        let mut width = size;
        for tile in &tiles {
            if tile.len() as u64 != width % WIDTH {
                return None;
            }
            width /= WIDTH;
        }
        (width == 0).then_some(Self { size, tiles })
    }

    /// How many leaves there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends leaves; answers the tiles that changed.
    pub fn append(&mut self, leaves: impl IntoIterator<Item = Hash>) -> BTreeMap<TileId, Vec<Hash>> {
        let mut changed = BTreeMap::new();
        for leaf in leaves {
            let (mut carried, mut level, mut width) = (leaf, 0, self.size);
            self.size += 1;
            loop {
                if self.tiles.len() == level {
                    self.tiles.push(Vec::new());
                }
                let tile = &mut self.tiles[level];
                tile.push(carried);
                let id = (level as u64, width / WIDTH);
                if (tile.len() as u64) < WIDTH {
                    changed.insert(id, Vec::new());
                    break;
                }
                let full = std::mem::take(tile);
                carried = root_over(&full).unwrap_or_default();
                changed.insert(id, full);
                level += 1;
                width /= WIDTH;
            }
        }
        // What is not full is taken as it stands at the end.
        for (&(level, _), tile) in &mut changed {
            if tile.is_empty() {
                tile.clone_from(&self.tiles[level as usize]);
            }
        }
        changed
    }

    /// The root.
    pub fn root(&self) -> Hash {
        let mut rest = None;
        for tile in &self.tiles {
            let mut hashes = tile.clone();
            hashes.extend(rest);
            rest = root_over(&hashes);
        }
        rest.unwrap_or_else(empty)
    }
}

/// The leaves whose common hash each step of a proof is.
pub type Steps = Vec<Range<u64>>;

/// What proves that a leaf is in a tree of `size`; `None` where it cannot be.
pub fn inclusion(index: u64, size: u64) -> Option<Steps> {
    (index < size).then(|| {
        let mut steps = Vec::new();
        let (mut low, mut high) = (0, size);
        while high - low > 1 {
            let middle = low + split(high - low);
            if index < middle {
                steps.push(middle..high);
                high = middle;
            } else {
                steps.push(low..middle);
                low = middle;
            }
        }
        steps.reverse();
        steps
    })
}

/// What proves that the tree of `old` leaves is the beginning of that of `new`; `None` where it cannot be.
pub fn consistency(old: u64, new: u64) -> Option<Steps> {
    (0 < old && old <= new).then(|| {
        let mut steps = Vec::new();
        let (mut low, mut high, mut whole) = (0, new, true);
        while old != high {
            let middle = low + split(high - low);
            if old <= middle {
                steps.push(middle..high);
                high = middle;
            } else {
                steps.push(low..middle);
                low = middle;
                whole = false;
            }
        }
        if !whole {
            steps.push(low..high);
        }
        steps.reverse();
        steps
    })
}

/// The hash over some leaves of the tree, by nodes of complete subtrees: level and number there.
fn range_hash(range: &Range<u64>, subtree: &mut impl FnMut(u32, u64) -> Option<Hash>) -> Option<Hash> {
    let length = range.end.checked_sub(range.start).filter(|length| *length > 0)?;
    if length.is_power_of_two() && range.start.is_multiple_of(length) {
        return subtree(length.trailing_zeros(), range.start / length);
    }
    let middle = range.start + split(length);
    let left = range_hash(&(range.start..middle), subtree)?;
    Some(node(&left, &range_hash(&(middle..range.end), subtree)?))
}

/// The tile that the hash of a complete subtree is computed from, and from which of its hashes.
fn place(level: u32, number: u64) -> (TileId, Range<usize>) {
    let (tile_level, inside) = (u64::from(level / HEIGHT), level % HEIGHT);
    let first = number << inside;
    let start = (first % WIDTH) as usize;
    ((tile_level, first / WIDTH), start..start + (1 << inside))
}

/// The tiles that the hashes of some steps are computed from.
pub fn tiles_for(steps: &[Range<u64>]) -> BTreeSet<TileId> {
    let mut tiles = BTreeSet::new();
    for step in steps {
        range_hash(step, &mut |level, number| {
            tiles.insert(place(level, number).0);
            Some(Hash::default())
        });
    }
    tiles
}

/// The hashes of some steps; `None` where a tile is missing or too short.
pub fn hashes(steps: &[Range<u64>], tiles: &BTreeMap<TileId, Vec<Hash>>) -> Option<Vec<Hash>> {
    let mut subtree = |level, number| {
        let (tile, place) = place(level, number);
        root_over(tiles.get(&tile)?.get(place)?)
    };
    steps.iter().map(|step| range_hash(step, &mut subtree)).collect()
}

/// Whether a proof shows a leaf to be in the tree of that root (RFC 9162, 2.1.3.2).
pub fn proves_inclusion(index: u64, size: u64, leaf: Hash, proof: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut at, mut last, mut hash) = (index, size - 1, leaf);
    for step in proof {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node(step, &hash);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, step);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether a proof shows one tree to be the beginning of another (RFC 9162, 2.1.4.2).
pub fn proves_consistency(old: u64, new: u64, old_root: &Hash, new_root: &Hash, proof: &[Hash]) -> bool {
    if old == 0 || old > new {
        return false;
    }
    if old == new {
        return proof.is_empty() && old_root == new_root;
    }
    let mut steps = proof.iter();
    let first = if old.is_power_of_two() { Some(old_root) } else { steps.next() };
    let Some(&first) = first else { return false };
    let (mut at, mut last) = (old - 1, new - 1);
    while at & 1 == 1 {
        at >>= 1;
        last >>= 1;
    }
    let (mut old_hash, mut new_hash) = (first, first);
    for step in steps {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            old_hash = node(step, &old_hash);
            new_hash = node(step, &new_hash);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            new_hash = node(&new_hash, step);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && old_hash == *old_root && new_hash == *new_root
}

#[cfg(test)]
mod tests {
    use ongrid_engine::canonical::hex;
    use proptest::prelude::*;

    use super::*;

    /// RFC 6962, 2.1, word by word.
    fn mth(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => empty(),
            [one] => *one,
            _ => {
                let (left, right) = leaves.split_at(split(leaves.len() as u64) as usize);
                node(&mth(left), &mth(right))
            }
        }
    }

    fn grown(count: u64) -> (Vec<Hash>, Edge, BTreeMap<TileId, Vec<Hash>>) {
        let leaves: Vec<Hash> = (0..count).map(|number| leaf(&number.to_be_bytes())).collect();
        let (mut edge, mut tiles) = (Edge::default(), BTreeMap::new());
        // In pieces, as a sequencer does it.
        for piece in leaves.chunks(97) {
            tiles.append(&mut edge.append(piece.iter().copied()));
        }
        (leaves, edge, tiles)
    }

    /// The vectors of Certificate Transparency's reference implementation.
    #[test]
    fn published_vectors() {
        let entries: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut edge = Edge::default();
        assert_eq!(hex(&edge.root()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (entry, root) in entries.iter().zip(roots) {
            edge.append([leaf(entry)]);
            assert_eq!(hex(&edge.root()), root);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn proofs_prove_and_nothing_else_does(count in 1_u64..1400, pick: u64, at: u64, bit in 0_usize..256) {
            let (leaves, edge, tiles) = grown(count);
            let root = edge.root();
            prop_assert_eq!(root, mth(&leaves));
            let resumed = Edge::tiles_of(count).iter()
                .map(|id| tiles.get(id).filter(|tile| tile.len() < 256).cloned().unwrap_or_default()).collect();
            prop_assert_eq!(Edge::new(count, resumed), Some(edge));

            let index = pick % count;
            let steps = inclusion(index, count).unwrap();
            prop_assert!(tiles_for(&steps).iter().all(|id| tiles.contains_key(id)));
            let proof = hashes(&steps, &tiles).unwrap();
            let it = leaves[index as usize];
            prop_assert!(proves_inclusion(index, count, it, &proof, &root));
            let mut other = it;
            other[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(!proves_inclusion(index, count, other, &proof, &root));
            prop_assert!(!proves_inclusion(index + 1, count, it, &proof, &root));
            prop_assert!(!proves_inclusion(index, count, it, &proof, &other));
            if !proof.is_empty() {
                prop_assert!(!proves_inclusion(index, count, it, &proof[1..], &root), "truncated");
                let mut swapped = proof.clone();
                swapped.reverse();
                prop_assert!(swapped == proof || !proves_inclusion(index, count, it, &swapped, &root));
                let mut changed = proof.clone();
                let length = changed.len() as u64;
                changed[(at % length) as usize][bit / 8] ^= 1 << (bit % 8);
                prop_assert!(!proves_inclusion(index, count, it, &changed, &root));
            }

            let old = 1 + at % count;
            let old_root = mth(&leaves[..old as usize]);
            let proof = hashes(&consistency(old, count).unwrap(), &tiles).unwrap();
            prop_assert!(proves_consistency(old, count, &old_root, &root, &proof));
            prop_assert!(!proves_consistency(old, count, &other, &root, &proof));
            prop_assert!(!proves_consistency(old, count, &old_root, &other, &proof));
            for changed in 0..proof.len() {
                let mut forged = proof.clone();
                forged[changed][bit / 8] ^= 1 << (bit % 8);
                prop_assert!(!proves_consistency(old, count, &old_root, &root, &forged));
            }
        }

        #[test]
        fn nothing_panics(index: u64, size: u64, old: u64, hash: [u8; 32], count in 0_usize..70) {
            let proof = vec![hash; count];
            let _ = proves_inclusion(index, size, hash, &proof, &hash);
            let _ = proves_consistency(old, size, &hash, &hash, &proof);
            let _ = inclusion(index, size).map(|steps| tiles_for(&steps));
        }
    }

    #[test]
    fn a_tree_of_many_tiles() {
        let (leaves, edge, tiles) = grown(70_000);
        assert_eq!(edge.root(), mth(&leaves));
        assert_eq!(tiles.keys().map(|(level, _)| *level).max(), Some(2));
        let root = edge.root();
        for index in [0, 255, 256, 65_535, 65_536, 69_999] {
            let proof = hashes(&inclusion(index, 70_000).unwrap(), &tiles).unwrap();
            assert!(proves_inclusion(index, 70_000, leaves[index as usize], &proof, &root));
        }
    }
}
