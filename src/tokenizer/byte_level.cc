#include "tokenizer/byte_level.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr char32_t kFirstStandIn = 0x100;
constexpr std::size_t kStandIns = 68;
constexpr char32_t kReplacement = 0xFFFD;

constexpr bool is_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
}

struct Alphabet {
  std::array<char32_t, 256> letters{};
  std::array<unsigned char, kStandIns> bytes{};  // of U+0100 and up
};

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  std::size_t stand_ins = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (is_itself(byte)) {
      alphabet.letters[byte] = byte;
    } else {
      alphabet.letters[byte] = kFirstStandIn + static_cast<char32_t>(stand_ins);
      alphabet.bytes[stand_ins++] = static_cast<unsigned char>(byte);
    }
  }
  return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

// Removes the first character of `text` and returns it; U+FFFD for a byte that is not UTF-8.
char32_t take_character(std::string_view& text) {
  const std::size_t length = utf8_sequence_length(text);
  const char32_t code_point = length == 0 ? kReplacement : decode_utf8(text.substr(0, length));
  text.remove_prefix(length == 0 ? 1 : length);
  return code_point;
}

}  // namespace

std::optional<char> byte_of_letter(char32_t code_point) {
  if (code_point < kFirstStandIn) {
    if (!is_itself(code_point)) return {};
    return static_cast<char>(code_point);
  }
  if (code_point - kFirstStandIn >= kStandIns) return {};
  return static_cast<char>(kAlphabet.bytes[code_point - kFirstStandIn]);
}

char32_t letter_of_byte(char byte) {
  return kAlphabet.letters[static_cast<unsigned char>(byte)];
}

std::optional<std::string> bytes_of_letters(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const auto byte = byte_of_letter(take_character(text));
    if (!byte) return {};
    bytes += *byte;
  }
  return bytes;
}

std::optional<std::string> bytes_as_llama_cpp(std::string_view text, std::size_t max_bytes) {
  std::string bytes;
  for (std::string_view rest = text; !rest.empty();) {
    const char32_t character = take_character(rest);
    if (const auto byte = byte_of_letter(character)) {
      bytes += *byte;
    } else {
      std::string spelled;
      append_utf8(spelled, character);
      bytes += "[UNK_BYTE_0x";
      for (const char c : spelled) bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
      bytes.append(text) += ']';
    }
    if (bytes.size() > max_bytes) return {};
  }
  return bytes;
}

std::optional<char> byte_of_name(std::string_view name) {
  if (name.size() != 6 || !name.starts_with("<0x") || name[5] != '>') return {};
  unsigned byte = 0;
  const char* const end = name.data() + 5;
  if (std::from_chars(name.data() + 3, end, byte, 16).ptr != end) return {};
  return static_cast<char>(byte);
}

}  // namespace pedro
