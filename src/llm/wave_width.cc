#include "llm/wave_width.h"

#include <algorithm>
#include <cmath>

namespace pedro {
namespace {

constexpr long long kFewestPromptTokens = 32;  // fewer measure the overhead of a request
constexpr long long kFewestReplyTokens = 8;

// The expected total time of all requests in waves of `width`.
double total_ms(const WavePlan& plan, const ServerPace& pace, std::size_t width) {
  const auto requests = static_cast<double>(plan.requests);
  double tokens = requests * plan.tail_tokens;
  for (std::size_t i = 0; i + 1 < width; ++i) tokens += plan.cold_tokens[i];
  const double waves = std::ceil(requests / static_cast<double>(width));
  return tokens * pace.prefill_ms() + waves * plan.reply_tokens * pace.decode_ms(width);
}

}  // namespace

void ServerPace::add(const Usage& usage) {
  const long long evaluated = usage.prompt_tokens - std::max(0LL, usage.cached_tokens);
  if (evaluated >= kFewestPromptTokens && usage.prompt_ms > 0) {
    prefill_ms_ = usage.prompt_ms / static_cast<double>(evaluated);
  }
  if (usage.generated_tokens >= kFewestReplyTokens && usage.generate_ms > 0) {
    decode_ms_ = usage.generate_ms / static_cast<double>(usage.generated_tokens);
  }
}

void ServerPace::add_together(const std::vector<Usage>& replies) {
  double ms = 0;
  double tokens = 0;
  for (const Usage& usage : replies) {
    ms += usage.generate_ms;
    tokens += static_cast<double>(usage.generated_tokens);
  }
  if (replies.size() < 2 || tokens <= 0 || ms <= 0) return;
  const double further = static_cast<double>(replies.size() - 1);
  further_ms_ = std::max(0.0, (ms / tokens - decode_ms_) / further);
}

double ServerPace::decode_ms(std::size_t width) const {
  const double further_ms = further_ms_ < 0 ? prefill_ms_ : further_ms_;
  return decode_ms_ + further_ms * static_cast<double>(width - 1);
}

std::size_t wave_width(const WavePlan& plan, const ServerPace& pace) {
  if (pace.prefill_ms() <= 0 || pace.decode_ms() <= 0) return 1;
  const std::size_t most = std::min(plan.requests, plan.cold_tokens.size() + 1);
  std::size_t best = 1;
  for (std::size_t width = 2; width <= most; ++width) {
    if (total_ms(plan, pace, width) < total_ms(plan, pace, best)) best = width;
  }
  return best;
}

}  // namespace pedro
