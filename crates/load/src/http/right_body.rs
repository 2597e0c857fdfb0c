//! What is known beforehand of a correct body, never compressed.

use std::fs;
use std::path::Path;

use crate::checksum::sha256;
use crate::http::body::Content;

/// The right body of one response.
#[derive(Debug, Default)]
pub struct RightBody {
    /// Its length, if it is known.
    pub length_bytes: Option<u64>,
    /// What it holds.
    pub content: KnownContent,
}

/// What is known of a body's content.
#[derive(Debug, Default)]
pub enum KnownContent {
    /// Nothing.
    #[default]
    Nothing,
    /// All of it.
    Bytes(Vec<u8>),
    /// Its SHA-256.
    Sha256([u8; 32]),
}

impl RightBody {
    /// A body of this length, like this file, or with this checksum, as far as they are given.
    ///
    /// # Errors
    /// The file cannot be read, they contradict each other, or the checksum is not one.
    pub fn of(
        length_bytes: Option<u64>,
        body: Option<&Path>,
        sum: Option<&str>,
    ) -> Result<Self, String> {
        let content = match (body, sum) {
            (None, None) => KnownContent::Nothing,
            (Some(file), None) => {
                let bytes = fs::read(file);
                KnownContent::Bytes(
                    bytes.map_err(|error| format!("the body {}: {error}", file.display()))?,
                )
            }
            (None, Some(sum)) => {
                let wrong = || format!("{sum:?} is not a SHA-256 of 64 digits");
                KnownContent::Sha256(sha256(sum).ok_or_else(wrong)?)
            }
            (Some(_), Some(_)) => {
                return Err("it has both body and sha256; write one of them".to_owned());
            }
        };
        let known_bytes = match &content {
            KnownContent::Bytes(bytes) => Some(u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
            _ => None,
        };
        if let (Some(told), Some(real)) = (length_bytes, known_bytes)
            && told != real
        {
            return Err(format!(
                "length_bytes is {told}, but the body has {real} bytes"
            ));
        }
        Ok(Self {
            length_bytes: length_bytes.or(known_bytes),
            content,
        })
    }

    /// What it holds.
    pub fn content(&self) -> Content<'_> {
        match &self.content {
            KnownContent::Nothing => Content::Any,
            KnownContent::Bytes(bytes) => Content::Bytes(bytes),
            KnownContent::Sha256(sum) => Content::Sha256(sum),
        }
    }
}
