#include "tokenizer/byte_level.h"

#include <doctest/doctest.h>

#include <string>

#include "base/utf8.h"

namespace pedro {

TEST_CASE("byte level: every byte has a letter of its own") {
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t letter = letter_of_byte(static_cast<char>(byte));
    CHECK(byte_of_letter(letter) == static_cast<char>(byte));
  }
  int letters = 0;
  for (char32_t point = 0; point < 0x400; ++point) letters += byte_of_letter(point) ? 1 : 0;
  CHECK(letters == 256);
}

TEST_CASE("byte level: known spellings") {
  struct Row {
    const char* text;
    std::string bytes;
  };
  for (const Row& row : {Row{"", ""}, Row{"Ġhello", " hello"}, Row{"ĊĊ", "\n\n"}, Row{"Ã©", "é"},
                         Row{"Ā", std::string(1, '\0')}, Row{"Ń", "\xAD"}, Row{"ÿ", "\xFF"},
                         Row{"ł", "\xA0"}, Row{"¡", "\xA1"}}) {
    CAPTURE(row.text);
    CHECK(bytes_of_letters(row.text) == row.bytes);
  }
  for (const char* text : {" ", "a b", "\n", "\u00AD", "\u0144", "\u2581", "\xFF", "a\x80"}) {
    CAPTURE(text);
    CHECK_FALSE(bytes_of_letters(text));
  }
}

TEST_CASE("byte level: other characters as in llama.cpp") {
  CHECK(bytes_as_llama_cpp("Ġa b", 100) == " a[UNK_BYTE_0x20Ġa b]b");
  CHECK(bytes_as_llama_cpp("\u200D", 100) == "[UNK_BYTE_0xe2808d\u200D]");
  CHECK(bytes_as_llama_cpp("\xFF", 100) == "[UNK_BYTE_0xefbfbd\xFF]");
  CHECK_FALSE(bytes_as_llama_cpp(std::string(1000, ' '), 100'000));
}

TEST_CASE("byte level: names of bytes") {
  CHECK(byte_of_name("<0x0A>") == '\n');
  CHECK(byte_of_name("<0xfF>") == '\xFF');
  for (const char* name : {"", "<0x0>", "<0x0G>", "<0x-1>", "<0x0A", "<0x0A>>", "0x0A", "<0X0A>"}) {
    CAPTURE(name);
    CHECK_FALSE(byte_of_name(name));
  }
}

}  // namespace pedro
