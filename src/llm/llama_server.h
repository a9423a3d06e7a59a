#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "format/choose_format.h"
#include "format/transcript.h"
#include "llm/grammar_watch.h"
#include "llm/llama_client.h"
#include "llm/model.h"
#include "llm/served_format.h"
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
  /// False: `/slots` is off, so replies are streamed, and a token that ends inside a UTF-8
  /// character goes unseen: the tokens after it are then evaluated twice.
  bool shows_slots = true;
};

/// A llama-server, spoken to in token ids: `/completion` with the ids of an append-only transcript
/// in the words of the model's family, a grammar, a pinned slot and the prefix cache on. Tokens are
/// made here, where the model's vocabulary is here and proves to be the server's
/// (choose_tokenizer). A reply that has to be a call is begun with what all calls begin with. What
/// is done about a reply that does not come, ReplyRecovery says; one that the grammar does not
/// allow is read as if there had been none, and a notice says so.
class LlamaServer : public Model {
 public:
  /// `format` is the name of a family, "auto" or "learned". `context_tokens` overrides what the
  /// server says, 0 does not. `watch_http` asks for progress while `http` waits for a reply.
  /// Borrows all but the values.
  LlamaServer(Http& http, Http& watch_http, ServerOptions options, std::string format,
              long long context_tokens, VocabularyStore& vocabularies, GenerateEvents events,
              const Clock& clock, const CancelToken& cancel);

  Result<ModelInfo> open() override;
  Result<Reply> generate(const GenerateRequest& request) override;

  /// Where tokens are made here: whether that is right for all tokens of the vocabulary, one by one
  /// (probe_tokens). Nothing where the server makes them.
  Result<std::optional<ProbeResult>> check_tokens();

  const ServerDetails& details() const { return details_; }

 private:
  Status choose_tokenizer(const Json& props);
  Tokenizer& tokenizer_of_turns();
  Status pick_slot(int slots);
  Result<ChosenFormat> choose_family();
  Status check_named_format(const FormatFamily& family);
  Result<bool> probe_grammar();
  void trace_grammar(const std::string& grammar);
  void find_bias_rows(std::span<const BiasedText> texts);
  void write_body(const GenerateRequest& request, bool constrained, long long n_predict);
  Result<Json> ask(const GenerateRequest& request, bool constrained, long long n_predict);
  void tell_disobedience();
  /// `body` is taken for the time of the call and given back.
  Result<Json> complete(std::string& body, int slot);
  Result<Json> complete_whole(std::string& body, int slot);
  Result<Json> complete_streamed(std::string& body);

  LlamaClient client_;
  LlamaClient watch_client_;
  VocabularyStore& vocabularies_;
  std::unique_ptr<Tokenizer> tokenizer_;  // set by open()
  VocabularyTokenizer* local_ = nullptr;  // the same, where it is one of a vocabulary
  std::optional<TracedTokenizer> traced_;
  std::string format_name_;
  std::optional<ServedFormat> format_;
  std::optional<Transcript> transcript_;  // borrows format_
  std::string traced_grammar_;
  GrammarWatch grammar_watch_;
  bool grammar_enforced_ = false;
  std::vector<BiasedText> biased_;  // what bias_rows_ are of
  std::string bias_rows_;           // JSON rows "[id,bias],…"
  GenerateEvents events_;
  const Clock& clock_;
  long long context_tokens_;
  ServerDetails details_;
  // The request's JSON. The ids at its beginning stay from one call to the next; only what follows
  // them is written anew, so a call costs no work for what was sent before.
  std::string body_;
  std::size_t body_ids_ = 0;     // how many ids are in it
  std::size_t body_prefix_ = 0;  // how many bytes they take
};

}  // namespace pedro
