#include "llm/server_flags.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace pedro {
namespace {

bool is_flag_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

// Returns the position of `word` from `from` on, with no part of another word around it.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_flag_character(text[at - 1]);
    if (begins && (end == text.size() || !is_flag_character(text[end]))) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t ServerFlags::find(std::string_view flag) const {
  return find_word(help_, flag, 0);
}

bool ServerFlags::offers(std::string_view flag, std::string_view value) const {
  const std::size_t at = find(flag);
  if (at == std::string::npos) return false;
  // The description ends where the next flag begins a line.
  const std::size_t end = help_.find("\n-", at);
  const std::string_view about = std::string_view(help_).substr(0, std::min(end, help_.size()));
  return find_word(about, value, at) != std::string_view::npos;
}

std::uint64_t free_bytes_of_devices(std::string_view listed) {
  constexpr std::string_view kFree = " MiB free)";
  constexpr std::uint64_t kMaxMiB = 1U << 24U;
  std::uint64_t sum = 0;
  for (const std::string_view line : split_lines(listed)) {
    const std::size_t end = line.rfind(kFree);
    const std::size_t comma = line.rfind(", ", end);
    if (end == line.npos || comma == line.npos) continue;
    std::uint64_t mib = 0;
    const auto read = std::from_chars(line.data() + comma + 2, line.data() + end, mib);
    if (read.ec == std::errc() && read.ptr == line.data() + end) sum += std::min(mib, kMaxMiB);
  }
  return sum << 20U;
}

}  // namespace pedro
