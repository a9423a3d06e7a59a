// Usage: make_char_table OUTPUT
//
// A build step: generates the tables of char_kind.h as C++ source from the data of utf8proc.
#include <utf8proc.h>

#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "tokenizer/char_kind.h"

namespace pedro {
namespace {

constexpr char32_t kEnd = 0x110000;

using Block = std::array<std::uint8_t, 256>;

// Source: PropList.txt of Unicode; unchanged since version 6.3.
bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

CharKind kind_of(char32_t c) {
  if (c == '\r' || c == '\n') return CharKind::kNewline;
  if (c == ' ') return CharKind::kSpace;
  if (is_white_space(c)) return CharKind::kBlank;
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  if (category == UTF8PROC_CATEGORY_LL) return CharKind::kLower;
  if (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT) return CharKind::kUpper;
  if (category == UTF8PROC_CATEGORY_LM || category == UTF8PROC_CATEGORY_LO)
    return CharKind::kLetter;
  switch (utf8proc_category_string(static_cast<utf8proc_int32_t>(c))[0]) {
    case 'M':
      return CharKind::kMark;
    case 'N':
      return CharKind::kNumber;
    case 'P':
      return CharKind::kPunctuation;
    case 'S':
      return CharKind::kSymbol;
    default:
      return CharKind::kOther;
  }
}

// `form` is 0 for form C, UTF8PROC_COMPAT for form KC.
std::vector<utf8proc_int32_t> decomposition(char32_t c, int form) {
  std::array<utf8proc_int32_t, 32> parts{};
  int last_class = 0;
  const auto count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | form), &last_class);
  return {parts.begin(), parts.begin() + count};
}

// The characters with a combining class or a decomposition, and non-initial characters of
// decompositions.
std::set<char32_t> suspects_in(int form) {
  std::set<char32_t> suspects;
  for (char32_t c = 0x80; c < kEnd; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const auto* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
    if (property->combining_class != 0) suspects.insert(c);
    const auto parts = decomposition(c, form);
    for (std::size_t i = 1; i < parts.size(); ++i) suspects.insert(static_cast<char32_t>(parts[i]));
    utf8proc_uint8_t text[8] = {};
    const auto bytes = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), text);
    utf8proc_uint8_t* composed = nullptr;
    const auto length =
        utf8proc_map(text, bytes, &composed,
                     static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | form));
    if (length != bytes || !std::equal(text, text + bytes, composed)) suspects.insert(c);
    std::free(composed);
  }
  return suspects;
}

void print_row(std::FILE* out, const std::uint8_t* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::fprintf(out, "%u,%s", values[i], i % 32 == 31 ? "\n" : "");
  }
}

int run(const char* path) {
  const std::set<char32_t> in_nfc = suspects_in(0);
  const std::set<char32_t> in_nfkc = suspects_in(UTF8PROC_COMPAT);
  std::map<Block, std::uint8_t> known;
  std::vector<Block> blocks;
  std::vector<std::uint8_t> block_of;
  for (char32_t first = 0; first < kEnd; first += 256) {
    Block block{};
    for (char32_t i = 0; i < 256; ++i) {
      block[i] = static_cast<std::uint8_t>(kind_of(first + i));
      if (in_nfc.count(first + i) > 0) block[i] |= kMayChangeInNfc;
      if (in_nfkc.count(first + i) > 0) block[i] |= kMayChangeInNfkc;
    }
    const auto [at, fresh] = known.try_emplace(block, static_cast<std::uint8_t>(blocks.size()));
    if (fresh) blocks.push_back(block);
    block_of.push_back(at->second);
  }
  if (blocks.size() > 256) return std::fputs("make_char_table: more than 256 blocks\n", stderr), 1;
  std::FILE* out = std::fopen(path, "w");
  if (out == nullptr) return std::perror(path), 1;
  std::fputs("#include \"tokenizer/char_kind.h\"\n\nnamespace pedro {\n\n", out);
  std::fputs("const std::uint8_t kCharBlockOf[0x1100] = {\n", out);
  print_row(out, block_of.data(), block_of.size());
  std::fputs("};\n\nconst std::uint8_t kCharBlocks[][256] = {\n", out);
  for (const Block& block : blocks) {
    std::fputs("{\n", out);
    print_row(out, block.data(), block.size());
    std::fputs("},\n", out);
  }
  std::fputs("};\n\n}  // namespace pedro\n", out);
  return std::fclose(out) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: make_char_table OUTPUT\n", stderr), 2;
  return pedro::run(argv[1]);
}
