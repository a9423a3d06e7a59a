#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "chat/biased_text.h"

namespace pedro {

/// A bias further from 0 has to be forced. From about 15 on a model repeats the text instead of
/// using it more.
inline constexpr double kMaxUnforcedBias = 10;
inline constexpr double kMaxBias = 100;

/// Reads `model.logit_bias`: texts with their bias, a number or {"bias", "capitalised", "force"},
/// and for single models, by name or its beginning and '*', objects of the same that come on top:
///
///   {"action": 5, "args": {"bias": 12, "force": true}, "qwen2.5-coder*": {"action": 7}}
///
/// What is meant for other models is checked and left out; a bias of 0 takes a text away. At most
/// 64 texts of 64 bytes. Errors (kConfig) name the member: `logit_bias: 'action': expected …`.
Result<std::vector<BiasedText>> read_biases(const Json& settings, std::string_view model);

/// The same with those of `more` on top.
Result<std::vector<BiasedText>> read_biases(const Json& settings, const Json& more,
                                            std::string_view model);

}  // namespace pedro
