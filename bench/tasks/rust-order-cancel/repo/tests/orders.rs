use shop::commands::execute;
use shop::shop::Shop;

/// A shop with five chairs.
fn chairs() -> Shop {
    let mut shop = Shop::default();
    shop.add_stock("chair", 5);
    shop
}

fn check(shop: &mut Shop, line: &str, expected: &str) {
    assert_eq!(execute(shop, line), expected, "answer to '{line}'");
}

#[test]
fn order_and_ship() {
    let mut shop = chairs();
    check(&mut shop, "order chair 2", "order 1: 2 x chair");
    check(&mut shop, "ship 1", "shipped order 1");
    check(&mut shop, "ship 1", "error: order 1 is shipped");
    check(&mut shop, "order chair 4", "error: 3 x chair in stock");
    check(&mut shop, "report", "1 2 x chair shipped\n2 pieces");
}

#[test]
fn cancelled_pieces_are_back_in_stock() {
    let mut shop = chairs();
    check(&mut shop, "order chair 2", "order 1: 2 x chair");
    check(&mut shop, "cancel 1", "cancelled order 1");
    assert_eq!(shop.stock("chair"), 5, "chairs in stock after 'cancel 1'");
}

#[test]
fn report_with_a_cancelled_order() {
    let mut shop = chairs();
    check(&mut shop, "order chair 2", "order 1: 2 x chair");
    check(&mut shop, "order chair 1", "order 2: 1 x chair");
    check(&mut shop, "cancel 1", "cancelled order 1");
    check(&mut shop, "report", "1 2 x chair cancelled\n2 1 x chair open\n1 pieces");
}
