#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "chat/message.h"

namespace pedro {

/// Limit of further samples after a loop (LoopDetector).
inline constexpr std::size_t kMaxResamples = 2;
/// Minimum temperature of further samples.
inline constexpr double kResampleTemperature = 0.6;

/// Returns the seed of sample `number`, from 1; nullopt without a seed.
std::optional<std::uint32_t> other_seed(std::optional<std::uint32_t> seed, std::size_t number);

/// Adds the usage of a cut reply and of the next sample, whose prompt was cached.
Usage sum_of_tries(const Usage& cut, Usage next);

/// Returns the notice about a reply that was cut after `tokens` tokens.
std::string resample_notice(long long tokens);

}  // namespace pedro
