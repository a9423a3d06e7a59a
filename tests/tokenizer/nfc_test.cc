#include "tokenizer/nfc.h"

#include <doctest/doctest.h>
#include <utf8proc.h>

#include <cstdlib>
#include <random>

#include "base/utf8.h"

namespace pedro {
namespace {

std::string by_utf8proc(const std::string& text) {
  utf8proc_uint8_t* out = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &out,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  REQUIRE(size >= 0);
  std::string composed(reinterpret_cast<const char*>(out), static_cast<std::size_t>(size));
  std::free(out);
  return composed;
}

}  // namespace

TEST_CASE("nfc: every character alone and behind others is what utf8proc makes of it") {
  for (char32_t c = 1; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string one;
    append_utf8(one, c);
    const std::string expected = by_utf8proc(one);
    if (!may_change_in_nfc(one)) CHECK(expected == one);
    if (to_nfc(one) != expected) CHECK(to_nfc(one) == expected);
  }
}

TEST_CASE("nfc: texts of characters that join") {
  const char* const parts[] = {"e",      "a",      " ",      "\u0301", "\u0323", "\u00E9",
                               "\u1100", "\u1161", "\u11A8", "\uAC00", "\u0344", "\u09C7",
                               "\u09BE", "\u1E9B", "\u2126", "\u0B47", "\u0B3E", "\U0001D15E"};
  std::mt19937 random(1);
  for (int i = 0; i < 30'000; ++i) {
    std::string text;
    for (auto size = random() % 9; size > 0; --size) text += parts[random() % std::size(parts)];
    CAPTURE(text);
    CHECK(to_nfc(text) == by_utf8proc(text));
  }
}

TEST_CASE("nfc: what is no UTF-8 stays, and parts what is around it") {
  CHECK(to_nfc("\xFF"
               "e\u0301\x80\u0301"
               "e\xE2\x82") ==
        "\xFF\u00E9\x80\u0301"
        "e\xE2\x82");
  CHECK(to_nfc("") == "");
  CHECK_FALSE(may_change_in_nfc("plain \u4E2D\xFF"));
}

TEST_CASE("nfc: a pile of marks takes no longer than its length") {
  std::string pile = "e";
  for (int i = 0; i < 200'000; ++i) pile += i % 2 == 0 ? "\u0301" : "\u0323";
  const std::string composed = to_nfc(pile);
  CHECK(composed.starts_with("\u1EB9\u0323"));  // those from below come first
  CHECK(composed.ends_with("\u0301"));
}

}  // namespace pedro
