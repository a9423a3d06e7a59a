#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text_pattern.h"

namespace pedro {

/// Cuts text by regular expressions, each of which cuts what the one before left: a match is a
/// piece, and so is the text between two matches. Serves pre-tokenizers without a scanner. Invalid
/// UTF-8 matches nothing. Immutable; any number of threads.
class PatternScanner {
 public:
  /// An Error (kUsage) says which pattern is wrong, and where.
  static Result<PatternScanner> compile(const std::vector<std::string>& patterns);

  /// The pieces' ends, in bytes from the text's beginning; the last one is the text's. An Error
  /// (kLimit): a pattern takes more than 10 million steps at one place.
  Status scan(std::string_view text, std::vector<std::uint32_t>& ends) const;

 private:
  explicit PatternScanner(std::vector<TextPattern> patterns) : patterns_(std::move(patterns)) {}

  std::vector<TextPattern> patterns_;
};

}  // namespace pedro
