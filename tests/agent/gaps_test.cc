#include "agent/gaps.h"

#include <doctest/doctest.h>

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

std::vector<std::size_t> lines_of(const std::vector<Gap>& gaps) {
  std::vector<std::size_t> lines;
  for (const Gap& gap : gaps) lines.push_back(gap.line);
  return lines;
}

}  // namespace

TEST_CASE("gaps: lines that the clues name come first; comments and imports are left out") {
  using Lines = std::vector<std::size_t>;
  CHECK(lines_of(line_gaps(kFile, {}, 9)) == Lines{4, 6, 7, 9, 11, 12, 13});
  CHECK(lines_of(line_gaps(kFile, {"`share` fails", ""}, 9)) == Lines{9, 11, 12, 13, 4, 6, 7});
  CHECK(lines_of(line_gaps(kFile, {"", "price.py:7: wrong"}, 3)) == Lines{7, 4, 6});
  CHECK(lines_of(line_gaps(kFile, {"", "File \"price.py\", line 1, in x"}, 1)) == Lines{4});
  CHECK(line_gaps({"empty.py", ""}, {}, 9).empty());
}

TEST_CASE("gaps: a gap has the text on both sides, and can be filled") {
  const std::vector<Gap> gaps = line_gaps(kFile, {"", "price.py:12"}, 1);
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].before.ends_with("    if m == 0:\n        "));
  CHECK(gaps[0].before.starts_with("import math\n"));
  CHECK(gaps[0].after == "\n    return n / m");
  CHECK(whole_lines(kFile.text, gaps[0]) == "        return 0");
  const std::string filled = fill_gap(kFile.text, gaps[0], "return 1 \n\n");
  CHECK(filled.ends_with("    if m == 0:\n        return 1\n    return n / m"));
  const std::string edited = with_lines(kFile.text, gaps[0], "        x = 1\n        return x");
  CHECK(edited.ends_with("    if m == 0:\n        x = 1\n        return x\n    return n / m"));
}

TEST_CASE("gaps: the first line of a file can be left out") {
  const TaskFile file = {"a.py", "x = 1\ny = 2\n"};
  const std::vector<Gap> gaps = line_gaps(file, {}, 1);
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].before.empty());
  CHECK(with_lines(file.text, gaps[0], "x = 3") == "x = 3\ny = 2\n");
}

TEST_CASE("gaps: functions come whole, first those that the clues name") {
  const std::vector<Gap> gaps = function_gaps(kFile, {"share", ""}, 9);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].line == 9);
  CHECK(whole_lines(kFile.text, gaps[1]) == "def total(n):\n    return n * RATE");
}
