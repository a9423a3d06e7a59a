#include <doctest/doctest.h>

#include <vector>

#include "sys/run_process.h"

namespace pedro {
namespace {

std::string kept(std::size_t max_bytes, std::string_view text, std::size_t piece = 1000) {
  BoundedOutput output(max_bytes);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    output.add(text.substr(0, piece));
  }
  return output.text();
}

}  // namespace

TEST_CASE("bounded output: short output stays as it is, but printable") {
  CHECK(kept(10, "").empty());
  CHECK(kept(10, "0123456789") == "0123456789");
  CHECK(kept(20, "a\r\nb\tc\n") == "a\r\nb\tc\n");
  CHECK(kept(20, "a\x1b[1m\xFF\n") == "a\xEF\xBF\xBD[1m\xEF\xBF\xBD\n");
}

TEST_CASE("bounded output: the middle is counted, whatever the pieces are") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "line " + std::to_string(i) + "\n";
  REQUIRE(text.size() == 790);
  for (const std::size_t piece : {1u, 2u, 7u, 64u, 790u}) {
    CAPTURE(piece);
    CHECK(kept(60, text, piece) ==
          "line 0\nline 1\nline 2\nline 3\n"
          "[... 93 lines, 738 bytes left out ...]\n"
          "line 97\nline 98\nline 99\n");
  }
}

TEST_CASE("bounded output: one long line is cut between characters") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "\xE2\x82\xAC";
  CHECK(kept(20, text, 1) ==
        "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\n"
        "[... 0 lines, 42 bytes left out ...]\n"
        "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC");
  CHECK(kept(0, "abc\n") == "[... 1 lines, 4 bytes left out ...]\n");
}

}  // namespace pedro
