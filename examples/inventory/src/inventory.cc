#include "inventory.h"

#include <algorithm>
#include <cstdio>

#include "csv.h"
#include "money.h"

namespace {

// -1 if the text is not a number of things.
long parse_count(const std::string& text) {
  bool digits = !text.empty() && text.size() < 10 &&
                std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::stol(text) : -1;
}

// Spreadsheets leave spaces around names.
std::string trimmed(const std::string& text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

void add_delivery(std::vector<Item>& items, const Item& delivery) {
  for (Item& item : items) {
    if (item.name == delivery.name) {
      item.quantity += delivery.quantity;
      item.price_cents = delivery.price_cents;
      item.minimum = delivery.minimum;
      return;
    }
  }
  items.push_back(delivery);
}

}  // namespace

bool read_items(std::istream& in, std::vector<Item>& items, std::string& error) {
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 || trimmed(line).empty()) continue;
    std::vector<std::string> fields = split_fields(line);
    for (std::string& field : fields) field = trimmed(field);
    std::string place = "line " + std::to_string(number) + ": ";
    if (fields.size() != 4) {
      error = place + "expected 4 fields, got " + std::to_string(fields.size());
      return false;
    }
    Item item{fields[0], parse_count(fields[1]), parse_cents(fields[2]), parse_count(fields[3])};
    if (item.name.empty() || item.quantity < 0 || item.price_cents < 0 || item.minimum < 0) {
      error = place + "expected name,quantity,price,minimum";
      return false;
    }
    add_delivery(items, item);
  }
  return true;
}

std::string stock_report(const std::vector<Item>& items) {
  std::string report;
  long total_cents = 0;
  for (const Item& item : items) {
    char row[128];
    std::snprintf(row, sizeof row, "%-20s %6ld %9s\n", item.name.c_str(), item.quantity,
                  format_cents(item.price_cents).c_str());
    report += row;
    total_cents += item.quantity * item.price_cents;
  }
  return report + "total " + format_cents(total_cents) + "\n";
}

std::string reorder_list(const std::vector<Item>& items) {
  std::string list;
  for (const Item& item : items) {
    if (item.quantity >= item.minimum) continue;
    list += join_fields({item.name, std::to_string(item.minimum - item.quantity)}) + "\n";
  }
  return list;
}
