#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A file name pattern: `*` and `?` stay inside a path component, `**` does not, `[a-z]` `[!a-z]`
/// one byte of a set, `{a,b}` either, `\x` that byte. A pattern with a '/' is matched against the
/// whole path, one without against the last component. Immutable.
class Glob {
 public:
  /// An error (kRefused, in words for the model) where brackets or braces do not close, the pattern
  /// is empty or longer than 500 bytes, or its braces make more than 64 patterns.
  static Result<Glob> parse(std::string_view pattern);

  /// `path` is relative to the folder that is looked through, without "./". Time is proportional
  /// to the pattern times the path, whatever they are.
  bool matches(std::string_view path) const;

 private:
  enum class Kind { kByte, kAnyByte, kSet, kStar, kFolders, kInFolders, kEverything };
  struct Token {
    Kind kind = Kind::kByte;
    std::array<std::uint64_t, 4> bytes{};  // kByte, kSet: one bit for each byte that matches
  };
  using Pattern = std::vector<Token>;
  class Matcher;

  static Result<Pattern> parse_one(std::string_view pattern);

  bool whole_path_ = false;
  std::vector<Pattern> patterns_;
};

}  // namespace pedro
