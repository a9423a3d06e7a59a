#include "tokenizer/estimate_tokenizer.h"

#include <fmt/format.h>

#include <cmath>

namespace pedro {

std::size_t EstimateTokenizer::estimate_of(std::size_t counted) const {
  return static_cast<std::size_t>(std::llround(static_cast<double>(counted) * factor_));
}

Result<std::size_t> EstimateTokenizer::count(std::string_view text, Specials specials) {
  PEDRO_TRY(const auto counted, counting_->count(text, specials));
  return estimate_of(counted);
}

std::string EstimateTokenizer::provider_name() const {
  return fmt::format("{} \u00D7 {}", counting_->provider_name(), factor_);
}

}  // namespace pedro
