#include "tools/command_bench.h"

using namespace pedro;

TEST_CASE("context: a note is recalled, whole or in part") {
  CommandBench bench(make_context_tool());
  CHECK(bench.run("note", R"({"name": "plan", "text": "one\ntwo\nthree\n"})").text ==
        "noted: plan");
  struct Row {
    const char* name;
    const char* args;
    bool ok;
    const char* text;
  };
  const Row rows[] = {
      {"all of it", R"({"id": "plan"})", true, "plan (lines 1-3 of 3)\none\ntwo\nthree\n"},
      {"a range", R"({"id": "plan", "start_line": 2, "end_line": 2})", true,
       "plan (lines 2-2 of 3)\ntwo\n"},
      {"an end behind the last line", R"({"id": "plan", "start_line": 3, "end_line": 99})", true,
       "plan (lines 3-3 of 3)\nthree\n"},
      {"a start behind it", R"({"id": "plan", "start_line": 4})", false, "plan has lines 1-3"},
      {"a range backwards", R"({"id": "plan", "start_line": 3, "end_line": 2})", false,
       "plan has lines 1-3"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const ToolResult result = bench.run("recall", row.args);
    CHECK(result.ok == row.ok);
    CHECK(result.text == row.text);
  }
}

TEST_CASE("context: a long output is recalled piece by piece, until its end") {
  CommandBench bench(make_context_tool());
  std::string output;
  for (int i = 1; i <= 3000; ++i) output += "line " + std::to_string(i) + "\n";
  const auto id = bench.notes.spill(output);
  REQUIRE(id.ok());
  std::string seen;
  for (std::size_t line = 1; line <= 3000;) {
    const std::string args =
        R"({"id": ")" + *id + R"(", "start_line": )" + std::to_string(line) + "}";
    const std::string text = bench.run("recall", args).text;
    CHECK(text.size() < 8400);
    for (const std::string_view piece : split_lines(text)) {
      if (!piece.starts_with("line ")) continue;
      seen.append(piece) += '\n';
      ++line;
    }
  }
  CHECK(seen == output);
}

TEST_CASE("context: a line that is longer than an answer is cut, and says so") {
  CommandBench bench(make_context_tool());
  const auto id = bench.notes.spill(std::string(10000, 'x') + "\nend\n");
  REQUIRE(id.ok());
  const std::string text = bench.run("recall", R"({"id": "out-1"})").text;
  CHECK(text == "out-1 (lines 1-1 of 2)\n" + std::string(8192, 'x') +
                    " [... 1808 bytes left out ...]\n[... read on with start_line 2 ...]\n");
}

TEST_CASE("context: an unknown id is refused") {
  CommandBench bench(make_context_tool());
  CHECK_FALSE(bench.run("recall", R"({"id": "out-9"})").ok);
}
