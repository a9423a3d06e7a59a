#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text_pattern.h"

namespace pedro {

/// Cuts text by regular expressions for pre-tokenizers without a scanner. Each pattern cuts the
/// pieces of the previous one: matches and the text between matches are pieces. Invalid UTF-8
/// matches nothing. Immutable; thread-safe.
class PatternScanner {
 public:
  /// Compiles the patterns. An Error (kUsage) names the invalid pattern and the position in it.
  static Result<PatternScanner> compile(const std::vector<std::string>& patterns);

  /// Writes the end of each piece as a byte offset from the start of the text. The last one is the
  /// text's size. Error (kLimit): more than 10 million steps of a pattern at one position.
  Status scan(std::string_view text, std::vector<std::uint32_t>& ends) const;

 private:
  explicit PatternScanner(std::vector<TextPattern> patterns) : patterns_(std::move(patterns)) {}

  std::vector<TextPattern> patterns_;
};

}  // namespace pedro
