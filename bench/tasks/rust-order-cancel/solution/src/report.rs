//! The list of all orders as text.

use crate::shop::{Shop, Status};

/// One line for each order and a last line with the number of pieces that are not cancelled.
pub fn report(shop: &Shop) -> String {
    let mut text = String::new();
    let mut pieces = 0;
    for order in shop.orders() {
        let status = order.status.word();
        text += &format!("{} {} x {} {status}\n", order.number, order.quantity, order.article);
        if order.status != Status::Cancelled {
            pieces += order.quantity;
        }
    }
    text + &format!("{pieces} pieces")
}
