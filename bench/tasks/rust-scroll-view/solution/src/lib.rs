//! The scrolling state of a list in a terminal window. Rows are counted from 0.

use std::ops::Range;

#[derive(Debug, Clone)]
pub struct ListView {
    rows: usize,
    height: usize,
    selected: usize,
    top: usize,
}

impl ListView {
    /// A list of `rows` rows in a window of `height` lines. The height is at least 1.
    pub fn new(rows: usize, height: usize) -> Self {
        ListView { rows, height: height.max(1), selected: 0, top: 0 }
    }

    pub fn selected(&self) -> usize {
        self.selected
    }

    /// The rows on the screen.
    pub fn visible(&self) -> Range<usize> {
        self.top..(self.top + self.height).min(self.rows)
    }

    pub fn down(&mut self) {
        self.select(self.selected + 1);
    }

    pub fn up(&mut self) {
        self.select(self.selected.saturating_sub(1));
    }

    /// Selects a row, or the last one if there is no such row, and scrolls as little as possible to show it.
    pub fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.saturating_sub(1));
        if self.selected < self.top {
            self.top = self.selected;
        } else if self.selected >= self.top + self.height {
            self.top = self.selected + 1 - self.height;
        }
    }
}
