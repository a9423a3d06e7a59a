#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "chat/biased_text.h"

namespace pedro {

/// The largest absolute bias that does not require "force". From about 15 on, a model repeats the
/// text instead of using it more.
inline constexpr double kMaxUnforcedBias = 10;
inline constexpr double kMaxBias = 100;

/// Reads `model.logit_bias`. Texts map to a bias: a number, or {"bias", "capitalised", "force"}.
/// Model names, or prefixes of them with '*', map to objects of the same form, which override the
/// common texts.
///
///   {"action": 5, "args": {"bias": 12, "force": true}, "qwen2.5-coder*": {"action": 7}}
///
/// Checks entries for other models but does not return them. A bias of 0 removes a text. At most 64
/// texts of 64 bytes. Errors (kConfig) name the member: `logit_bias: 'action': expected …`.
Result<std::vector<BiasedText>> read_biases(const Json& settings, std::string_view model);

/// Reads both settings. Entries of `more` override entries of `settings`.
Result<std::vector<BiasedText>> read_biases(const Json& settings, const Json& more,
                                            std::string_view model);

}  // namespace pedro
