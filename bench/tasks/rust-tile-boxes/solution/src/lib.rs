//! Calculates how many boxes of tiles a customer needs.

#[derive(Debug, Clone)]
pub struct Product {
    pub tiles_per_box: u32,
    /// The price of one box in cents.
    pub box_price: u32,
}

#[derive(Debug, PartialEq)]
pub struct Quote {
    pub boxes: u32,
    /// The tiles that will be left over.
    pub spare_tiles: u32,
    pub price: u32,
}

impl Product {
    /// The number of boxes for a number of tiles.
    pub fn boxes(&self, tiles: u32) -> u32 {
        (tiles + self.tiles_per_box - 1) / self.tiles_per_box
    }

    /// The offer for a floor of `rows` rows with `columns` tiles each.
    pub fn quote(&self, rows: u32, columns: u32) -> Quote {
        let tiles = rows * columns;
        let boxes = self.boxes(tiles);
        Quote {
            boxes,
            spare_tiles: (boxes * self.tiles_per_box).saturating_sub(tiles),
            price: boxes * self.box_price,
        }
    }
}

/// Formats an amount for the offer: 1250 is "12.50".
pub fn format_amount(cents: u32) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
