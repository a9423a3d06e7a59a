#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// Cuts text by regular expressions, each of which cuts what the one before left: a match is a
/// piece, and so is what lies between two matches. For pre-tokenizers that have no scanner. By
/// PCRE2 (https://www.pcre.org), compiled to machine code; what is no UTF-8 matches nothing.
/// Immutable; any number of threads.
class PatternScanner {
 public:
  /// An Error (kUsage) says which pattern is wrong, and where.
  static Result<PatternScanner> compile(const std::vector<std::string>& patterns);
  PatternScanner(PatternScanner&&) noexcept;
  ~PatternScanner();

  /// The pieces' ends, in bytes from the text's beginning; the last one is the text's. An Error
  /// (kLimit): a pattern takes more than 10 million steps at one place.
  Status scan(std::string_view text, std::vector<std::uint32_t>& ends) const;

 private:
  struct Pattern;
  explicit PatternScanner(std::vector<std::unique_ptr<Pattern>> patterns);

  std::vector<std::unique_ptr<Pattern>> patterns_;
};

}  // namespace pedro
