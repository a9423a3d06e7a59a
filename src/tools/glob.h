#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A file name pattern. `*` and `?` match within a path component, `**` across components. `[a-z]`
/// and `[!a-z]` match one byte of a set, `{a,b}` alternatives, `\x` that byte. A pattern with '/'
/// must match the whole path, others the last component. Immutable.
class Glob {
 public:
  /// Errors (kRefused, for the model): unclosed brackets or braces; an empty pattern; more than 500
  /// bytes; more than 64 alternatives.
  static Result<Glob> parse(std::string_view pattern);

  /// Returns true if the pattern matches `path`, which is relative to the searched folder, without
  /// "./". O(pattern * path).
  bool matches(std::string_view path) const;

 private:
  enum class Kind { kByte, kAnyByte, kSet, kStar, kFolders, kInFolders, kEverything };
  struct Token {
    Kind kind = Kind::kByte;
    std::array<std::uint64_t, 4> bytes{};  // kByte, kSet: one bit per matching byte
  };
  using Pattern = std::vector<Token>;
  class Matcher;

  static Result<Pattern> parse_one(std::string_view pattern);

  bool whole_path_ = false;
  std::vector<Pattern> patterns_;
};

}  // namespace pedro
