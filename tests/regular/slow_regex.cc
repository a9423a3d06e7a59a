#include "regular/slow_regex.h"

#include <functional>
#include <vector>

namespace pedro {
namespace {

using Next = std::function<bool(std::size_t at)>;

/// One search. Its results are meaningless after it gave up.
class SlowSearch {
 public:
  SlowSearch(std::string_view text, std::size_t max_steps) : text_(text), steps_left_(max_steps) {}

  bool gave_up() const { return steps_left_ == 0; }

  bool matches(const Regex& regex, std::size_t at, const Next& next) {
    if (steps_left_ == 0 || --steps_left_ == 0) return false;
    switch (regex.kind) {
      case Regex::Kind::kSequence:
        return matches_items(regex.children, 0, at, next);
      case Regex::Kind::kChoice:
        for (const Regex& child : regex.children) {
          if (matches(child, at, next)) return true;
        }
        return false;
      case Regex::Kind::kClass:
        return matches_class(regex, at) && next(at + 1);
      case Regex::Kind::kRepeat:
        return matches_times(regex, 0, at, next);
      case Regex::Kind::kBegin:
        return at == 0 && next(at);
      case Regex::Kind::kEnd:
        return at == text_.size() && next(at);
      case Regex::Kind::kAhead:
        return matches(regex.children[0], at, [](std::size_t) { return true; }) != regex.negated &&
               next(at);
    }
    return false;
  }

 private:
  bool matches_class(const Regex& regex, std::size_t at) const {
    if (at >= text_.size()) return false;
    const auto c = static_cast<unsigned char>(text_[at]);
    for (const CharRange& range : regex.ranges) {
      if (c >= range.first && c <= range.last) return true;
    }
    return false;
  }

  bool matches_items(const std::vector<Regex>& items, std::size_t i, std::size_t at,
                     const Next& next) {
    if (i == items.size()) return next(at);
    return matches(items[i], at,
                   [&](std::size_t after) { return matches_items(items, i + 1, after, next); });
  }

  // Tries no more repetitions than characters: further ones match only empty text.
  bool matches_times(const Regex& repeat, std::size_t times, std::size_t at, const Next& next) {
    if (times >= repeat.min && next(at)) return true;
    if (times >= repeat.max.value_or(repeat.min + text_.size() + 1)) return false;
    return matches(repeat.children[0], at, [&](std::size_t after) {
      return matches_times(repeat, times + 1, after, next);
    });
  }

  std::string_view text_;
  std::size_t steps_left_;
};

}  // namespace

std::optional<bool> found_slowly(const Regex& regex, std::string_view text, std::size_t max_steps) {
  SlowSearch search(text, max_steps);
  bool found = false;
  for (std::size_t at = 0; at <= text.size() && !found && !search.gave_up(); ++at) {
    found = search.matches(regex, at, [](std::size_t) { return true; });
  }
  if (search.gave_up()) return std::nullopt;
  return found;
}

}  // namespace pedro
