#include "regular/literal_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "gbnf/match.h"

using namespace pedro;

namespace {

// Converts the graph to a grammar.
Gbnf grammar_of(const LiteralGraph& graph, TextEncoding form) {
  GrammarBuilder grammar;
  Expr texts = add_literal_graph(grammar, graph, form, "text");
  return grammar.finish(std::move(texts));
}

// Returns true if the graph contains the text. Checks that its grammars for JSON and plain text
// agree.
bool is_in(const LiteralGraph& graph, const std::string& text) {
  const bool in_graph = contains(graph, text);
  CHECK(*matches(grammar_of(graph, TextEncoding::kJsonString), to_line(Json(text))) == in_graph);
  CHECK(*matches(grammar_of(graph, TextEncoding::kPlain), text) == in_graph);
  return in_graph;
}

}  // namespace

TEST_CASE("literal_trie: the texts and nothing else") {
  const std::vector<std::string> texts = {
      "a", "a/b", "a/b.c", "a/bc", "a\"b\\c", "src/main.cc", "src/main.h", "\xC3\xA4", "\xC3\xA5"};
  std::vector<std::string> sorted = texts;
  std::sort(sorted.begin(), sorted.end());
  const LiteralGraph graph = literal_trie(sorted);
  for (const std::string& text : texts) CHECK_MESSAGE(is_in(graph, text), text);
  for (const char* other :
       {"", "a/", "b", "a/b.", "a/b.cc", "src", "src/main", "src/main.cch", "\xC3\xA6"}) {
    CHECK_MESSAGE(!is_in(graph, other), other);
  }
}

TEST_CASE("literal_trie: no texts match nothing") {
  CHECK(!contains(literal_trie({}), ""));
  CHECK(!contains(literal_trie({}), "a"));
}

TEST_CASE("literal_trie: random small sets match a sorted list") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::set<std::string> set;
    const std::size_t count = random() % 12;
    const auto make = [&] {
      std::string text;
      for (std::size_t i = 1 + random() % 4; i > 0; --i) text += "ab/"[random() % 3];
      return text;
    };
    while (set.size() < count) set.insert(make());
    const LiteralGraph graph = literal_trie(std::vector<std::string>(set.begin(), set.end()));
    const Gbnf grammar = grammar_of(graph, TextEncoding::kPlain);
    for (int i = 0; i < 60; ++i) {
      const std::string text = make();
      CHECK(contains(graph, text) == set.contains(text));
      if (!set.empty()) CHECK(*matches(grammar, text) == set.contains(text));
    }
  }
}

TEST_CASE("names_in: a new name in a folder, or in one new folder there") {
  const LiteralGraph graph = names_in(std::vector<std::string>{".", "src", "src/net"});
  for (const char* name : {"a.py", "src/a.py", "src/net/a.py", "new/a.py", "src/net/x/a.py"}) {
    CHECK_MESSAGE(is_in(graph, name), name);
  }
  for (const char* name : {"", "src/", "a/b/c.py", "/a.py", "src//a.py", "src/a\"b", "src/a\nb"}) {
    CHECK_MESSAGE(!is_in(graph, name), name);
  }
}

TEST_CASE("names_in: the longest new name has 100 characters, of any number of bytes") {
  const LiteralGraph graph = names_in(std::vector<std::string>{".", "src"});
  const auto repeated = [](std::string_view character, int count) {
    std::string name;
    for (int i = 0; i < count; ++i) name += character;
    return name;
  };
  for (const char* character : {"a", "\xC3\xA4", "\xF0\x9F\x98\x80"}) {
    CAPTURE(character);
    const std::string longest = repeated(character, 100);
    CHECK(is_in(graph, longest));
    CHECK(is_in(graph, "src/" + longest + "/" + longest));
    CHECK(!is_in(graph, longest + "a"));
    CHECK(!is_in(graph, "src/" + longest + "a/b"));
  }
}

TEST_CASE("line_runs: runs of whole lines") {
  const LiteralGraph graph =
      line_runs("int a;\n\n  if (a) {\n    b(\"x\");\n  }\n}\n", RunKind::kUnique);
  for (const char* run : {"int a;", "int a;\n", "  if (a) {\n    b(\"x\");", "}",
                          "int a;\n\n  if (a) {\n    b(\"x\");\n  }\n}"}) {
    CHECK_MESSAGE(is_in(graph, run), run);
  }
  for (const char* run : {"", "\n", "int", "int a;\n  if (a) {", "if (a) {", "}\n"}) {
    CHECK_MESSAGE(!is_in(graph, run), run);
  }
}

TEST_CASE("line_runs: a run that is there twice continues until it is the only one") {
  const LiteralGraph graph = line_runs("f(1)\nx\nf(1)\ny\nf(1)\n", RunKind::kUnique);
  CHECK(is_in(graph, "f(1)\nx"));
  CHECK(is_in(graph, "f(1)\ny"));
  CHECK(is_in(graph, "x\nf(1)"));
  CHECK(is_in(graph, "x"));
  CHECK(is_in(graph, "f(1)"));  // no line follows the last one
  CHECK(!is_in(line_runs("f(1)\nx\nf(1)\ny\n", RunKind::kUnique), "f(1)"));
}

TEST_CASE("line_runs: any run may be one line") {
  const LiteralGraph graph = line_runs("f(1)\nx\nf(1)\ny\n", RunKind::kAny);
  for (const char* run : {"f(1)", "f(1)\nx\nf(1)", "y"}) CHECK(is_in(graph, run));
  for (const char* run : {"", "f(1)\nf(1)", "f(1)\nx\ny", "f"}) CHECK(!is_in(graph, run));
}

TEST_CASE("line_runs: carriage returns are not part of lines") {
  CHECK(is_in(line_runs("a\r\nb\r\n", RunKind::kUnique), "a\nb"));
}
