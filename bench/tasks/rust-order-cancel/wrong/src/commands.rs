//! The text commands of the shop.

use crate::report::report;
use crate::shop::Shop;

/// Runs one command and returns the answer.
pub fn execute(shop: &mut Shop, line: &str) -> String {
    run(shop, line).unwrap_or_else(|message| format!("error: {message}"))
}

fn run(shop: &mut Shop, line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["order", article, quantity] => {
            let quantity = parse(quantity)?;
            let number = shop.order(article, quantity)?;
            Ok(format!("order {number}: {quantity} x {article}"))
        }
        ["ship", number] => {
            let number = parse(number)?;
            shop.ship(number)?;
            Ok(format!("shipped order {number}"))
        }
        ["cancel", number] => {
            let number = parse(number)?;
            shop.cancel(number).map(|()| format!("cancelled order {number}"))
        }
        ["report"] => Ok(report(shop)),
        _ => Err(format!("unknown command '{line}'")),
    }
}

fn parse<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("not a number: '{word}'"))
}
