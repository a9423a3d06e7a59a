#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
#include "tokenizer/token_id.h"
#include "tokenizer/tokenizer.h"

namespace pedro {

/// The tokens of a streamed completion. llama-server sends no event for a token that ends inside a
/// UTF-8 character. This class recovers the ids. The token count gives their number, the text gives
/// their bytes, and the vocabulary maps bytes to ids.
class StreamedTokens {
 public:
  /// Adds an event: its text, its ids, and the total number of tokens so far (0: unknown).
  void add(std::string_view text, std::span<const TokenId> ids, long long predicted);

  /// Returns the number of tokens, including missing ones.
  long long count() const { return count_; }

  struct Recovered {
    std::vector<TokenId> ids;
    /// The number of leading ids that are exact. Later ids have the same text, but the
    /// server must evaluate them again.
    std::size_t exact = kAll;
    bool is_cut = false;  ///< omits final tokens whose text was never sent
  };
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  /// Returns the errors of the tokenizer.
  Result<Recovered> recover(Tokenizer& tokenizer) const;

 private:
  /// A run of ids with missing ones, and its text.
  struct Gap {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };

  std::vector<TokenId> ids_;  // kMissing for unknown ids
  std::vector<Gap> gaps_;
  std::size_t sent_ = 0;  // ids whose text was sent
  bool has_gap_ = false;  // missing ids after these
  long long count_ = 0;
};

/// A request to continue a prompt of ids.
struct CompletionRequest {
  /// May only grow at its end between calls; see forget_prompt().
  std::span<const TokenId> prompt;
  std::span<const TokenId> begun = {};  ///< ids after `prompt`, only in this request
  std::string_view grammar = {};        ///< GBNF; "": none
  std::string_view json_schema = {};    ///< JSON, converted to a grammar by the server; "": none
  /// Rows "[id,bias],…" of `logit_bias`. `bans` precede `biases`.
  std::string_view bans = {};
  std::string_view biases = {};
  std::span<const std::string> kept_tokens = {};  ///< control tokens that are shown as text
  std::string_view stop = {};                     ///< ends the completion, included in it; "": none
  std::span<const std::string> stops = {};        ///< additional stop texts
  std::optional<std::uint32_t> seed = {};         ///< nullopt: chosen by the server
  bool penalizes_repetition = false;
  bool ends_at_loop = false;  ///< a loop is not sampled again, see GenerateRequest
  /// The server may move cached runs of at least this many ids to their new positions
  /// (kept_by_shift()). 0: uses only the common prefix.
  int shortest_run = 0;
  double temperature = 0;
  long long max_tokens = 0;  ///< at least 1
};

/// The reason why a completion ended.
enum class CompletionEnd {
  kToken,  ///< the last token ends the reply
  kWord,   ///< CompletionRequest::stop was generated
  kLimit,  ///< max_tokens
  kLoop,   ///< cut by this client because it repeats itself
};

struct Completion {
  std::vector<TokenId> tokens;  ///< includes the one that ends the reply
  /// The number of leading tokens with exact ids (StreamedTokens).
  std::size_t exact = StreamedTokens::kAll;
  std::string text;  ///< text of `tokens` as shown by the server; valid UTF-8
  CompletionEnd end = CompletionEnd::kToken;
  Usage usage;
};

/// One slot of a llama-server, which continues prompts of ids (`/completion`). Streams the answer;
/// closing the connection cancels it. A call does no work for earlier parts of a prompt. Errors:
/// those of LlamaClient; kModel for an answer without tokens. Borrows the reference arguments.
/// Belongs to one thread.
class SlotCompletion {
 public:
  SlotCompletion(LlamaClient& client, const GenerateEvents& events, const Clock& clock);
  ~SlotCompletion();

  /// Must be called once, before the first completion.
  void use_slot(int slot, Tokenizer& tokenizer);
  /// Adds these settings to all requests with a temperature above 0; see KnownModel::sampling.
  void use_sampling(Json sampling) { sampling_ = std::move(sampling); }
  int slot() const { return slot_; }

  Result<Completion> complete(const CompletionRequest& request);
  /// The two steps of complete(). Only finish() uses the tokenizer, so other threads may send.
  Status send(const CompletionRequest& request);
  Result<Completion> finish();

  /// Declares that the next prompt does not extend the previous one.
  void forget_prompt();

 private:
  class AnswerReader;
  void write_body(const CompletionRequest& request);

  LlamaClient& client_;
  const GenerateEvents& events_;
  const Clock& clock_;
  std::unique_ptr<AnswerReader> answer_;
  int slot_ = 0;
  Tokenizer* tokenizer_ = nullptr;
  Json sampling_ = Json::object();
  // The JSON of the request. Keeps the prompt's ids at its start between calls and rewrites only
  // the part after them.
  std::string body_;
  std::size_t body_ids_ = 0;     // number of ids in it
  std::size_t body_prefix_ = 0;  // size of these ids in bytes
};

}  // namespace pedro
