#include "llm/steering.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pedro {
namespace {

constexpr std::string_view kNames[] = {"single", "staged", "auto"};

}  // namespace

std::string_view to_string(Steering steering) {
  return kNames[static_cast<int>(steering)];
}

std::optional<Steering> parse_steering(std::string_view text) {
  const auto found = std::find(std::begin(kNames), std::end(kNames), text);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<Steering>(found - std::begin(kNames));
}

Steering SteeringChoice::next() const {
  if (wanted_ != Steering::kAuto) return wanted_;
  const auto& [single, staged] = tried_;
  const bool all_tried = single.calls >= kTried && staged.calls >= kTried;
  if (!all_tried) return single.calls < staged.calls ? Steering::kSingle : Steering::kStaged;
  return staged.ms_per_token() <= single.ms_per_token() ? Steering::kStaged : Steering::kSingle;
}

void SteeringChoice::record(Steering used, double ms, std::size_t tokens) {
  Tried& tried = tried_[used == Steering::kStaged ? 1 : 0];
  if (tried.calls >= kTried || tokens == 0) return;
  ++tried.calls;
  tried.ms += ms;
  tried.tokens += tokens;
}

std::string SteeringChoice::news() {
  const auto& [single, staged] = tried_;
  if (told_ || wanted_ != Steering::kAuto || single.calls < kTried || staged.calls < kTried) {
    return "";
  }
  told_ = true;
  return fmt::format(
      "calls are written {}: {:.1f} ms for a token of a call in stages, {:.1f} in "
      "one request",
      next() == Steering::kStaged ? "in stages" : "in one request", staged.ms_per_token(),
      single.ms_per_token());
}

}  // namespace pedro
