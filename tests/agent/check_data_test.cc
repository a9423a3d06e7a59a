#include "agent/check_data.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace pedro;

TEST_CASE("check data: how exactly a text names a file") {
  struct Row {
    const char* text;
    const char* path;
    bool are_commands;
    Naming naming;
  };
  for (const Row& row : {
           Row{"diff - cases/1.want", "cases/1.want", true, Naming::kName},
           Row{"for f in cases/*.in; do", "cases/1.want", true, Naming::kFolder},
           Row{"cd cases", "cases/1.want", true, Naming::kFolder},
           Row{"diff - ${f%.in}.want", "cases/1.want", true, Naming::kEnding},
           Row{"Path('samples').iterdir()", "samples/a.count", false, Naming::kFolder},
           Row{"join(HERE, 'data', '*.json')", "data/a.json", false, Naming::kFolder},
           Row{"open(f'data/{name}.json')", "data/b/a.json", false, Naming::kFolder},
           Row{"f.suffix == '.count'", "samples/a.count", false, Naming::kEnding},
           Row{"data = read()", "data/a.txt", false, Naming::kNone},
           Row{"reply['data']", "data/a.txt", false, Naming::kNone},
           Row{"{'data': 1}", "data/a.txt", false, Naming::kNone},
           Row{"import json", "data/a.json", false, Naming::kNone},
           Row{"open('src/a.py')", "src/b.txt", false, Naming::kNone},
           Row{"x.wanted", "a.want", false, Naming::kNone},
       }) {
    CAPTURE(row.text);
    CHECK(naming_of(row.text, row.path, row.are_commands) == row.naming);
  }
}

TEST_CASE("check data: edits that the task states") {
  const char* const cities = "Oslo,600000\nRome,2800000\n";
  const char* const task = "The population of Oslo must be 700000.";
  CHECK(is_stated_edit(cities, "Oslo,700000\nRome,2800000\n", task));
  CHECK_FALSE(is_stated_edit(cities, "Oslo,600000\nRome,700000\n", task));
  CHECK_FALSE(is_stated_edit(cities, "Oslo,700000\n", task));
  CHECK_FALSE(is_stated_edit(cities, "Oslo,650000\nRome,2800000\n", task));
  CHECK_FALSE(is_stated_edit(cities, cities, task));
  CHECK_FALSE(is_stated_edit("6\n", "1\n", "3 * 2 gives 1 instead of 6"));
}

TEST_CASE("check data: input of the product and expected outputs") {
  const auto names_product = [](std::string_view text) { return has_whole_words(text, "app"); };
  CHECK(only_feeds_program("python3 app.py a.csv | grep -q x", "a.csv", names_product));
  CHECK_FALSE(only_feeds_program("python3 app.py | diff - a.csv", "a.csv", names_product));
  CHECK_FALSE(only_feeds_program("true", "a.csv", names_product));
}

TEST_CASE("check data: files that a check searches") {
  CHECK(searches("if grep -rn 'eval(' src; then exit 1; fi", "src/app.py"));
  CHECK(searches("ruff check .", "vendor/app.py"));
  CHECK(searches("! grep -n eval src/*.py", "src/app.py"));
  CHECK_FALSE(searches("grep -rn 'eval(' src", "vendor/app.py"));
  CHECK_FALSE(searches("! grep -n eval *.py", "vendor/app.py"));
  CHECK_FALSE(searches("grep -q run src/app.py", "src/app.py"));
  CHECK_FALSE(searches("cp src/app.py out", "src/app.py"));
  const char* const old = "import os\ndef run(text):\n    return eval(text)\n";
  CHECK(moves_code(old, "from core import run\n", "def go(text):\n    return eval(text)\n"));
  CHECK_FALSE(moves_code(old, old, "    return eval(text)\n"));
  CHECK_FALSE(moves_code(old, "", "def run2(text):\n    return int(text)\n"));
}
