#include "tokenizer/normal_form.h"

#include <doctest/doctest.h>
#include <utf8proc.h>

#include <cstdlib>
#include <random>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr NormalForm kForms[] = {NormalForm::kC, NormalForm::kKC};

std::string by_utf8proc(const std::string& text, NormalForm form) {
  const int more = form == NormalForm::kKC ? UTF8PROC_COMPAT : 0;
  utf8proc_uint8_t* out = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &out,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | more));
  REQUIRE(size >= 0);
  std::string composed(reinterpret_cast<const char*>(out), static_cast<std::size_t>(size));
  std::free(out);
  return composed;
}

}  // namespace

TEST_CASE("normal form: every character, alone and after another, as in utf8proc") {
  for (const NormalForm form : kForms) {
    for (char32_t c = 1; c < 0x110000; ++c) {
      if (c >= 0xD800 && c < 0xE000) continue;
      for (const char* before : {"", "e"}) {
        std::string text = before;
        append_utf8(text, c);
        const std::string expected = by_utf8proc(text, form);
        if (!may_change(text, form)) CHECK(expected == text);
        if (normalized(text, form) != expected) CHECK(normalized(text, form) == expected);
      }
    }
  }
}

TEST_CASE("normal form: texts of characters that join or fall apart") {
  const char* const parts[] = {"e",      "a",      " ",      "\u0301", "\u0323", "\u00E9",
                               "\u1100", "\u1161", "\u11A8", "\uAC00", "\u0344", "\u09C7",
                               "\u09BE", "\u1E9B", "\u2126", "\u0B47", "\u0B3E", "\U0001D15E",
                               "\uFF21", "\uFF76", "\uFF9E", "\uFB01", "\uFDFA", "\u0F73",
                               "\u0F71", "\u0F72", "\u3300", "\u00A0", "\u00B5", "\uFFA1"};
  for (const NormalForm form : kForms) {
    std::mt19937 random(1);
    for (int i = 0; i < 40'000; ++i) {
      std::string text;
      for (auto size = random() % 9; size > 0; --size) text += parts[random() % std::size(parts)];
      CAPTURE(text);
      CHECK(normalized(text, form) == by_utf8proc(text, form));
    }
  }
}

TEST_CASE("normal form: invalid UTF-8 is kept, and separates the text around it") {
  CHECK(normalized("\xFF"
                   "e\u0301\x80\u0301"
                   "e\xE2\x82",
                   NormalForm::kC) ==
        "\xFF\u00E9\x80\u0301"
        "e\xE2\x82");
  CHECK(normalized("\uFF21\xFF\uFF22", NormalForm::kKC) ==
        "A\xFF"
        "B");
  CHECK(normalized("", NormalForm::kC) == "");
  CHECK(normalized("e\u0301", NormalForm::kNone) == "e\u0301");
  CHECK_FALSE(may_change("plain \u4E2D\xFF", NormalForm::kC));
  CHECK_FALSE(may_change("plain \u4E2D\xFF", NormalForm::kKC));
  CHECK_FALSE(may_change("\u00B5", NormalForm::kC));
  CHECK(may_change("\u00B5", NormalForm::kKC));
  CHECK_FALSE(may_change("e\u0301", NormalForm::kNone));
}

// utf8proc alone would swap neighbours billions of times.
TEST_CASE("normal form: many combining marks take linear time") {
  std::string pile = "e";
  for (int i = 0; i < 200'000; ++i) pile += i % 2 == 0 ? "\u0301" : "\u0323";
  const std::string composed = normalized(pile, NormalForm::kC);
  CHECK(composed.starts_with("\u1EB9\u0323"));  // marks below come first
  CHECK(composed.ends_with("\u0301"));
  // Characters that are not marks, but decompose to them.
  std::string hidden = "e";
  for (int i = 0; i < 200'000; ++i) hidden += "\u0F73";
  CHECK(normalized(hidden, NormalForm::kC).size() == 1 + 2 * 200'000 * 3);
  hidden = "e";
  for (int i = 0; i < 200'000; ++i) hidden += i % 2 == 0 ? "\u0301" : "\uFF9E";
  CHECK(normalized(hidden, NormalForm::kKC).starts_with("\u00E9\u3099\u3099"));
}

}  // namespace pedro
