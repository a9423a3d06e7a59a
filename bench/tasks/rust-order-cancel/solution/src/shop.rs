//! The stock and the orders of a shop.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Status {
    Open,
    Shipped,
    Cancelled,
}

impl Status {
    /// The word for answers and reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Shipped => "shipped",
            Status::Cancelled => "cancelled",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Order {
    pub number: usize,
    pub article: String,
    pub quantity: u32,
    pub status: Status,
}

#[derive(Default)]
pub struct Shop {
    stock: BTreeMap<String, u32>,
    orders: Vec<Order>,
}

impl Shop {
    pub fn add_stock(&mut self, article: &str, quantity: u32) {
        *self.stock.entry(article.to_string()).or_insert(0) += quantity;
    }

    pub fn stock(&self, article: &str) -> u32 {
        self.stock.get(article).copied().unwrap_or(0)
    }

    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// Takes the pieces from the stock and opens an order. Returns its number; the first one is 1.
    pub fn order(&mut self, article: &str, quantity: u32) -> Result<usize, String> {
        let available = self.stock(article);
        if quantity == 0 || quantity > available {
            return Err(format!("{available} x {article} in stock"));
        }
        self.stock.insert(article.to_string(), available - quantity);
        let number = self.orders.len() + 1;
        self.orders.push(Order { number, article: article.to_string(), quantity, status: Status::Open });
        Ok(number)
    }

    pub fn ship(&mut self, number: usize) -> Result<(), String> {
        self.open_order(number)?.status = Status::Shipped;
        Ok(())
    }

    /// Cancels an open order and puts the pieces back in stock.
    pub fn cancel(&mut self, number: usize) -> Result<(), String> {
        let order = self.open_order(number)?;
        order.status = Status::Cancelled;
        let (article, quantity) = (order.article.clone(), order.quantity);
        self.add_stock(&article, quantity);
        Ok(())
    }

    fn open_order(&mut self, number: usize) -> Result<&mut Order, String> {
        let order = self
            .orders
            .iter_mut()
            .find(|order| order.number == number)
            .ok_or(format!("no order {number}"))?;
        if order.status != Status::Open {
            return Err(format!("order {number} is {}", order.status.word()));
        }
        Ok(order)
    }
}
