use filter::scanner::{scan, Token};

fn name(text: &str) -> Token {
    Token::Name(text.to_string())
}

fn operator(text: &str) -> Token {
    Token::Operator(text.to_string())
}

fn check(input: &str, expected: &[Token]) {
    assert_eq!(scan(input), Ok(expected.to_vec()), "scan({input:?})");
}

#[test]
fn single_operators() {
    check("a = 1", &[name("a"), operator("="), Token::Number(1)]);
    check("a<b", &[name("a"), operator("<"), name("b")]);
}

#[test]
fn double_operators() {
    check("price >= 10", &[name("price"), operator(">="), Token::Number(10)]);
    check("price<=10", &[name("price"), operator("<="), Token::Number(10)]);
    check("name != \"old chair\"", &[name("name"), operator("!="), Token::Text("old chair".to_string())]);
}

#[test]
fn unexpected_character() {
    assert_eq!(scan("a = #"), Err("unexpected '#' at 4".to_string()));
}

#[test]
fn text_without_end() {
    assert_eq!(scan("\"abc"), Err("text without end at 0".to_string()));
}
