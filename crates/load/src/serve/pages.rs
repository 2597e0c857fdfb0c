//! The pages, each with its head and body in one buffer.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use base::error::Error;

/// Whole responses by path.
#[derive(Debug, Default)]
pub struct Pages {
    by_path: HashMap<Vec<u8>, Vec<u8>>,
}

/// The response for a path that is not known.
pub const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

/// The response to anything but GET; the connection is closed after it.
pub const NOT_ALLOWED: &[u8] =
    b"HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The response to what is no request; the connection is closed after it.
pub const BAD_REQUEST: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

impl Pages {
    /// Reads one file under the path given with it, every plain file below a folder under its path there, or both.
    ///
    /// # Errors
    /// A file or a folder cannot be read, or there is no plain file in it: a usage error.
    pub fn read(body: Option<(&str, &Path)>, directory: Option<&Path>) -> Result<Self, Error> {
        let mut pages = Self::default();
        if let Some(directory) = directory {
            pages.read_whole(directory).map_err(|error| {
                let remedy = "Name a folder with plain files after --directory.";
                Error::usage(
                    format!("the folder {}", directory.display()),
                    error.to_string(),
                    remedy,
                )
            })?;
        }
        if let Some((path, file)) = body {
            let bytes = fs::read(file).map_err(|error| {
                let remedy = "Name a file that can be read after --body.";
                Error::usage(
                    format!("the body {}", file.display()),
                    error.to_string(),
                    remedy,
                )
            })?;
            pages.add(path.as_bytes().to_vec(), &bytes);
        }
        Ok(pages)
    }

    /// One page under this path.
    pub fn one(path: &str, body: &[u8]) -> Self {
        let mut pages = Self::default();
        pages.add(path.as_bytes().to_vec(), body);
        pages
    }

    /// The whole response to GET of this path.
    pub fn answer(&self, path: &[u8]) -> &[u8] {
        self.by_path.get(path).map_or(NOT_FOUND, Vec::as_slice)
    }

    fn read_whole(&mut self, directory: &Path) -> io::Result<()> {
        self.read_directory(directory, b"/")?;
        if self.by_path.is_empty() {
            return Err(io::Error::other("it has no plain file"));
        }
        Ok(())
    }

    /// Links are not followed: what is served is below the folder itself.
    fn read_directory(&mut self, directory: &Path, under: &[u8]) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let path = [under, entry.file_name().as_encoded_bytes()].concat();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.read_directory(&entry.path(), &[&path[..], b"/"].concat())?;
            } else if kind.is_file() {
                self.add(path, &fs::read(entry.path())?);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: Vec<u8>, body: &[u8]) {
        let kind = if path.ends_with(b".html") {
            "text/html"
        } else {
            "application/octet-stream"
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let _ = self.by_path.insert(path, [head.as_bytes(), body].concat());
    }
}
