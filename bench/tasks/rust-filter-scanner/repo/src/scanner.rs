//! Splits a filter expression into tokens.

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Name(String),
    Number(u64),
    Text(String),
    Operator(String),
}

/// Returns the tokens of an expression, or a message about the first character that fits nowhere.
pub fn scan(input: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = input.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let c = chars[at];
        at += 1;
        if c.is_whitespace() {
            continue;
        }
        if c.is_ascii_alphabetic() {
            while at < chars.len() && (chars[at].is_ascii_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            tokens.push(Token::Name(chars[start..at].iter().collect()));
        } else if c.is_ascii_digit() {
            while at < chars.len() && chars[at].is_ascii_digit() {
                at += 1;
            }
            let digits: String = chars[start..at].iter().collect();
            tokens.push(Token::Number(digits.parse().map_err(|_| format!("number too large: {digits}"))?));
        } else if c == '"' {
            while at < chars.len() && chars[at] != '"' {
                at += 1;
            }
            if at == chars.len() {
                return Err(format!("text without end at {start}"));
            }
            tokens.push(Token::Text(chars[start + 1..at].iter().collect()));
            at += 1;
        } else if matches!(c, '=' | '<' | '>' | '!') {
            tokens.push(Token::Operator(c.to_string()));
        } else {
            return Err(format!("unexpected '{c}' at {start}"));
        }
    }
    Ok(tokens)
}
