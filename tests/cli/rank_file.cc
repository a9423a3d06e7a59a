#include "cli/rank_file.h"

#include <string_view>

namespace pedro {
namespace {

std::string to_base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t j = i; j < i + 3; ++j) {
      group = group << 8 | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool padding = i + digit > bytes.size();
      out += padding ? '=' : kDigits[group >> (18 - 6 * digit) & 63];
    }
  }
  return out;
}

}  // namespace

std::string rank_file(std::initializer_list<const char*> more) {
  std::string lines;
  int rank = 0;
  const auto add = [&](const std::string& token) {
    lines += to_base64(token) + " " + std::to_string(rank++) + "\n";
  };
  for (int byte = 0; byte < 256; ++byte) add(std::string(1, static_cast<char>(byte)));
  for (const char* token : more) add(token);
  return lines;
}

}  // namespace pedro
