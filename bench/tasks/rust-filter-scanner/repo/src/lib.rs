//! Filter expressions for lists of products.

pub mod scanner;
