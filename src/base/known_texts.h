#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/secret_patterns.h"

namespace pedro {

/// Texts that are looked for as they are, all in one pass.
class KnownTexts {
 public:
  static constexpr std::size_t kMinBytes = 4;

  /// `text` has at least kMinBytes. Of the same text twice the first name counts.
  void add(std::string name, std::string text);

  bool has(std::string_view text) const;

  /// Where they stand in `text`, none over another: of those that begin at one place the longest.
  /// The spans' names live as long as nothing is added.
  std::vector<SecretSpan> find(std::string_view text) const;

 private:
  struct Known {
    std::string name;
    std::string text;
  };
  const Known* longest_at(std::string_view text) const;

  std::unordered_map<std::uint32_t, std::vector<Known>> by_head_;  // of 4 bytes; the longest first
  std::bitset<1u << 16> begins_;                                   // of 2 bytes
};

}  // namespace pedro
