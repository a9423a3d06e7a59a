#include "base/text.h"

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/hash.h"

namespace pedro {

TEST_CASE("text: a final newline ends the last line") {
  CHECK(split_lines("a\nb\n") == std::vector<std::string_view>{"a", "b"});
  CHECK(split_lines("a\n\nb") == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split_lines("").empty());
}

TEST_CASE("text: suggests only similar words") {
  CHECK(did_you_mean("modle", {"model", "checks"}) == " (did you mean 'model'?)");
  CHECK(did_you_mean("zzz", {"model", "checks"}).empty());
  CHECK(did_you_mean(std::string(300, 'x'), {"model", "checks"}).empty());
}

TEST_CASE("text: cut_middle keeps head and tail and counts the rest") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "line " + std::to_string(i) + "\n";
  const std::string cut = cut_middle(text, 120, "recall out-1");
  CHECK(cut.size() <= 120);
  CHECK(cut ==
        "line 0\nline 1\nline 2\nline 3\n"
        "[... 93 lines, 738 bytes left out; recall out-1 ...]\n"
        "line 97\nline 98\nline 99\n");
  CHECK(cut_middle("short", 60, "") == "short");
  CHECK(cut_middle(text, 10, "") == "[... 100 lines, 790 bytes left out ...]\n");
  for (std::size_t max = 60; max < text.size(); ++max) {
    CAPTURE(max);
    CHECK(cut_middle(text, max, "").size() <= max);
  }
  const std::string one_line(100000, 'x');
  CHECK(cut_middle(one_line, 1000, "").size() <= 1000);
  CHECK(cut_middle(one_line, 1000, "").size() > 990);
}

TEST_CASE("text: replace_all, trim, join, split") {
  CHECK(replace_all("aXbX", "X", "--") == "a--b--");
  CHECK(trim(" \t a b\r\n") == "a b");
  CHECK(join({"a", "b"}, ", ") == "a, b");
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
}

TEST_CASE("text: a command line quotes only the words that need it") {
  CHECK(as_shell_line({"llama-server", "-m", "/m/a b.gguf", "--spec-type", "x,y", ""}) ==
        "llama-server -m '/m/a b.gguf' --spec-type x,y ''");
  CHECK(as_shell_line({"$(id)", "it's"}) == "'$(id)' 'it'\\''s'");
}

TEST_CASE("text: add_once keeps the order of the first") {
  std::vector<std::string> texts;
  for (const char* text : {"b", "a", "b", "", "a", ""}) add_once(texts, text);
  CHECK(texts == std::vector<std::string>{"b", "a", ""});
}

TEST_CASE("text: percent_decoded keeps invalid codes") {
  CHECK(percent_decoded("a%20b%2f%C3%bc") == "a b/ü");
  CHECK(percent_decoded("%zz %4 %-1 %+1 %") == "%zz %4 %-1 %+1 %");
  CHECK(percent_decoded("%4") == "%4");
  CHECK(percent_decoded("%41") == "A");
}

TEST_CASE("text: a quoted text is one word of a shell") {
  CHECK(quoted_for_shell("") == "''");
  CHECK(quoted_for_shell("a $b") == "'a $b'");
  CHECK(quoted_for_shell("it's") == "'it'\\''s'");
}

TEST_CASE("text: whole words, and none that are empty") {
  CHECK(has_whole_words("one, none", "one"));
  CHECK(!has_whole_words("none", "one"));
  CHECK(!has_whole_words("oneself", "one"));
  CHECK(has_whole_words("a one two", "one two"));
  CHECK(!has_whole_words("one", ""));
  CHECK(!has_whole_words("", {}));
}

TEST_CASE("text: runs of bytes") {
  using Runs = std::vector<std::string_view>;
  CHECK(runs_of("a.py: 3", is_word_byte) == Runs{"a", "py", "3"});
  CHECK(runs_of("..", is_word_byte).empty());
  CHECK(runs_of("", is_word_byte).empty());
}

TEST_CASE("text: the longest run of a character is counted") {
  CHECK(longest_run("", '`') == 0);
  CHECK(longest_run("a `b` ```c`` d", '`') == 3);
  CHECK(longest_run("``", '`') == 2);
  CHECK(longest_run("ab", '`') == 0);
}

TEST_CASE("clock: RFC 3339") {
  CHECK(to_rfc3339(1'700'000'000'123) == "2023-11-14T22:13:20.123Z");
}

TEST_CASE("hash: the published FNV-1a values") {
  CHECK(to_hex(hash_bytes("")) == "cbf29ce484222325");
  CHECK(to_hex(hash_bytes("foobar")) == "85944171f73967e8");
}

}  // namespace pedro
