#include "tools/glob.h"

#include <fmt/format.h>

#include <optional>

namespace pedro {
namespace {

constexpr std::size_t kMaxPatternBytes = 500;
constexpr std::size_t kMaxAlternatives = 64;

Error bad_pattern(std::string_view pattern, std::string_view reason) {
  return Error{ErrorKind::kRefused, fmt::format("bad pattern '{}': {}", pattern, reason)};
}

struct Braces {
  std::size_t open = 0;
  std::size_t close = 0;
};

// Returns the end of the set that opens at `at`, or npos. An initial "]" is a member.
std::size_t set_end(std::string_view pattern, std::size_t at) {
  std::size_t i = at + 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  return pattern.find(']', i);
}

// Returns the first pair of braces without inner braces. Skips escapes and sets.
Result<std::optional<Braces>> innermost_braces(std::string_view pattern) {
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '[') {
      i = set_end(pattern, i);
      if (i == std::string_view::npos) return bad_pattern(pattern, "'[' is not closed by ']'");
    } else if (pattern[i] == '{') {
      open = i;
    } else if (pattern[i] == '}' && open) {
      return std::optional(Braces{*open, i});
    }
  }
  if (open) return bad_pattern(pattern, "'{' is not closed by '}'");
  return std::optional<Braces>();
}

std::vector<std::string> expand(std::string_view pattern, Braces braces) {
  std::vector<std::string> expanded;
  std::size_t start = braces.open + 1;
  for (std::size_t i = start; i <= braces.close; ++i) {
    if (pattern[i] == '\\' && i + 1 < braces.close) {
      ++i;
    } else if (pattern[i] == ',' || i == braces.close) {
      expanded.push_back(fmt::format("{}{}{}", pattern.substr(0, braces.open),
                                     pattern.substr(start, i - start),
                                     pattern.substr(braces.close + 1)));
      start = i + 1;
    }
  }
  return expanded;
}

Result<std::vector<std::string>> expand_all(std::string_view pattern) {
  std::vector<std::string> open{std::string(pattern)};
  std::vector<std::string> done;
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    PEDRO_TRY(const auto braces, innermost_braces(next));
    if (!braces) {
      done.push_back(next);
    } else {
      for (std::string& one : expand(next, *braces)) open.push_back(std::move(one));
    }
    if (open.size() + done.size() > kMaxAlternatives) {
      return bad_pattern(pattern, fmt::format("more than {} alternatives", kMaxAlternatives));
    }
  }
  return done;
}

void add(std::array<std::uint64_t, 4>& set, unsigned byte) {
  set[byte / 64] |= std::uint64_t{1} << (byte % 64);
}

bool contains(const std::array<std::uint64_t, 4>& set, char c) {
  const unsigned byte = static_cast<unsigned char>(c);
  return (set[byte / 64] >> (byte % 64) & 1) != 0;
}

// Parses the text between the brackets.
std::array<std::uint64_t, 4> parse_set(std::string_view members) {
  const bool inverted = members.starts_with('!') || members.starts_with('^');
  if (inverted) members.remove_prefix(1);
  std::array<std::uint64_t, 4> set{};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const unsigned low = static_cast<unsigned char>(members[i]);
    unsigned high = low;
    if (i + 2 < members.size() && members[i + 1] == '-') {
      high = static_cast<unsigned char>(members[i + 2]);
      i += 2;
    }
    for (unsigned byte = low; byte <= high; ++byte) add(set, byte);
  }
  if (inverted) {
    for (std::uint64_t& word : set) word = ~word;
  }
  set['/' / 64] &= ~(std::uint64_t{1} << ('/' % 64));
  return set;
}

}  // namespace

