#include "table.h"

#include <stdexcept>

#include "check.h"

static std::string render(const std::string& spec,
                          const std::vector<std::vector<std::string>>& rows) {
  try {
    return "\n" + render_table(spec, rows);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

int main() {
  CHECK_EQ("\n"
           "name  |no\n"
           "------+--\n"
           "pear  |1 \n",
           render("name:6 no:2", {{"pear", "1"}}));
  CHECK_EQ("bad column 'name'", render("name", {}));
  CHECK_EQ("\n"
           "name  |price\n"
           "------+-----\n"
           "apple |   50\n"
           "cherry|  120\n",
           render("name:<6 price:>5", {{"apple", "50"}, {"cherry", "120"}}));
  CHECK_EQ("\n"
           "a |note \n"
           "--+-----\n"
           "1 | new \n",
           render("a:2 note:^5", {{"1", "new"}}));
  return check_result();
}
