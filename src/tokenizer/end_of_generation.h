#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// The texts of tokens that llama.cpp treats as ends of generation in every model
/// (llama-vocab.cpp): "<|im_end|>", "</s>". A model's own file may name more.
std::span<const std::string_view> ends_of_generation();

}  // namespace pedro
