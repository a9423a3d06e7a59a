use router::{match_path, Params, Router};

fn params(pairs: &[(&str, &str)]) -> Option<Params> {
    Some(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
}

fn check(pattern: &str, path: &str, expected: Option<Params>) {
    assert_eq!(match_path(pattern, path), expected, "match_path({pattern:?}, {path:?})");
}

#[test]
fn lengths() {
    check("/", "/", params(&[]));
    check("/", "/a", None);
    check("/a", "/", None);
    check("/a/b", "/a", None);
    check("/a", "/a/b", None);
    check("/a/:b/c", "/a/x", None);
    check("/a/:b/c", "/a/x/c", params(&[("b", "x")]));
    check("/a/:b/c", "/a/x/c/d", None);
    check("/a/:b/c", "/a/x/d", None);
}

#[test]
fn two_parameters() {
    check("/:user/:repo", "/ann/tools", params(&[("user", "ann"), ("repo", "tools")]));
    check("/:user/:repo", "/ann", None);
}

#[test]
fn rest() {
    check("/files/*path", "/files/a", params(&[("path", "a")]));
    check("/files/*path", "/files/a/b/c", params(&[("path", "a/b/c")]));
    check("/files/*path", "/files", None);
    check("/files/*path", "/files/", None);
    check("/files/*path", "/other/a", None);
    check("/:user/*path", "/ann/src/lib.rs", params(&[("user", "ann"), ("path", "src/lib.rs")]));
    check("*all", "/a/b", params(&[("all", "a/b")]));
}

#[test]
fn router() {
    let mut router = Router::new();
    router.add("/users", "list");
    router.add("/users/:id", "show");
    router.add("/users/:id/*page", "page");
    assert_eq!(router.find("/users").map(|found| found.0), Some("list"));
    assert_eq!(router.find("/users/7").map(|found| found.0), Some("show"));
    assert_eq!(router.find("/users/7/posts/1").map(|found| found.0), Some("page"));
    assert_eq!(router.find("/").map(|found| found.0), None);
}
