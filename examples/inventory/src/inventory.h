#pragma once

#include <istream>
#include <string>
#include <vector>

struct Item {
  std::string name;
  long quantity = 0;
  long price_cents = 0;
  long minimum = 0;
};

// Reads lines of name,quantity,price,minimum after a header line. An item that was delivered more
// than once has several lines: their quantities are added, the latest price and minimum count.
// False and an error that names the line if one cannot be read.
bool read_items(std::istream& in, std::vector<Item>& items, std::string& error);

// One line per item in the order of the file, then the value of the whole stock.
std::string stock_report(const std::vector<Item>& items);

// CSV lines of name,amount for every item that is below its minimum.
std::string reorder_list(const std::vector<Item>& items);
