#include "template_learner/spelling.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFound = 1000;

const Spelling* longest_at(std::string_view text, std::span<const Spelling> spellings) {
  const Spelling* longest = nullptr;
  for (const Spelling& one : spellings) {
    if (one.text.empty() || !text.starts_with(one.text)) continue;
    if (longest == nullptr || one.text.size() > longest->text.size()) longest = &one;
  }
  return longest;
}

}  // namespace

std::vector<SpellingFound> find_spellings(std::string_view text,
                                          std::span<const Spelling> spellings) {
  std::vector<SpellingFound> found;
  for (std::size_t at = 0; at < text.size() && found.size() < kMaxFound;) {
    const Spelling* spelling = longest_at(text.substr(at), spellings);
    if (spelling == nullptr) {
      ++at;
      continue;
    }
    found.push_back({at, at + spelling->text.size(), spelling});
    at += spelling->text.size();
  }
  return found;
}

std::string with_values(std::string_view text, std::size_t begin, std::size_t end,
                        std::span<const SpellingFound> found) {
  std::string out;
  std::size_t at = begin;
  for (const SpellingFound& one : found) {
    if (one.begin < at || one.end > end) continue;
    out += text.substr(at, one.begin - at);
    out += one.spelling->value;
    at = one.end;
  }
  return out + std::string(text.substr(at, end - at));
}

}  // namespace pedro
