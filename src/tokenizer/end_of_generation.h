#pragma once

#include <span>
#include <string_view>

namespace pedro {

/// How tokens are written that end a reply in llama.cpp, whatever the model says (llama-vocab.cpp):
/// "<|im_end|>", "</s>". What a model's own file names comes on top.
std::span<const std::string_view> ends_of_generation();

}  // namespace pedro
