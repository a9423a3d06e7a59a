#include <doctest/doctest.h>

#include "llm/slot_completion.h"
#include "support/tiny_vocabulary.h"

namespace pedro {
namespace {

struct StreamEvent {
  std::string text;
  std::vector<TokenId> ids;
  long long predicted;
};

struct StreamRow {
  const char* name;
  std::vector<StreamEvent> events;
  std::vector<TokenId> ids;
  std::size_t exact = StreamedTokens::kAll;
  bool is_cut = false;
};

}  // namespace

TEST_CASE("streamed tokens: ids that a stream leaves out are found") {
  // Byte tokens, a control token (256), and parts of characters from 257 on.
  const auto tokenizer =
      tiny_tokenizer({"<end>", "=\xF0\x9F", "=\x98\x80", "=\xE2\x82", "=\x82\xAC", "=x\xC3"});
  constexpr std::size_t kAll = StreamedTokens::kAll;
  const StreamRow rows[] = {
      {"nothing is left out", {{"a", {'a'}, 1}, {"b", {'b'}, 2}}, {'a', 'b'}},
      {"counts are not told", {{"a", {'a'}, 0}, {"b", {'b'}, 0}}, {'a', 'b'}},
      {"the bytes of a character",
       {{"a", {'a'}, 1}, {"é", {0xA9}, 3}, {"b", {'b'}, 4}},
       {'a', 0xC3, 0xA9, 'b'}},
      {"a token of two bytes, as its count says", {{"😀", {0x80}, 3}}, {257, 0x98, 0x80}},
      {"two of them", {{"😀", {258}, 2}}, {257, 258}},
      {"the text comes later, with what may be a stop",
       {{"", {'"'}, 1}, {"\"é", {0xA9}, 3}},
       {'"', 0xC3, 0xA9}},
      {"a control token has no text", {{"", {256}, 1}, {"é", {0xA9}, 3}}, {256, 0xC3, 0xA9}},
      {"a token that ends inside a character has text of its own",
       {{"xé", {0xA9}, 2}},
       {261, 0xA9}},
      {"several ways: those that the text is made into",
       {{"a", {'a'}, 1}, {"€€", {0xAC}, 5}},
       {'a', 259, 0xAC, 259, 0xAC}},
      {"several ways, and none of them is usual: a guess of the same text",
       {{"a", {'a'}, 1}, {"€€", {0xAC}, 6}},
       {'a', 259, 0xAC, 259, 0xAC},
       1},
      {"a text that no ids have",
       {{"a", {'a'}, 1},
        {"\xEF\xBF\xBD"
         "b",
         {'b'},
         3},
        {"c", {'c'}, 4}},
       {'a', 0xEF, 0xBF, 0xBD, 'b', 'c'},
       1},
      {"the end of the text never comes", {{"a", {'a'}, 1}, {"", {}, 3}}, {'a'}, kAll, true},
      {"more are missing than a character can have",
       {{"é", {0xA9}, 1'000'000'000}},
       {0xC3, 0xA9},
       0},
  };
  for (const StreamRow& row : rows) {
    CAPTURE(std::string(row.name));
    StreamedTokens stream;
    for (const StreamEvent& event : row.events) stream.add(event.text, event.ids, event.predicted);
    const auto found = stream.recover(*tokenizer);
    REQUIRE(found.ok());
    CHECK(found->ids == row.ids);
    CHECK(found->exact == row.exact);
    CHECK(found->is_cut == row.is_cut);
  }
}

}  // namespace pedro
