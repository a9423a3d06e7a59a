pub mod commands;
pub mod report;
pub mod shop;
