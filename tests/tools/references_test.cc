#include <doctest/doctest.h>

#include "tools/language.h"
#include "tools/reference_finder.h"
#include "tools/tool_bench.h"

namespace pedro {
namespace {

std::string references(ToolBench& bench, const std::string& args) {
  return bench.ok("search", R"({"action": "references", )" + args + "}");
}

void put_parsers(ToolBench& bench) {
  bench.put("src/p.h", "struct Parser {\n  int next();\n};\n");
  bench.put("src/p.cc", "// next of a Parser\nint Parser::next() {\n  return 1;  // next\n}\n");
  bench.put("src/use.cc", "int f(Parser& p) {\n  log(\"next\");\n  return p.next();\n}\n");
  bench.put("tests/p_test.cc", "int g(Parser& p) { return p.next() + nextt(); }\n");
  bench.put("README.md", "next: the next number\n");
}

// A finder with a fixed answer.
struct FixedFinder : ReferenceFinder {
  bool knows(const std::string& path) const override { return path.ends_with(".cc"); }
  Result<std::optional<References>> find(const ReferenceQuestion& given,
                                         const CancelToken&) override {
    question = given;
    return answer;
  }
  std::optional<References> answer;
  ReferenceQuestion question;
};

}  // namespace

TEST_CASE("search references: by words, with definitions first and tests after sources") {
  for (const bool has_programs : {true, false}) {
    CAPTURE(has_programs);
    ToolBench bench;
    if (!has_programs) bench.processes.hidden = {"ctags", "rg"};
    put_parsers(bench);
    CHECK(references(bench, R"("name": "Parser::next")") ==
          "Lines with the word 'next' in code; not all may mean the same:\n"
          "Definitions:\nsrc/p.cc:2: int Parser::next() {\n"
          "Uses:\nsrc/p.h:2:   int next();\nsrc/use.cc:3:   return p.next();\n"
          "Uses in tests:\n"
          "tests/p_test.cc:1: int g(Parser& p) { return p.next() + nextt(); }\n"
          "Uses in other files:\nREADME.md:1: next: the next number\n"
          "[... 3 more lines in comments or quoted texts; grep shows them ...]\n");
  }
}

TEST_CASE("search references: limits, missing names and wrong places") {
  ToolBench bench;
  put_parsers(bench);
  std::string many;
  for (int i = 0; i < 150; ++i) many += "many();\n";
  bench.put("src/many.cc", "int many() { return 1; }\n" + many);
  bench.put("tests/many_test.cc", many);
  const std::string cut = references(bench, R"("name": "many")");
  const std::string how = "; give path and line of a definition, or grep a directory ...]\n";
  CHECK(cut.find("\nsrc/many.cc:100: many();\n[... 51 more matches in 1 file" + how +
                 "Uses in tests:\n[... 150 more matches in 1 file" + how) != std::string::npos);
  CHECK(references(bench, R"("name": "absent")") ==
        "'absent' is not in the project; grep finds parts of words");
  const auto refused = [&](const std::string& args) {
    return bench.refused("search", R"({"action": "references", )" + args + "}");
  };
  CHECK(refused(R"("name": "a b")") ==
        "'a b' is not the name of a definition; give one identifier");
  CHECK(refused(R"("name": "next", "line": 3)") == "a line needs the path of its file");
  CHECK(refused(R"("name": "next", "path": "src/p.cc", "line": 4)") ==
        "'next' is not in src/p.cc:4; find_definition lists its definitions");
  CHECK(refused(R"("name": "Parser", "path": "README.md")") ==
        "'Parser' is not in README.md; find_definition lists its definitions");
  CHECK(refused(R"("name": "next", "path": "../x.cc")") ==
        "'../x.cc' is outside the project; paths are relative to its root");
}

TEST_CASE("search references: a finder's places are lines with the name") {
  ToolBench bench;
  put_parsers(bench);
  FixedFinder finder;
  bench.references = &finder;
  finder.answer =
      References{"own",
                 {},
                 {{"src/p.cc", 2}, {"src/use.cc", 3}, {"src/use.cc", 1}, {"/etc/passwd", 1}},
                 {"tests/p_test.cc"}};
  CHECK(references(bench, R"("name": "next")") ==
        "'next', as own understands the code:\n"
        "Definitions:\nsrc/p.cc:2: int Parser::next() {\n"
        "Uses:\nsrc/use.cc:3:   return p.next();\n"
        "Lines with the name, in files that own has not read:\n"
        "Lines in tests:\n"
        "tests/p_test.cc:1: int g(Parser& p) { return p.next() + nextt(); }\n");
  REQUIRE(finder.question.positions.size() == 1);
  const auto& position = finder.question.positions[0];
  CHECK(finder.question.files[position.file].path == "src/p.cc");
  CHECK(position.line == 2);
  CHECK(position.column == 13);
  CHECK_FALSE(finder.question.needs_definitions);
  CHECK(finder.question.files.size() == 3);

  CHECK(references(bench, R"("name": "next", "path": "src/use.cc", "line": 3)")
            .starts_with("'next', as own"));
  CHECK(finder.question.needs_definitions);
}

TEST_CASE("search references: words answer if the finder knows nothing") {
  ToolBench bench;
  put_parsers(bench);
  FixedFinder finder;
  bench.references = &finder;
  const std::string by_words = references(bench, R"("name": "next")");
  CHECK(by_words.starts_with("Lines with the word 'next' in code"));
  finder.answer = References{"own", {}, {{"src/p.cc", 4}, {"src/none.cc", 1}}, {}};
  CHECK(references(bench, R"("name": "next")") == by_words);
}

TEST_CASE("code words: comments and quoted texts are no code") {
  struct Row {
    Language language;
    const char* line;
    bool expected;
  };
  const Row rows[] = {
      {Language::kCpp, "x = name;", true},
      {Language::kCpp, "x = names + a_name + name2;", false},
      {Language::kCpp, "// name", false},
      {Language::kCpp, " * name of it", false},
      {Language::kCpp, "*name = 1;", true},
      {Language::kCpp, "f(/* name */ 1);", false},
      {Language::kCpp, "f(/* x */ name);", true},
      {Language::kCpp, "/* name", false},
      {Language::kCpp, "f(\"name\");", false},
      {Language::kCpp, "f(\"a \\\" name\");", false},
      {Language::kCpp, "f(\"a\", name);", true},
      {Language::kCpp, "f('\"', name);", true},
      {Language::kCpp, "x = 1'000 + name;", true},
      {Language::kCpp, "f(\"open name", false},
      {Language::kCpp, "f(\"open \\", false},
      {Language::kRust, "fn f<'a>(x: &'a name) {}", true},
      {Language::kPython, "x = 1  # name", false},
      {Language::kPython, "print('name')", false},
      {Language::kPython, "print(f'{name}')", true},
      {Language::kPython, "x = y // name", true},
      {Language::kUnknown, "# name", true},
      {Language::kGo, "", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line);
    CHECK(is_in_code(row.language, row.line, "name") == row.expected);
  }
}

}  // namespace pedro
