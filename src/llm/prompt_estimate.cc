#include "llm/prompt_estimate.h"

#include <algorithm>
#include <cmath>

namespace pedro {
namespace {

// Weight of the newest ratio, and limits of the ratio. Limits the influence of a server that counts
// something else.
constexpr double kNewest = 0.5;
constexpr double kLeastRatio = 0.5;
constexpr double kMostRatio = 3;

}  // namespace

void PromptEstimate::begin_anew() {
  sums_ = {0};
  rest_ = -1;
  counted_messages_ = 0;
  counted_tokens_ = 0;
  reply_tokens_.reset();
}

long long PromptEstimate::of(const ChatRequest& request) {
  for (std::size_t i = sums_.size() - 1; i < request.messages.size(); ++i) {
    sums_.push_back(sums_.back() + tokens_->of_message(request.messages[i]));
  }
  if (rest_ < 0) rest_ = tokens_->of_the_rest(request);
  const std::size_t known = std::min(counted_messages_, sums_.size() - 1);
  const long long unknown = sums_.back() - sums_[known] + (known == 0 ? rest_ : 0);
  return counted_tokens_ + std::llround(ratio_ * static_cast<double>(unknown));
}

void PromptEstimate::counted(const ChatRequest& request, long long prompt_tokens,
                             long long generated_tokens) {
  reply_tokens_.reset();
  if (prompt_tokens <= 0) return;
  const long long estimated = sums_.back() + std::max(0LL, rest_);
  if (estimated > 0 && sums_.size() == request.messages.size() + 1) {
    const double ratio = static_cast<double>(prompt_tokens) / static_cast<double>(estimated);
    const double believed = has_ratio_ ? kNewest : 1;
    ratio_ += believed * (std::clamp(ratio, kLeastRatio, kMostRatio) - ratio_);
    has_ratio_ = true;
  }
  counted_tokens_ = prompt_tokens + generated_tokens;
  counted_messages_ = request.messages.size() + 1;
  reply_tokens_ = generated_tokens;
}

void PromptEstimate::withdraw() {
  if (!reply_tokens_) return;
  counted_tokens_ -= *reply_tokens_;
  --counted_messages_;
  reply_tokens_.reset();
}

}  // namespace pedro
