#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "chat_format/format_family.h"
#include "llm/llama_client.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// A model's prompt for a conversation, or the reason that there is none.
struct Given {
  std::string text;
  std::vector<TokenId> ids;
  std::string refusal;

  bool same(const Given& other) const {
    return refusal.empty() == other.refusal.empty() && (!refusal.empty() || ids == other.ids);
  }
};

enum class Thinking { kOn, kOff };

/// The prompt of the server's chat endpoint: its template, in which all text may spell tokens.
Given by_server(LlamaClient& client, const Json& conversation, Thinking thinking);

/// Our prompt. An invalid conversation is not rendered.
Given by_us(const FormatFamily& family, Tokenizer& tokenizer, const Json& conversation,
            std::string_view date);

/// The current date, for templates that need it from the request.
inline constexpr std::string_view kDate = "2026-11-22";

}  // namespace pedro
