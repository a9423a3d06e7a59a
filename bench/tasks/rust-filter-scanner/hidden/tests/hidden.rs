use filter::scanner::{scan, Token};

fn operators(input: &str) -> Vec<String> {
    scan(input)
        .unwrap_or_else(|error| panic!("scan({input:?}) failed: {error}"))
        .into_iter()
        .filter_map(|token| if let Token::Operator(text) = token { Some(text) } else { None })
        .collect()
}

#[test]
fn all_operators() {
    assert_eq!(
        operators("a = 1 and b != 2 and c < 3 and d <= 4 and e > 5 and f >= 6"),
        ["=", "!=", "<", "<=", ">", ">="]
    );
    assert_eq!(operators("a=1 or b!=2 or c<3 or d<=4 or e>5 or f>=6"), ["=", "!=", "<", "<=", ">", ">="]);
}

#[test]
fn operator_at_the_end() {
    assert_eq!(operators("a >"), [">"]);
    assert_eq!(operators("a >="), [">="]);
    assert_eq!(operators("a ="), ["="]);
}

#[test]
fn separate_operators() {
    assert_eq!(operators("a > = 1"), [">", "="]);
    assert_eq!(operators("a = = 1"), ["=", "="]);
    assert_eq!(operators("a <> 1"), ["<", ">"]);
    assert_eq!(operators("\"a>=b\" = \"!\""), ["="]);
}

#[test]
fn exclamation_mark_alone() {
    assert_eq!(scan("a ! b"), Err("unexpected '!' at 2".to_string()));
    assert_eq!(scan("!a"), Err("unexpected '!' at 0".to_string()));
    assert_eq!(scan("a !"), Err("unexpected '!' at 2".to_string()));
}

#[test]
fn full_expression() {
    assert_eq!(
        scan("price>=10 and x_1!=\"\""),
        Ok(vec![
            Token::Name("price".to_string()),
            Token::Operator(">=".to_string()),
            Token::Number(10),
            Token::Name("and".to_string()),
            Token::Name("x_1".to_string()),
            Token::Operator("!=".to_string()),
            Token::Text(String::new()),
        ])
    );
}
