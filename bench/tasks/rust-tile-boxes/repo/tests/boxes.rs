use tiles::{format_amount, Product, Quote};

fn check(tiles: u32, expected: u32) {
    let product = Product { tiles_per_box: 10, box_price: 1995 };
    let boxes = product.boxes(tiles);
    assert_eq!(boxes, expected, "boxes({tiles}) is {boxes}, expected {expected}");
}

#[test]
fn full_boxes() {
    check(0, 0);
    check(10, 1);
    check(20, 2);
}

#[test]
fn the_last_box_is_not_used_up() {
    check(25, 3);
    check(7, 1);
}

#[test]
fn quote_for_a_floor() {
    let product = Product { tiles_per_box: 10, box_price: 1995 };
    assert_eq!(product.quote(4, 8), Quote { boxes: 4, spare_tiles: 8, price: 7980 }, "quote(4, 8)");
}

#[test]
fn amounts_have_two_decimals() {
    assert_eq!(format_amount(1205), "12.05");
}
