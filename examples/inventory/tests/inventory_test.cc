#include "inventory.h"

#include <cstdio>
#include <sstream>

#include "money.h"

namespace {

int failures = 0;

#define EXPECT_EQ(actual, expected) expect_eq(actual, expected, __FILE__, __LINE__)

void expect_eq(const std::string& actual, const std::string& expected, const char* file, int line) {
  if (actual == expected) return;
  ++failures;
  std::printf("%s:%d: expected:\n%s\n%s:%d: got:\n%s\n", file, line, expected.c_str(), file, line,
              actual.c_str());
}

std::vector<Item> items_of(const std::string& rows) {
  std::istringstream in("name,quantity,price,minimum\n" + rows);
  std::vector<Item> items;
  std::string error;
  EXPECT_EQ(read_items(in, items, error) ? "" : error, "");
  return items;
}

void money_is_read_and_written_in_cents() {
  EXPECT_EQ(format_cents(parse_cents("12.5")), "12.50");
  EXPECT_EQ(format_cents(parse_cents("3")), "3.00");
  EXPECT_EQ(format_cents(parse_cents("0.04")), "0.04");
  EXPECT_EQ(std::to_string(parse_cents("1.234")), "-1");
}

void a_comma_in_quotes_belongs_to_the_name() {
  EXPECT_EQ(stock_report(items_of("\"Screws, 4x40\",900,0.04,500\n")),
            "Screws, 4x40            900      0.04\ntotal 36.00\n");
  EXPECT_EQ(reorder_list(items_of("\"Screws, 4x40\",100,0.04,500\n")), "\"Screws, 4x40\",400\n");
}

void deliveries_of_one_item_are_added() {
  EXPECT_EQ(stock_report(items_of("Hammer,12,14.90,5\n Hammer ,4,15.20,5\n")),
            "Hammer                   16     15.20\ntotal 243.20\n");
}

void sizes_in_inches_are_items_of_their_own() {
  std::vector<Item> items = items_of("Clamp 2,40,1.50,10\n\"Clamp 2\"\"\",6,4.25,12\n");
  EXPECT_EQ(stock_report(items),
            "Clamp 2                  40      1.50\n"
            "Clamp 2\"                  6      4.25\n"
            "total 85.50\n");
  EXPECT_EQ(reorder_list(items), "\"Clamp 2\"\"\",6\n");
}

void a_bad_line_is_named() {
  std::istringstream in("name,quantity,price,minimum\nHammer,12,14.90,5\nHammer,twelve,14.90,5\n");
  std::vector<Item> items;
  std::string error;
  EXPECT_EQ(read_items(in, items, error) ? "read" : error,
            "line 3: expected name,quantity,price,minimum");
}

void run(const char* name, void (*test)()) {
  int before = failures;
  test();
  std::printf("%s %s\n", failures == before ? "ok    " : "FAILED", name);
}

}  // namespace

int main() {
  run("money is read and written in cents", money_is_read_and_written_in_cents);
  run("a comma in quotes belongs to the name", a_comma_in_quotes_belongs_to_the_name);
  run("deliveries of one item are added", deliveries_of_one_item_are_added);
  run("sizes in inches are items of their own", sizes_in_inches_are_items_of_their_own);
  run("a bad line is named", a_bad_line_is_named);
  return failures == 0 ? 0 : 1;
}
