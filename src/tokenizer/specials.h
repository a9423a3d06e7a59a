#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// What to do with text that spells a special token. A value; borrows the texts that are named.
class Specials {
 public:
  /// All text is text: for everything that a user, a file, an issue, a tool or a model said.
  static const Specials kNone;
  /// Special tokens are recognised: for the text of templates only.
  static const Specials kAll;
  /// Only these are, by what they are written as; what is no special token means nothing.
  static constexpr Specials only(std::span<const std::string_view> texts) {
    return Specials(false, texts);
  }

  bool all() const { return all_; }
  bool none() const { return !all_ && only_.empty(); }
  std::span<const std::string_view> texts() const { return only_; }

 private:
  constexpr Specials(bool all, std::span<const std::string_view> only) : all_(all), only_(only) {}

  bool all_ = false;
  std::span<const std::string_view> only_;
};

inline constexpr Specials Specials::kNone{false, {}};
inline constexpr Specials Specials::kAll{true, {}};

}  // namespace pedro
