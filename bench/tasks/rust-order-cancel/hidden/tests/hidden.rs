use shop::commands::execute;
use shop::shop::Shop;

fn store() -> Shop {
    let mut shop = Shop::default();
    shop.add_stock("chair", 5);
    shop.add_stock("table", 2);
    shop
}

fn check(shop: &mut Shop, line: &str, expected: &str) {
    assert_eq!(execute(shop, line), expected, "answer to '{line}'");
}

#[test]
fn cancelling_twice() {
    let mut shop = store();
    check(&mut shop, "order chair 2", "order 1: 2 x chair");
    check(&mut shop, "cancel 1", "cancelled order 1");
    check(&mut shop, "cancel 1", "error: order 1 is cancelled");
    assert_eq!(shop.stock("chair"), 5);
}

#[test]
fn shipped_orders_cannot_be_cancelled() {
    let mut shop = store();
    check(&mut shop, "order table 2", "order 1: 2 x table");
    check(&mut shop, "ship 1", "shipped order 1");
    check(&mut shop, "cancel 1", "error: order 1 is shipped");
    assert_eq!(shop.stock("table"), 0);
    check(&mut shop, "report", "1 2 x table shipped\n2 pieces");
}

#[test]
fn cancelled_orders_cannot_be_shipped() {
    let mut shop = store();
    check(&mut shop, "order table 1", "order 1: 1 x table");
    check(&mut shop, "cancel 1", "cancelled order 1");
    check(&mut shop, "ship 1", "error: order 1 is cancelled");
}

#[test]
fn unknown_orders() {
    let mut shop = store();
    check(&mut shop, "cancel 9", "error: no order 9");
    check(&mut shop, "cancel 0", "error: no order 0");
    check(&mut shop, "cancel x", "error: not a number: 'x'");
    check(&mut shop, "cancel", "error: unknown command 'cancel'");
}

#[test]
fn several_orders() {
    let mut shop = store();
    check(&mut shop, "order chair 3", "order 1: 3 x chair");
    check(&mut shop, "order table 2", "order 2: 2 x table");
    check(&mut shop, "order chair 2", "order 3: 2 x chair");
    check(&mut shop, "cancel 2", "cancelled order 2");
    assert_eq!((shop.stock("chair"), shop.stock("table")), (0, 2));
    check(&mut shop, "order table 1", "order 4: 1 x table");
    check(&mut shop, "ship 1", "shipped order 1");
    check(
        &mut shop,
        "report",
        "1 3 x chair shipped\n2 2 x table cancelled\n3 2 x chair open\n4 1 x table open\n6 pieces",
    );
}
