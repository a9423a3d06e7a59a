#include "agent/suspects.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pedro;

namespace {

const TaskFile kFile = {"src/price.py",
                        "import math\n"
                        "\n"
                        "# Prices.\n"
                        "RATE = 2\n"
                        "\n"
                        "def total(n):\n"
                        "    return n * RATE\n"
                        "\n"
                        "def share(n, m):\n"
                        "    \"\"\"A part.\"\"\"\n"
                        "    if m == 0:\n"
                        "        return 0\n"
                        "    return n / m"};

std::string text_of(const Suspect& suspect) {
  return kFile.text.substr(suspect.begin, suspect.end - suspect.begin);
}

// The number of each suspect's first line, from 1.
std::vector<std::ptrdiff_t> lines_of(const std::vector<Suspect>& suspects) {
  std::vector<std::ptrdiff_t> lines;
  for (const Suspect& suspect : suspects) {
    const auto begin = kFile.text.begin();
    lines.push_back(1 +
                    std::count(begin, begin + static_cast<std::ptrdiff_t>(suspect.begin), '\n'));
  }
  return lines;
}

}  // namespace

TEST_CASE("suspects: lines that the clues name come first; comments and imports are left out") {
  using Lines = std::vector<std::ptrdiff_t>;
  CHECK(lines_of(suspect_lines(kFile, {}, 9)) == Lines{4, 6, 7, 9, 11, 12, 13});
  CHECK(lines_of(suspect_lines(kFile, {"`share` fails", ""}, 9)) == Lines{9, 11, 12, 13, 4, 6, 7});
  CHECK(lines_of(suspect_lines(kFile, {"", "price.py:7: wrong"}, 3)) == Lines{7, 4, 6});
  CHECK(lines_of(suspect_lines(kFile, {"", "File \"price.py\", line 1, in x"}, 1)) == Lines{4});
  CHECK(suspect_lines({"empty.py", ""}, {}, 9).empty());
}

TEST_CASE("suspects: a line is named by its whole number and the whole name of its file") {
  for (const char* output : {"price.py:70\nprice.py:7", "old_price.py:7\n src/price.py:7: wrong",
                             "\"price.py\", line 70\n\"src/price.py\", line 7"}) {
    CAPTURE(output);
    CHECK(lines_of(suspect_lines(kFile, {"", output}, 1)) == std::vector<std::ptrdiff_t>{7});
  }
  for (const char* output : {"old_price.py:7", "old-price.py:7", "old.price.py:7", "price.py:70",
                             "\"old_price.py\", line 7"}) {
    CAPTURE(output);
    CHECK(lines_of(suspect_lines(kFile, {"", output}, 1)) == std::vector<std::ptrdiff_t>{4});
  }
}

TEST_CASE("suspects: a line is whole, without its end") {
  CHECK(text_of(suspect_lines(kFile, {"", "price.py:12"}, 1).at(0)) == "        return 0");
  CHECK(text_of(suspect_lines(kFile, {"", "price.py:13"}, 1).at(0)) == "    return n / m");
  const std::vector<Suspect> first = suspect_lines({"a.py", "x = 1\ny = 2\n"}, {}, 1);
  REQUIRE(first.size() == 1);
  CHECK(first[0].begin == 0);
  CHECK(first[0].end == 5);
}

TEST_CASE("suspects: functions are whole; those that the clues name come first") {
  const std::vector<Suspect> suspects = suspect_functions(kFile, {"share", ""}, 9);
  CHECK(lines_of(suspects) == std::vector<std::ptrdiff_t>{9, 6});
  CHECK(suspect_lines(kFile, {"", "price.py:9:"}, 2).at(0).is_head);
  CHECK(!suspect_lines(kFile, {"", "price.py:9:"}, 2).at(1).is_head);
  CHECK(text_of(suspects.at(1)) == "def total(n):\n    return n * RATE");
}

TEST_CASE("suspects: a function that the clues name and whose body is missing is a stub") {
  struct Row {
    const char* path;
    const char* text;
    bool is_stub;
  };
  for (const Row& row : std::vector<Row>{
           {"a.py", "def share(n):\n    raise NotImplementedError\n", true},
           {"a.py", "def share(n):\n    \"\"\"A part.\"\"\"\n    pass\n", true},
           {"a.py", "def share(n):\n    ...\n", true},
           {"a.py", "def share(n):\n    # TODO: write it\n    return 0\n", true},
           {"a.py", "def share(n):\n    return 0  # not implemented yet\n", true},
           {"a.rs", "fn share(n: u32) -> u32 {\n    todo!()\n}\n", true},
           {"a.go", "func share(n int) int {\n\tpanic(\"not implemented\")\n}\n", true},
           {"a.js", "function share(n) {\n  throw new Error('Not implemented');\n}\n", true},
           {"a.c", "int share(int n) {\n  (void)n; /* TODO */\n  return 0;\n}\n", true},
           // Words of other meanings, and bodies that exist.
           {"a.py", "def share(todo):\n    return todo.stub\n", false},
           {"a.py", "def share(todos):\n    stub = todos[0]\n    return stub.todo\n", false},
           {"a.py", "def share(n):\n    return n / 2\n", false},
           {"a.py",
            "def share(n):\n    # TODO: cache it\n    a = n * 2\n    b = a + 1\n    return b\n",
            false},
           {"a.py", "def other(n):\n    raise NotImplementedError\n", false},
       }) {
    CAPTURE(row.text);
    const TaskFile file = {row.path, row.text};
    const std::vector<Suspect> suspects = suspect_functions(file, {"Implement share", ""}, 9);
    REQUIRE(suspects.size() == 1);
    CHECK(suspects[0].is_stub == row.is_stub);
  }
}
