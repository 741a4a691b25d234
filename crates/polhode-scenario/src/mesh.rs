//! Meshes from files: STL, as text or binary, and OBJ.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::error::{ScenarioError, TextPlace};
use super::fault::ScenarioFault;
use polhode::shape::Mesh;

/// The largest file that is read, in bytes.
const MAX_MESH_BYTES: u64 = 2_000_000_000;

/// The head of a binary STL: 80 bytes of anything and the number of triangles.
const HEAD: usize = 84;
/// A triangle of a binary STL: a normal, three corners, two bytes of anything.
const FACET: usize = 50;

/// The mesh of an `.stl` or `.obj` file, its coordinates multiplied by `scale`.
///
/// Corners of an STL are the same if their coordinates are equal. Normals are not read: what counts is the order of
/// the corners. Faces of an OBJ with more than three corners are cut into triangles from the first.
///
/// # Errors
/// [`ScenarioError`] with the line if the file cannot be read or is no mesh.
pub fn read_mesh(path: impl AsRef<Path>, scale: f64) -> Result<Mesh, ScenarioError> {
    let path = path.as_ref();
    let fail = |fault| ScenarioError::new(&path.display().to_string(), TextPlace::default(), fault);
    let unreadable = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => fail(ScenarioFault::NoFile { near: super::source::near(path) }),
        kind => fail(ScenarioFault::Unreadable { kind, reason: e.to_string() }),
    };
    let about = fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return Err(fail(ScenarioFault::Mesh {
            why: "is a directory; name an .stl or .obj file in it".into(),
        }));
    }
    if about.len() > MAX_MESH_BYTES {
        return Err(fail(ScenarioFault::Mesh {
            why: "more than 2 GB; take a coarser mesh".into(),
        }));
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let bytes = fs::read(path).map_err(unreadable)?;
    let read = match extension.as_str() {
        "obj" => obj(&String::from_utf8_lossy(&bytes)),
        "stl" if is_binary_stl(&bytes) => Ok(binary_stl(&bytes)),
        "stl" => text_stl(&bytes),
        _ => {
            let why = "neither .stl nor .obj; these are the meshes that are read".into();
            return Err(fail(ScenarioFault::Mesh { why }));
        }
    };
    let mut mesh = read.map_err(|(line, why)| {
        let place = TextPlace { line, ..TextPlace::default() };
        ScenarioError::new(&path.display().to_string(), place, ScenarioFault::Mesh { why })
    })?;
    for vertex in &mut mesh.vertices {
        *vertex = vertex.map(|x| x * scale);
    }
    Ok(mesh)
}

/// The line, if there is one, and what is wrong with it.
type MeshTrouble = (Option<usize>, String);

/// A mesh under construction, from corners that are given anew for every triangle.
#[derive(Default)]
struct Welder {
    mesh: Mesh,
    known: HashMap<[u64; 3], usize>,
}

impl Welder {
    fn corner(&mut self, at: [f64; 3]) -> usize {
        // -0 and 0 are one place.
        let at = at.map(|x| x + 0.0);
        *self.known.entry(at.map(f64::to_bits)).or_insert_with(|| {
            self.mesh.vertices.push(at);
            self.mesh.vertices.len() - 1
        })
    }
}

/// Binary files may begin with "solid", too: only their length tells.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..HEAD).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| {
        (count as usize).checked_mul(FACET).and_then(|n| n.checked_add(HEAD)) == Some(bytes.len())
    })
}

fn binary_stl(bytes: &[u8]) -> Mesh {
    let mut welder = Welder::default();
    for facet in bytes[HEAD..].chunks_exact(FACET) {
        let number = |i: usize| {
            let at = 12 + 4 * i;
            f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]))
        };
        let corners = [0, 3, 6].map(|i| welder.corner([number(i), number(i + 1), number(i + 2)]));
        welder.mesh.triangles.push(corners);
    }
    welder.mesh
}

fn text_stl(bytes: &[u8]) -> Result<Mesh, MeshTrouble> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    // A binary file that is cut off may begin with "solid", but zeros follow.
    if !text.trim_start().starts_with("solid") || text.contains('\0') {
        let why = "no STL: a text begins with 'solid', and a binary file is 84 bytes and 50 for every triangle long; \
                   is it cut off?";
        return Err((None, why.into()));
    }
    let mut welder = Welder::default();
    let mut corners = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let at = coordinates(words, number, true)?;
                corners.push(welder.corner(at));
            }
            Some("endfacet") => {
                let [a, b, c] = corners[..] else {
                    let why = format!("a facet has three lines 'vertex', not {}", corners.len());
                    return Err((Some(number), why));
                };
                welder.mesh.triangles.push([a, b, c]);
                corners.clear();
            }
            _ => {}
        }
    }
    if corners.is_empty() {
        Ok(welder.mesh)
    } else {
        Err((
            Some(text.lines().count()),
            "the last facet has no 'endfacet'; is the file cut off?".into(),
        ))
    }
}

fn obj(text: &str) -> Result<Mesh, MeshTrouble> {
    let mut mesh = Mesh::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => mesh.vertices.push(coordinates(words, number, false)?),
            Some("f") => {
                let count = mesh.vertices.len();
                let corners = words.map(|word| {
                    corner(word, count).ok_or_else(|| {
                        let why = format!("'{word}' is none of the {count} corners so far");
                        (Some(number), why)
                    })
                });
                let corners: Vec<usize> = corners.collect::<Result<_, _>>()?;
                let [first, rest @ ..] = &corners[..] else { continue };
                if rest.len() < 2 {
                    return Err((Some(number), "a face has three corners or more".into()));
                }
                mesh.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The number of a corner, from 0: `7`, `7/1/2` or, counted from the last, `-1`.
fn corner(word: &str, count: usize) -> Option<usize> {
    let index: i64 = word.split('/').next()?.parse().ok()?;
    let index = if index < 0 { i64::try_from(count).ok()? + index } else { index - 1 };
    usize::try_from(index).ok().filter(|index| *index < count)
}

fn coordinates<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    only_three: bool,
) -> Result<[f64; 3], MeshTrouble> {
    let words: Vec<&str> = words.collect();
    // Colours, or a weight, may follow in an OBJ.
    let wrong = if only_three { words.len() != 3 } else { words.len() < 3 };
    if wrong {
        return Err((Some(line), format!("a corner has three coordinates, not {}", words.len())));
    }
    let number = |word: &str| {
        polhode_number::read(word).map_err(|why| (Some(line), format!("'{word}' {why}")))
    };
    Ok([number(words[0])?, number(words[1])?, number(words[2])?])
}
