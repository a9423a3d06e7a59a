#include "regular/text_set.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {
namespace {

// All texts of at most `length` letters of "abc".
std::vector<std::string> small_texts(std::size_t length) {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == length) continue;
    for (const char c : {'a', 'b', 'c'}) texts.push_back(texts[i] + c);
  }
  return texts;
}

}  // namespace

TEST_CASE("text_set: equal sets are equal values, however they came about") {
  const TextSet any = TextSet::any();
  CHECK(any.is_any());
  CHECK(TextSet().is_empty());
  CHECK(*TextSet::of({"ab", "cb", "ab"}) == *TextSet::of({"cb", "ab"}));
  CHECK(TextSet::of({"ab", "cb"})->states().size() == 3);  // equal suffixes share states
  CHECK(*difference(any, TextSet()) == any);
  CHECK(difference(any, any)->is_empty());
  CHECK(*difference(any, *difference(any, *TextSet::of({"a"}))) == *TextSet::of({"a"}));
  CHECK(*union_of(*TextSet::of_length(0, 3), *TextSet::of_length(4, {})) == any);
  CHECK(*concatenation(*TextSet::of_length(1, 2), *TextSet::of_length(2, 2)) ==
        *TextSet::of_length(3, 4));
}

TEST_CASE("text_set: operations agree with membership on all small texts") {
  const TextSet a = *TextSet::of({"", "a", "ab", "abc", "cc"});
  const TextSet b = *TextSet::of({"a", "b", "abc", "bcab"});
  const TextSet length = *TextSet::of_length(1, 3);
  const TextSet both = *intersection(a, b);
  const TextSet either = *union_of(a, b);
  const TextSet minus = *difference(length, b);
  const TextSet joined = *concatenation(a, b);
  for (const std::string& text : small_texts(6)) {
    CAPTURE(text);
    CHECK(both.contains(text) == (a.contains(text) && b.contains(text)));
    CHECK(either.contains(text) == (a.contains(text) || b.contains(text)));
    CHECK(length.contains(text) == (!text.empty() && text.size() <= 3));
    CHECK(minus.contains(text) == (length.contains(text) && !b.contains(text)));
    bool cut = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      cut = cut || (a.contains(text.substr(0, i)) && b.contains(text.substr(i)));
    }
    CHECK(joined.contains(text) == cut);
  }
}

TEST_CASE("text_set: lengths are counted in code points") {
  const TextSet two = *TextSet::of_length(2, 2);
  CHECK(two.contains("é€"));
  CHECK(two.contains("\xF0\x9F\x98\x80!"));
  CHECK_FALSE(two.contains("é"));
  CHECK(TextSet::of_length(3, 2)->is_empty());
  CHECK(TextSet::of_length(2, {})->contains(std::string(5000, 'x')));
}

TEST_CASE("text_set: unbounded growth is an error") {
  const auto long_one = TextSet::of_length(0, 100'000);
  REQUIRE_FALSE(long_one.ok());
  CHECK(long_one.error().kind == ErrorKind::kLimit);
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back(std::to_string(i * 7919) + std::string(40, 'x'));
  std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto many = TextSet::of(views);
  if (many) CHECK(many->states().size() <= TextSet::kMaxStates);
}

}  // namespace pedro
