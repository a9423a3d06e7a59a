#include "agent/shown_files.h"

#include <doctest/doctest.h>

using namespace pedro;

namespace {

long long count_bytes(std::string_view text) {
  return static_cast<long long>(text.size());
}

std::string functions(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += "def f" + std::to_string(i) + "():\n    return " + std::to_string(i) + "\n\n";
  }
  return text;
}

const TaskClues kClues = {"`f7()` in a.py is wrong", ""};

}  // namespace

TEST_CASE("shown_files: a named file is shown whole, with its test") {
  const std::vector<TaskFile> files = {{"a.py", "def f7():\n    return 1\n", false, 60},
                                       {"test_a.py", "import a\n", true, 30},
                                       {"test_b.py", "import b\n", true, 1},
                                       {"b.py", std::string(7000, 'x') + "\n", false, 1}};
  const ShownFiles shown = show_files(files, kClues, 100'000, count_bytes);
  CHECK(shown.is_complete);
  CHECK(shown.whole == std::vector<std::string>{"a.py", "test_a.py"});
  CHECK(shown.text.find("1\tdef f7():\n2\t    return 1\n") != std::string::npos);
  CHECK(shown.text.find("import b") == std::string::npos);
}

TEST_CASE("shown_files: of a long file the named function is shown and the heads of the others") {
  const std::vector<TaskFile> files = {{"a.py", functions(100), false, 60}};
  const ShownFiles shown = show_files(files, kClues, 2600, count_bytes);
  CHECK_FALSE(shown.is_complete);
  CHECK(shown.whole.empty());
  CHECK(shown.text.find("19\tdef f7():\n20\t    return 7\n") != std::string::npos);
  CHECK(shown.text.find("\tdef f50():\n") != std::string::npos);
  CHECK(shown.text.find("return 50") == std::string::npos);
  CHECK(shown.text.size() <= 2600);
}

TEST_CASE("shown_files: incomplete if no file is found or nothing points to the files") {
  CHECK_FALSE(show_files({{"a.py", "x\n", false, 4}}, kClues, 1000, count_bytes).is_complete);
  CHECK_FALSE(show_files({}, kClues, 1000, count_bytes).is_complete);
  CHECK(show_files({}, kClues, 1000, count_bytes).text.empty());
  const std::vector<TaskFile> many(kMaxTaskFiles, {"a.py", "x\n", false, 60});
  CHECK_FALSE(show_files(many, kClues, 100'000, count_bytes).is_complete);
}
