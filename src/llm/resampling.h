#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "chat/message.h"

namespace pedro {

/// A reply that repeats itself is cut (LoopDetector) and asked for again, up to this often.
inline constexpr std::size_t kMaxResamples = 2;
/// At least this temperature.
inline constexpr double kResampleTemperature = 0.6;

/// Another seed for the try with this number, from 1; none where there is none.
std::optional<std::uint32_t> other_seed(std::optional<std::uint32_t> seed, std::size_t number);

/// The usage of a reply that was cut, and of the next try, whose prompt was in the cache.
Usage sum_of_tries(const Usage& cut, Usage next);

/// The notice about a reply that was cut after so many tokens.
std::string resample_notice(long long tokens);

}  // namespace pedro
