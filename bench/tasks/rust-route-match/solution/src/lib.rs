//! A small router for a web server.

use std::collections::BTreeMap;

pub type Params = BTreeMap<String, String>;

/// Matches a path against a pattern and returns the parameters, or None if the path does not match.
///
/// A pattern has these segments:
/// - `name` matches itself,
/// - `:name` matches any one segment,
/// - `*name`, only at the end, matches the rest of the path: one or more segments.
///
/// Empty segments do not count, so `/users/` is the same path as `/users`.
pub fn match_path(pattern: &str, path: &str) -> Option<Params> {
    let mut params = Params::new();
    let mut rest = segments(path);
    for part in segments(pattern) {
        let segment = rest.next()?;
        if let Some(name) = part.strip_prefix('*') {
            let mut value = segment.to_string();
            for next in rest {
                value.push('/');
                value.push_str(next);
            }
            params.insert(name.to_string(), value);
            return Some(params);
        }
        if let Some(name) = part.strip_prefix(':') {
            params.insert(name.to_string(), segment.to_string());
        } else if part != segment {
            return None;
        }
    }
    if rest.next().is_some() {
        return None;
    }
    Some(params)
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// A list of routes. The first pattern that matches wins.
#[derive(Default)]
pub struct Router {
    routes: Vec<(String, &'static str)>,
}

impl Router {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, pattern: &str, handler: &'static str) {
        self.routes.push((pattern.to_string(), handler));
    }

    /// The handler for a path and the parameters of the path.
    pub fn find(&self, path: &str) -> Option<(&'static str, Params)> {
        self.routes
            .iter()
            .find_map(|(pattern, handler)| match_path(pattern, path).map(|params| (*handler, params)))
    }
}
