#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/chat_request.h"

namespace pedro {

/// The token at both ends of a string in the texts of Gemma 4.
inline constexpr std::string_view kGemmaQuote = "<|\"|>";

/// A text of Gemma 4, cut at its quotes: the quote is between any two of the texts.
using GemmaText = std::vector<std::string>;

/// Returns a value of an argument. Members are in the order of their names, without quotes.
GemmaText gemma_value(std::string_view json);

/// Returns a declared tool: "declaration:NAME{description:…,parameters:{…}}". Like the template,
/// omits properties with the names of keywords. Types nested more than 16 levels deep are empty.
GemmaText gemma_tool(const DeclaredTool& tool);

}  // namespace pedro
