use tiles::{Product, Quote};

#[test]
fn every_number_of_tiles() {
    for tiles_per_box in 1..=12 {
        let product = Product { tiles_per_box, box_price: 100 };
        for tiles in 0..=150 {
            let mut expected = 0;
            while expected * tiles_per_box < tiles {
                expected += 1;
            }
            let boxes = product.boxes(tiles);
            assert_eq!(boxes, expected, "{tiles} tiles in boxes of {tiles_per_box}");
        }
    }
}

#[test]
fn quotes() {
    let product = Product { tiles_per_box: 12, box_price: 2450 };
    assert_eq!(product.quote(3, 4), Quote { boxes: 1, spare_tiles: 0, price: 2450 });
    assert_eq!(product.quote(5, 5), Quote { boxes: 3, spare_tiles: 11, price: 7350 });
    assert_eq!(product.quote(1, 1), Quote { boxes: 1, spare_tiles: 11, price: 2450 });
    assert_eq!(product.quote(0, 9), Quote { boxes: 0, spare_tiles: 0, price: 0 });
}
