#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "format/format_family.h"
#include "llm/llama_client.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// What a model is given for a conversation, or why it cannot be.
struct Given {
  std::string text;
  std::vector<TokenId> ids;
  std::string refusal;

  bool same(const Given& other) const {
    return refusal.empty() == other.refusal.empty() && (!refusal.empty() || ids == other.ids);
  }
};

enum class Thinking { kOn, kOff };

/// As the server's chat endpoint does it: its template, and of that all that spells a token.
Given by_server(LlamaClient& client, const Json& conversation, Thinking thinking);

/// As we do it. Not rendered where it is not valid.
Given by_us(const FormatFamily& family, Tokenizer& tokenizer, const Json& conversation,
            std::string_view date);

/// Today, where templates ask a request.
inline constexpr std::string_view kDate = "2026-11-22";

}  // namespace pedro
