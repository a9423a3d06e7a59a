#include "job/refusals.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxReasonBytes = 160;
constexpr std::string_view kPhaseEnd = "phase_complete";

std::string reason_line(std::string_view text) {
  const std::string_view first = trim(text).substr(0, trim(text).find('\n'));
  const std::string_view kept = truncate_utf8(first, kMaxReasonBytes - 3);
  const std::string line = one_line(kept) + (kept.size() < first.size() ? "..." : "");
  return line.empty() ? "no reason" : line;
}

}  // namespace

std::string Refusals::reason_of(const Json& item) {
  const std::string type = text_of(item, "type");
  if (type == "error") {
    const std::string message = text_of(item, "message");
    if (!message.starts_with(kReplyNotUsed)) return "";
    return reason_line(std::string_view(message).substr(kReplyNotUsed.size()));
  }
  if (type != "tool_call" || truth_of(item, "ok", true)) return "";
  const bool refused = !truth_of(item, "valid", true) || text_of(item, "tool") == kPhaseEnd;
  return refused ? reason_line(text_of(item, "text")) : "";
}

void Refusals::hear(const Json& item) {
  const std::string reason = reason_of(item);
  if (reason.empty()) return;
  ++count_;
  if (reasons_.size() < kMaxReasons || reasons_.contains(reason)) ++reasons_[reason];
}

std::string Refusals::text() const {
  if (count_ == 0) return "";
  const auto most = std::max_element(reasons_.begin(), reasons_.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  if (count_ == 1) return "1 refusal: " + most->first;
  return fmt::format("{} refusals, {} of them: {}", count_, most->second, most->first);
}

}  // namespace pedro
