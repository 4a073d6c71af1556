//! A new migration must be embedded even where no Rust file changed.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
