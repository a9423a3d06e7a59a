use router::{match_path, Params, Router};

fn params(pairs: &[(&str, &str)]) -> Option<Params> {
    Some(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
}

fn check(pattern: &str, path: &str, expected: Option<Params>) {
    assert_eq!(match_path(pattern, path), expected, "match_path({pattern:?}, {path:?})");
}

#[test]
fn plain_segments() {
    check("/about", "/about/", params(&[]));
    check("/about", "/imprint", None);
}

#[test]
fn one_parameter() {
    check("/users/:id", "/users/7", params(&[("id", "7")]));
}

#[test]
fn path_is_too_short() {
    check("/users/:id", "/users", None);
}

#[test]
fn path_is_too_long() {
    check("/users/:id", "/users/7/posts", None);
}

#[test]
fn rest_of_the_path() {
    check("/files/*path", "/files/img/logo.png", params(&[("path", "img/logo.png")]));
}

#[test]
fn the_first_route_wins() {
    let mut router = Router::new();
    router.add("/users/new", "form");
    router.add("/users/:id", "show");
    assert_eq!(router.find("/users/new"), Some(("form", Params::new())));
}
