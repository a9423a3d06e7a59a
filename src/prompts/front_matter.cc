#include "prompts/front_matter.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pedro {
namespace {

Error error_at(std::string_view place, int line, std::string_view what) {
  return Error{ErrorKind::kConfig, fmt::format("{}:{}: {}", place, line, what)};
}

// Removes the first line from `text` and returns it.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view unquoted(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

bool has_key(const FrontMatter& front, std::string_view key) {
  for (const FrontMatterEntry& entry : front.entries) {
    if (entry.key == key) return true;
  }
  return false;
}

}  // namespace

Result<FrontMatter> parse_front_matter(std::string_view place, std::string_view text) {
  FrontMatter front;
  std::string_view rest = text;
  if (trim(next_line(rest)) != "---") {
    front.body = text;
    return front;
  }
  for (int number = 2;; ++number) {
    if (rest.empty()) return error_at(place, number, "expected '---' after the keys, got the end");
    const std::string_view line = trim(next_line(rest));
    if (line == "---") {
      front.body = rest;
      front.body_line = number + 1;
      return front;
    }
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      return error_at(place, number, fmt::format("expected 'key: value', got '{}'", line));
    }
    const std::string key(trim(line.substr(0, colon)));
    if (has_key(front, key)) return error_at(place, number, fmt::format("duplicate key '{}'", key));
    front.entries.push_back({key, std::string(unquoted(trim(line.substr(colon + 1)))), number});
  }
}

}  // namespace pedro
