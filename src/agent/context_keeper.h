#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agent/feedback.h"
#include "agent/run_hooks.h"
#include "agent/run_observer.h"
#include "base/trace.h"
#include "context/budget.h"
#include "context/compaction.h"
#include "context/conversation.h"
#include "context/ledger.h"
#include "job/answer_log.h"
#include "llm/model.h"
#include "tools/registry.h"

namespace pedro {

/// A model's summary of a conversation, or the reason for its absence.
struct Summary {
  std::string text;     ///< "": none
  std::string problem;  ///< reason if there is no text
  Usage usage;
};

/// The reply that a summary is.
enum class SummaryForm {
  kCall,  ///< a call of the undeclared tool `summary`, for models that can be constrained to it
  kText,  ///< plain text, for servers that accept only calls of declared tools
};

/// Requests summaries of a conversation from a model before a compaction. The request
/// (Model::ask_aside()) follows the last message, so that the server's KV cache is still valid. The
/// previous summary is part of the conversation, so its contents carry over. Borrows both; one
/// thread.
class Summarizer {
 public:
  Summarizer(Model& model, const Feedback& feedback, SummaryForm form = SummaryForm::kCall)
      : model_(model), feedback_(feedback), form_(form) {}

  /// Summarizes `request.chat`, whose last message is `last`, in at most `tokens` tokens. Returns
  /// the stored summary for an unchanged conversation. `room` is the token limit for question and
  /// summary together. Failures of the model or its server result in a Summary without text.
  /// Errors: kInterrupted.
  Result<Summary> write(const GenerateRequest& request, MessageId last, long long tokens,
                        long long room);

 private:
  Result<Summary> ask(const GenerateRequest& request, long long tokens, long long room);

  Model& model_;
  const Feedback& feedback_;
  SummaryForm form_;
  MessageId covered_ = 0;  // last message covered by summary_
  Summary summary_;
};

/// The replacement for removed exchanges in the conversation.
enum class Note {
  kNone,
  kDigest,   ///< a few lines made without a model
  kSummary,  ///< text of the model, else a digest
};

/// The settings that keep a conversation inside a context window.
struct ContextSettings {
  double high_water = 0.85;      ///< see Budget
  double low_water = 0.35;       ///< see Budget
  long long reserve_tokens = 0;  ///< see Budget
  CompactionRules rules;
  Note note = Note::kDigest;
  SummaryForm summary_form = SummaryForm::kCall;
};

/// Adapts the settings to a model. Some servers shift their KV cache, others accept only calls of
/// declared tools.
ContextSettings suited_to(ContextSettings settings, const ModelInfo& model);
/// Adapts the settings to a server that can or cannot shift its KV cache. With a shift, a marker
/// would invalidate the cache after it. kClear is then removed, unless it is the only strategy.
ContextSettings suited_to(ContextSettings settings, bool moves_cache);

/// Returns the largest size of a note in tokens.
long long note_tokens(const ContextSettings& settings, const Budget& budget);

/// Keeps the conversation of a job inside the model's context window. Each request is counted
/// before it is sent, and compacted if is_due(). Removed texts are stored, so that the model can
/// read them. The observer receives additions and removals. Borrows all references; one thread.
class ContextKeeper {
 public:
  ContextKeeper(Model& model, ToolContext& tools, const Feedback& feedback, RunObserver& observer,
                AnswerLog& answers, ContextSettings settings, RunHooks* hooks = nullptr);

  /// Starts a new conversation; the model forgets this one. Later ids of messages continue the
  /// sequence.
  void begin_anew();

  /// Sets the context window. Call it before the first request. Counts are tokens.
  void set_window(long long context_tokens, long long reply_tokens);

  Conversation& conversation() { return conversation_; }
  const Conversation& conversation() const { return conversation_; }
  const ChatRequest& request() const { return conversation_.request(); }
  const Budget& budget() const { return budget_; }

  /// Returns the tokens available for the next prompt in the conversation. Reserves room for the
  /// pinned messages and for work. Returns 0 if the window is unknown. O(messages).
  long long opening_room() const;
  /// Returns the tokens available for a prompt in a separate conversation with this system prompt.
  /// 0 if the window is unknown.
  long long apart_room(std::string_view system) const;

  /// Counts the request and compacts it if due. Must be called before each request. Errors: kLimit
  /// if the pinned exchanges are too large; of the model and the log.
  Status fit(const GenerateRequest& request);

  /// Compacts after the server rejected the conversation as too long. The window is then smaller
  /// than expected, or the count was wrong. Ignores the high mark. A window of 0 is unknown: this
  /// compaction then aims at less than the current conversation.
  Status shrink(const GenerateRequest& request, const Overflow& overflow);

  /// Returns the usage of summaries since the last call.
  Usage take_usage() { return std::exchange(usage_, {}); }

  /// Sets the server's count of a prompt, unless the model has counted it.
  void measured(long long prompt_tokens);

 private:
  Status count(const GenerateRequest& request);
  Status compact(const GenerateRequest& request, bool must);
  void tell_if_tight(const CompactionReport& report);
  Result<std::vector<WrittenPart>> set_aside(const Compaction& compaction,
                                             CompactionReport& report);
  Status summarize(const GenerateRequest& request, CompactionReport& report);
  Result<WrittenPart> make_note(const Compaction& compaction, CompactionReport& report);
  std::string summary_text() const;
  std::string digest_text(std::size_t bytes) const;
  void remember(const Compaction& compaction);
  std::string text_of_removed(const Compaction& compaction) const;
  std::string state_of(const std::string& path) const;
  std::string state_now(const std::string& path) const;

  Model& model_;
  ToolContext& tools_;
  const Feedback& feedback_;
  RunObserver& observer_;
  AnswerLog& answers_;
  RunHooks* hooks_;
  ContextSettings settings_;
  Budget budget_;
  Conversation conversation_;
  Digest digest_;
  Summarizer summarizer_;
  std::string summary_;  // of the exchanges about to be removed
  Usage usage_;
  std::string removed_as_;  // name of the text removed last
  bool exact_ = false;      // the model counted the current prompt
  bool tight_told_ = false;
  MessageId told_ = 0;  // the last message reported to the observer
};

}  // namespace pedro
