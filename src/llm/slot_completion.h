#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "chat/message.h"
#include "llm/llama_client.h"
#include "llm/model.h"
#include "llm/streamed_tokens.h"
#include "tokenizer/token_id.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// What to generate behind a prompt of ids.
struct CompletionRequest {
  /// May only grow, at its end, from one call to the next; see forget_prompt().
  std::span<const TokenId> prompt;
  std::span<const TokenId> begun = {};  ///< what stands behind it in this request
  std::string_view grammar = {};        ///< GBNF; "": none
  std::string_view json_schema = {};    ///< JSON, for the server to make a grammar of; "": none
  /// Rows of `logit_bias`, "[id,bias],…", banned tokens first.
  std::string_view bans = {};
  std::string_view biases = {};
  std::span<const std::string> kept_tokens = {};  ///< control tokens that are shown as text
  std::string_view stop = {};                     ///< a text to stop behind; "": none
  std::span<const std::string> stops = {};        ///< more of them
  std::optional<std::uint32_t> seed = {};         ///< none: the server picks one
  bool penalizes_repetition = false;
  /// Runs of at least so many ids that are in the server's cache may be moved to where they stand
  /// in the prompt now (kept_by_shift()); 0: only what it begins with is taken from there.
  int shortest_run = 0;
  double temperature = 0;
  long long max_tokens = 0;  ///< at least 1
};

/// How a completion came to its end.
enum class CompletionEnd {
  kToken,  ///< with a token that ends the reply, the last one
  kWord,   ///< behind CompletionRequest::stop
  kLimit,  ///< max_tokens
  kLoop,   ///< cut here, because it repeats itself
};

struct Completion {
  std::vector<TokenId> tokens;  ///< with one that ends the reply
  /// The number of leading tokens with exact ids (StreamedTokens).
  std::size_t exact = StreamedTokens::kAll;
  std::string text;  ///< of them, as far as the server shows it; valid UTF-8
  CompletionEnd end = CompletionEnd::kToken;
  Usage usage;
};

/// One slot of a llama-server that continues a prompt of ids (`/completion`). Streams the answer;
/// closing the connection cancels it. A call does no work for earlier prompts. Errors as
/// LlamaClient has them, and kModel where an answer has no tokens. Borrows all but the values; one
/// thread.
class SlotCompletion {
 public:
  SlotCompletion(LlamaClient& client, const GenerateEvents& events, const Clock& clock);

  /// Call this once, before the first completion.
  void use_slot(int slot, Tokenizer& tokenizer);
  int slot() const { return slot_; }

  Result<Completion> complete(const CompletionRequest& request);

  /// The next prompt is another one.
  void forget_prompt();

 private:
  void write_body(const CompletionRequest& request);

  LlamaClient& client_;
  const GenerateEvents& events_;
  const Clock& clock_;
  int slot_ = 0;
  Tokenizer* tokenizer_ = nullptr;
  // The request's JSON. The prompt's ids at its beginning stay from one call to the next; only what
  // follows them is written anew.
  std::string body_;
  std::size_t body_ids_ = 0;     // how many ids are in it
  std::size_t body_prefix_ = 0;  // how many bytes they take
};

}  // namespace pedro
