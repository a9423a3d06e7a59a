#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// The treatment of text that spells a special token. A value type; borrows the named texts.
class Specials {
 public:
  /// Recognizes no special tokens: for text from users, files, issues, tools and models.
  static const Specials kNone;
  /// Recognizes all special tokens: only for text of chat templates.
  static const Specials kAll;
  /// Recognizes only the named tokens. Texts that are not special tokens have no effect.
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
