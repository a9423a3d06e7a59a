#include "llm/resampling.h"

#include <fmt/format.h>

namespace pedro {

std::optional<std::uint32_t> other_seed(std::optional<std::uint32_t> seed, std::size_t number) {
  constexpr std::uint32_t kStep = 0x9E3779B9;  // far from the seeds of other replies
  if (seed) *seed += static_cast<std::uint32_t>(number) * kStep;
  return seed;
}

Usage sum_of_tries(const Usage& cut, Usage next) {
  if (cut.prompt_tokens > 0) {
    next.prompt_tokens = cut.prompt_tokens;
    next.cached_tokens = cut.cached_tokens;
  }
  next.generated_tokens += cut.generated_tokens;
  next.prompt_ms += cut.prompt_ms;
  next.generate_ms += cut.generate_ms;
  return next;
}

std::string resample_notice(long long tokens) {
  return fmt::format("the reply repeated itself after {} tokens; asked again", tokens);
}

}  // namespace pedro
