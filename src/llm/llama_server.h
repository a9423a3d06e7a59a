#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "format/transcript.h"
#include "llm/bias_rows.h"
#include "llm/capability_cache.h"
#include "llm/llama_client.h"
#include "llm/model.h"
#include "llm/reply_hold.h"
#include "llm/served_family.h"
#include "llm/served_format.h"
#include "llm/slot_completion.h"
#include "llm/staged_call.h"
#include "llm/steering.h"
#include "llm/thinking_stage.h"
#include "tokenizer/server_choice.h"
#include "tokenizer/token_probe.h"
#include "tokenizer/traced_tokenizer.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {

/// What `doctor` shows of a server beside ModelInfo.
struct ServerDetails {
  std::string build;
  int slots = 0;
  int slot = 0;            ///< the one this conversation is pinned to
  std::string format_why;  ///< how it came to the format that ModelInfo names
  /// Where the format was asked for by name: tags of it that are no tokens of the model.
  std::vector<std::string> spelled_tags;
  std::size_t control_tokens = 0;  ///< banned inside calls
  std::string tokenizer;           ///< who makes tokens: a vocabulary's name, or "server"
  std::string tokenizer_why;       ///< see ServerChoice
  bool tokenizer_mismatch = false;
};

/// A llama-server, spoken to in token ids: `/completion` with the ids of an append-only transcript
/// in the words of the model's family, a grammar, a pinned slot and the prefix cache on. Tokens are
/// made here, where the model's vocabulary is here and proves to be the server's
/// (choose_tokenizer). A reply that has to be a call is begun with what all calls begin with, and
/// written in stages where that is faster (StagedCall). What is done about a reply that does not
/// come, ReplyRecovery says; one that the grammar does not allow is read as if there had been none,
/// and a notice says so. Under a schema a reply is JSON in text, begun with nothing and in one
/// request. Where a request has room for thinking, that is a stage before the rest, apart from it,
/// and closed by us where the model does not come to an end. In hybrid mode a reply that cannot be
/// had under a grammar or a schema goes on without. A request whose answer repeats itself is cut
/// and made again (resampling.h).
class LlamaServer : public Model {
 public:
  struct Settings {
    std::string format = "auto";   ///< the name of a family, "auto" or "learned"
    long long context_tokens = 0;  ///< overrides what the server says; 0 does not
    Steering steering = Steering::kAuto;
    CapabilityCache* capabilities = nullptr;  ///< null: they are tried each time
    bool tries_capabilities = false;          ///< also where they are known
    bool shifts_cache = true;                 ///< where it can be done
  };

  /// Borrows all but the values.
  LlamaServer(Http& http, ServerOptions options, Settings settings, VocabularyStore& vocabularies,
              GenerateEvents events, const Clock& clock, const CancelToken& cancel);

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;
  void begin_anew() override;
  void withdraw() override;
  Result<Reply> ask_aside(const GenerateRequest& request) override;
  Status restore(const GenerateRequest& request, const Reply& reply, Asked where) override;
  Result<std::optional<long long>> count_prompt(const GenerateRequest& request) override;
  bool counts_exactly() const override { return true; }
  long long count_text(std::string_view text) override;
  Status compacted(const ChatRequest& chat, std::span<const std::size_t> origins) override;

  /// Where tokens are made here: whether that is right for all tokens of the vocabulary, one by one
  /// (probe_tokens). Nothing where the server makes them.
  Result<std::optional<ProbeResult>> check_tokens();

  const ServerDetails& details() const { return details_; }

 private:
  Status choose_tokenizer(const Json& props);
  Tokenizer& tokenizer_of_turns();
  Status pick_slot(int slots);
  Result<Capabilities> find_capabilities(const Json& props);
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
  Reply take_text(const GenerateRequest& request, const Completion& answer);
  void tell_disobeyed(std::string_view what) const;
  CompletionRequest completion(const GenerateRequest& request, bool constrained) const;
  Result<Completion> complete(CompletionRequest request);
  Result<Completion> complete_once(CompletionRequest& request);
  long long expected_cached() const { return transcript_->expected_cached() + shifted_; }
  void notice(std::string_view message) const;

  LlamaClient client_;
  VocabularyStore& vocabularies_;
  std::unique_ptr<Tokenizer> tokenizer_;  // set by open()
  VocabularyTokenizer* local_ = nullptr;  // the same, where it is one of a vocabulary
  std::optional<TracedTokenizer> traced_;
  Settings settings_;
  SlotCompletion slot_;
  SteeringChoice steering_;
  std::optional<ServedFormat> format_;
  std::optional<Transcript> transcript_;  // borrows format_
  std::optional<PromptEncoder> encoder_;  // of what is written into calls
  bool compacted_ = false;                // and not asked to go on since
  long long shifted_ = 0;                 // ids that the server can move in its cache then
  bool cache_known_ = true;               // it has what was asked for here
  std::string traced_grammar_;
  Capabilities can_;
  std::set<std::string> told_;    // of what is done without
  const Prompt* lead_ = nullptr;  // what the reply is begun with
  // What the reply is begun with before that. It stays where the rest does not come at first.
  std::optional<Thought> thought_;
  long long thought_expected_ = 0;    // Transcript::expected_cached() before it
  std::vector<long long> discarded_;  // of this reply
  BiasRows bias_rows_;
  GenerateEvents events_;
  const Clock& clock_;
  ServerDetails details_;
};

}  // namespace pedro
