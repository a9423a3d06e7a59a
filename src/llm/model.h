#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/result.h"
#include "chat/message.h"

namespace pedro {

/// What a model can do, known once it was opened.
struct ModelInfo {
  std::string name;               ///< as the server calls it
  std::string backend;            ///< "llamacpp", "replay"
  long long context_tokens = 0;   ///< of one slot: prompt and reply together
  bool grammar_enforced = false;  ///< a probe showed that a grammar is obeyed
};

/// One inference.
struct GenerateRequest {
  /// The whole conversation, oldest first. Between calls of one Model it may only grow at its end.
  std::span<const Message> conversation;
  std::string_view grammar;  ///< GBNF; empty: unconstrained
  double temperature = 0.2;
  long long max_tokens = 4096;  ///< of the reply
};

enum class StopReason {
  kEnd,    ///< the model ended its turn, or the grammar was complete
  kLimit,  ///< max_tokens or the window: the reply is cut
};
std::string_view to_string(StopReason reason);

struct Reply {
  std::string text;
  StopReason stop = StopReason::kEnd;
  Usage usage;
  /// How many prompt tokens the server should have had in its cache, had it forgotten nothing; -1
  /// where that is not known. The gap to usage.cached_tokens is what was evaluated twice.
  long long expected_cached_tokens = -1;
};

/// What is heard while an inference runs. Every function may be empty.
struct GenerateEvents {
  std::function<void(long long processed, long long total)> on_prefill;  ///< prompt tokens
  std::function<void(long long tokens)> on_generated;                    ///< so far, of the reply
  std::function<void(std::string_view message)> on_notice;  ///< e.g. "loading; waiting"
};

/// A model behind a server, or a recording of one. Errors: kModel (server, model, protocol; the
/// message says what to do), kLimit (the prompt does not fit the window), kInterrupted. Belongs to
/// one thread; one instance is one conversation.
class Model {
 public:
  virtual ~Model() = default;

  /// Connects, waits while the model is being loaded, finds out what it can do. Called once, first.
  virtual Result<ModelInfo> open() = 0;

  virtual Result<Reply> generate(const GenerateRequest& request) = 0;

  /// How many tokens `conversation` has as a prompt, without generating.
  virtual Result<long long> count(std::span<const Message> conversation) = 0;
};

}  // namespace pedro
