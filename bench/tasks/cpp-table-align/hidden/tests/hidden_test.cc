#include <stdexcept>

#include "check.h"
#include "table.h"

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
           "  no|  x  |t  \n"
           "----+-----+---\n"
           "   7| ab  |abc\n"
           "1234|abcde|a  \n"
           "    |     |   \n",
           render("no:>4 x:^5 t:<3", {{"7", "ab", "abcdef"}, {"12345", "abcdefg", "a"}, {}}));
  CHECK_EQ("\n"
           "a    |     b\n"
           "-----+------\n"
           "1    |     2\n",
           render("a:5 b:>6", {{"1", "2", "3"}}));
  CHECK_EQ("\n"
           " x  \n"
           "----\n"
           "abc \n"
           " ab \n"
           "abcd\n",
           render("x:^4", {{"abc"}, {"ab"}, {"abcd"}}));
  CHECK_EQ("\n"
           "           x\n"
           "------------\n",
           render("x:>12", {}));
  CHECK_EQ("bad column 'price:>'", render("price:>", {}));
  CHECK_EQ("bad column 'price:^0'", render("a:1 price:^0", {}));
  CHECK_EQ("bad column 'price:=5'", render("price:=5", {}));
  CHECK_EQ("bad column 'price:>>5'", render("price:>>5", {}));
  CHECK_EQ("bad column 'price:5>'", render("price:5>", {}));
  CHECK_EQ("bad column ':>5'", render(":>5", {}));
  CHECK_EQ("bad column 'price:'", render("price:", {}));
  return check_result();
}
