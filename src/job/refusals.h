#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// The begin of the notice about a reply that is not used.
inline constexpr std::string_view kReplyNotUsed = "reply not used: ";

/// Counts the refusals of a job: invalid calls, ends of phases without evidence, and replies that
/// are not used.
///
///     refusals.hear(item);  // each completed item of the journal
///     refusals.text()       // "32 refusals, 30 of them: no call"
class Refusals {
 public:
  /// Returns the reason if an item is a refusal, on one line and at most 160 bytes; else "".
  static std::string reason_of(const Json& item);

  void hear(const Json& item);
  long long count() const { return count_; }
  /// Returns one sentence with the most frequent reason; "" without refusals.
  std::string text() const;

 private:
  static constexpr std::size_t kMaxReasons = 1000;  // different ones

  long long count_ = 0;
  std::map<std::string, long long> reasons_;
};

}  // namespace pedro
