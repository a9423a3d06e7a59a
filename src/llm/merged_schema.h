#pragma once

#include <string>

namespace pedro {

/// Replaces the top-level `anyOf` of a tool's parameters by one object. It has the properties of
/// all options and requires only the common ones. OpenAI's and Anthropic's APIs refuse such an
/// `anyOf`; Ollama and LM Studio drop it. A property that differs between options keeps its common
/// keywords. Returns other parameters unchanged.
std::string merged_options(const std::string& parameters);

/// Returns `parameters` with `"items":{}` in each schema of an array that lacks it. OpenAI's API
/// refuses such a schema, and gpt-oss's chat template fails. Other text is returned as it is.
std::string with_array_items(const std::string& parameters);

}  // namespace pedro