Result<Glob::Pattern> Glob::parse_one(std::string_view pattern) {
  Pattern tokens;
  const auto byte = [&tokens](char c) {
    Token token;
    add(token.bytes, static_cast<unsigned char>(c));
    tokens.push_back(token);
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool component_starts = i == 0 || pattern[i - 1] == '/';
    if (pattern.substr(i).starts_with("**/") && component_starts) {
      tokens.push_back({Kind::kFolders, {}});
      tokens.push_back({Kind::kInFolders, {}});
      i += 2;
    } else if (pattern.substr(i).starts_with("**")) {
      tokens.push_back({Kind::kEverything, {}});
      i += 1;
    } else if (pattern[i] == '*') {
      tokens.push_back({Kind::kStar, {}});
    } else if (pattern[i] == '?') {
      tokens.push_back({Kind::kAnyByte, {}});
    } else if (pattern[i] == '[') {
      const std::size_t end = set_end(pattern, i);
      if (end == std::string_view::npos) return bad_pattern(pattern, "'[' is not closed by ']'");
      tokens.push_back({Kind::kSet, parse_set(pattern.substr(i + 1, end - i - 1))});
      i = end;
    } else if (pattern[i] == '\\') {
      if (++i == pattern.size()) return bad_pattern(pattern, "nothing follows the '\\'");
      byte(pattern[i]);
    } else {
      byte(pattern[i]);
    }
  }
  return tokens;
}

Result<Glob> Glob::parse(std::string_view pattern) {
  if (pattern.empty()) return bad_pattern(pattern, "it is empty");
  if (pattern.size() > kMaxPatternBytes) {
    return Error{ErrorKind::kRefused,
                 fmt::format("the pattern is longer than {} bytes", kMaxPatternBytes)};
  }
  std::string normalised(pattern);
  if (normalised.starts_with("./")) normalised.erase(0, 2);
  if (normalised.ends_with('/')) normalised += "**";
  Glob glob;
  glob.whole_path_ = normalised.find('/') != std::string::npos;
  PEDRO_TRY(const auto alternatives, expand_all(normalised));
  for (const std::string& alternative : alternatives) {
    PEDRO_TRY(const auto tokens, parse_one(alternative));
    glob.patterns_.push_back(tokens);
  }
  return glob;
}

// Simulates an NFA over the path. State i: all tokens before i have matched.
class Glob::Matcher {
 public:
  explicit Matcher(const Pattern& pattern)
      : pattern_(pattern), states_(pattern.size() + 1), next_(pattern.size() + 1) {
    enter(states_, 0);
  }

  void step(char c) {
    next_.assign(states_.size(), false);
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      if (states_[i]) move(i, c);
    }
    states_.swap(next_);
  }

  bool accepts() const { return states_.back(); }

 private:
  // Adds a state and those reachable without a byte.
  void enter(std::vector<bool>& states, std::size_t i) const {
    while (!states[i]) {
      states[i] = true;
      if (i == pattern_.size()) return;
      const Kind kind = pattern_[i].kind;
      if (kind == Kind::kStar || kind == Kind::kEverything) {
        i += 1;
      } else if (kind == Kind::kFolders) {
        i += 2;
      }
    }
  }

  void move(std::size_t i, char c) {
    const Token& token = pattern_[i];
    switch (token.kind) {
      case Kind::kByte:
      case Kind::kSet:
        if (contains(token.bytes, c)) enter(next_, i + 1);
        break;
      case Kind::kAnyByte:
        if (c != '/') enter(next_, i + 1);
        break;
      case Kind::kStar:
        if (c != '/') enter(next_, i);
        break;
      case Kind::kEverything:
        enter(next_, i);
        break;
      case Kind::kFolders:
        enter(next_, i + 1);
        break;
      case Kind::kInFolders:
        enter(next_, i);
        if (c == '/') enter(next_, i + 1);
        break;
    }
  }

  const Pattern& pattern_;
  std::vector<bool> states_;
  std::vector<bool> next_;
};

bool Glob::matches(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  if (!whole_path_ && slash != std::string_view::npos) path.remove_prefix(slash + 1);
  for (const Pattern& pattern : patterns_) {
    Matcher matcher(pattern);
    for (const char c : path) matcher.step(c);
    if (matcher.accepts()) return true;
  }
  return false;
}

}  // namespace pedro
