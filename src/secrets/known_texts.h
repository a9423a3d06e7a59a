#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "secrets/secret_patterns.h"

namespace pedro {

/// Searches for any number of literal texts in one pass.
class KnownTexts {
 public:
  static constexpr std::size_t kMinBytes = 4;

  /// Texts shorter than kMinBytes are ignored. For a duplicate text the first name applies.
  void add(std::string name, std::string text);

  bool has(std::string_view text) const;

  /// Returns the occurrences in `text` without overlap, the longest one at each position. The names
  /// are valid until the next add().
  std::vector<SecretSpan> find(std::string_view text) const;

 private:
  struct Known {
    std::string name;
    std::string text;
  };
  const Known* longest_at(std::string_view text) const;

  std::unordered_map<std::uint32_t, std::vector<Known>> by_head_;  // by 4 bytes; the longest first
  std::bitset<1u << 16> begins_;                                   // by 2 bytes
};

}  // namespace pedro
