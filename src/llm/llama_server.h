#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "chat_format/transcript.h"
#include "llm/model.h"
#include "llm/opened_server.h"
#include "llm/reply_hold.h"
#include "llm/slot_completion.h"
#include "llm/staged_call.h"
#include "llm/steering.h"
#include "llm/token_bias.h"
#include "tokenizer/token_probe.h"

namespace pedro {

/// A llama-server that is used with token ids. Calls `/completion` with an append-only transcript
/// in the model family's format, a grammar, a pinned slot and prefix caching.
///
/// - Tokenizes locally if the model's vocabulary is available and matches the server
///   (choose_tokenizer).
/// - Begins a reply that must be a call with the common prefix of all calls. Writes it in stages if
///   that is faster (StagedCall).
/// - Recovers from failed replies (ReplyRecovery). Parses a reply that violates its grammar like an
///   unconstrained one, with a notice.
/// - Requests a reply under a schema as JSON in text, without a prefix and in one request.
/// - Generates thinking in a separate stage before the reply, if a request permits it. Closes the
///   thinking if the model does not end it.
/// - Continues unconstrained in hybrid mode if the server refuses a grammar or a schema.
/// - Answers separate requests at the same time if other slots are idle and it is faster.
/// - Cuts a reply that repeats itself and samples again (kMaxResamples).
class LlamaServer : public Model {
 public:
  using Settings = LlamaSettings;

  /// Borrows the reference arguments.
  LlamaServer(Http& http, ServerOptions options, Settings settings, VocabularyStore& vocabularies,
              GenerateEvents events, const Clock& clock, const CancelToken& cancel);

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  Result<std::string> served_model() override;
  Result<std::size_t> together(std::span<const GenerateRequest> requests) override;
  void begin_anew() override;
  void withdraw() override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return true; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

  /// Compares every token of the local vocabulary with the server's (probe_tokens). Returns nullopt
  /// if the server tokenizes.
  Result<std::optional<ProbeResult>> check_tokens();

  const ServerDetails& details() const { return server_.details; }

  /// Returns true if open() failed because neither the server nor this machine has a tokenizer for
  /// the model.
  bool lacks_tokenizer() const { return server_.lacks_tokenizer; }

 private:
  ReplyHold hold_of(const GenerateRequest& request);
  Status think(const GenerateRequest& request);
  Result<long long> room_left() const;
  void add_thought(Reply& reply);
  std::optional<CacheMiss> miss_in(const Usage& usage);
  void trace_grammar(const std::string& grammar);
  Status extend(const GenerateRequest& request);
  Result<Reply> write_call(const GenerateRequest& request, long long room);
  Result<Reply> write_json(const GenerateRequest& request, long long room);
  Result<Reply> write_text(const GenerateRequest& request, long long room);
  CompletionRequest text_request(const GenerateRequest& request, long long room) const;
  Reply take_text(const GenerateRequest& request, const Completion& answer);
  void tell_disobeyed(std::string_view what) const;
  CompletionRequest completion(const GenerateRequest& request, bool constrained) const;
  Result<Completion> complete(CompletionRequest request);
  Result<Completion> complete_once(CompletionRequest& request);
  long long expected_cached() const { return transcript_->expected_cached() + shifted_; }
  void notice(std::string_view message) const;

  LlamaClient client_;
  VocabularyStore& vocabularies_;
  OpenedServer server_;
  Settings settings_;
  SlotCompletion slot_;
  SteeringChoice steering_;
  std::optional<Transcript> transcript_;  // borrows server_
  std::optional<PromptEncoder> encoder_;  // for text that is written into calls
  bool compacted_ = false;                // no request since the last compaction
  long long shifted_ = 0;                 // ids that the server can move in its cache then
  bool cache_known_ = true;               // the cache contains the ids of this process's requests
  std::string traced_grammar_;
  std::set<std::string> told_;    // notices about unavailable features
  const Prompt* lead_ = nullptr;  // prefix of the reply
  // Thinking before lead_. Kept if the rest of the reply fails at first.
  std::optional<Thought> thought_;
  long long thought_expected_ = 0;    // Transcript::expected_cached() before thought_
  std::vector<long long> discarded_;  // tokens of this reply's discarded samples
  std::optional<ExtraSlots> extra_;   // if the server has other slots
  ServerPace pace_;
  BiasRows bias_rows_;
  GenerateEvents events_;
  const Clock& clock_;
  const CancelToken& cancel_;
};

}  // namespace pedro
