#pragma once

#include <string>

namespace pedro {

/// Replaces the top-level `anyOf` of a tool's parameters by one object. It has the properties of
/// all options and requires only the common ones. OpenAI's and Anthropic's APIs refuse such an
/// `anyOf`; Ollama and LM Studio drop it. A property that differs between options keeps its common
/// keywords. Returns other parameters unchanged.
std::string merged_options(const std::string& parameters);

/// Adds `"items":{}` to array schemas without items, which OpenAI's API and gpt-oss's chat template
/// reject. Returns parameters that are not JSON unchanged.
std::string with_array_items(const std::string& parameters);

}  // namespace pedro
