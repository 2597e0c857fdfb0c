//! The file of queries, as `headtohead` writes it.

mod entry;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::Queries;
use super::tables::Wanted;
use crate::distribution::weights::Weights;
use entry::{QueryEntry, UnboundQuery};

/// Reads the queries that are sent, and the part of the answer tables that they name.
///
/// # Errors
/// What is wrong with the file, which query or which table, and why.
pub fn read(path: &Path) -> Result<Queries, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut names = BTreeSet::new();
    let mut wanted = Wanted::default();
    let mut asked: Vec<UnboundQuery> = Vec::new();
    for line in file.queries {
        let name = line.name.clone();
        let wrong = |why: String| format!("query {name:?}: {why}");
        if !names.insert(name.clone()) {
            return Err(wrong("another query has its name".to_owned()));
        }
        // A query that is never sent needs no tables, and the subject no statement of it.
        let is_asked = line.is_asked().map_err(wrong)?;
        if is_asked {
            asked.push(line.named(&mut wanted).map_err(wrong)?);
        }
    }
    let weights: Vec<f64> = asked.iter().map(|named| named.weight).collect();
    let weights = Weights::new(&weights)?;
    let tables = wanted.read()?;
    let mut turns = 0;
    let asked: Result<_, String> = asked
        .into_iter()
        .map(|named| {
            let name = named.query.name.clone();
            named
                .asked(&tables, &mut turns)
                .map_err(|why| format!("query {name:?}: {why}"))
        })
        .collect();
    Ok(Queries {
        asked: asked?,
        weights,
        tables,
        turns,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    queries: Vec<QueryEntry>,
}
