#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agent/feedback.h"
#include "agent/run_observer.h"
#include "agent/summarizer.h"
#include "base/trace.h"
#include "context/budget.h"
#include "context/compaction.h"
#include "context/conversation.h"
#include "context/digest.h"
#include "job/answer_log.h"
#include "llm/model.h"
#include "tools/registry.h"

namespace pedro {

/// What stands for exchanges that left.
enum class Note {
  kNone,
  kDigest,   ///< a few lines, made without a model
  kSummary,  ///< what the model wrote, else a digest
};

/// How a conversation is kept inside a model's window.
struct ContextSettings {
  double high_water = 0.85;      ///< see Budget
  double low_water = 0.35;       ///< see Budget
  long long reserve_tokens = 0;  ///< see Budget
  CompactionRules rules;
  Note note = Note::kDigest;
};

/// The same, for a server that moves its cache or does not. Where it does, words in place of a
/// result would end what it has behind them: whole exchanges leave instead, if settings have a way.
ContextSettings suited_to(ContextSettings settings, bool moves_cache);

/// How large a note may be.
long long note_tokens(const ContextSettings& settings, const Budget& budget);

/// Holds the conversation of a job and keeps it inside the model's window: before each request it
/// is counted, and where that is due (is_due()), it is compacted in one step. What leaves is set
/// aside, so that the model can ask for it. The observer hears what came in and what left.
/// Borrows all but the values; one thread.
class ContextKeeper {
 public:
  ContextKeeper(Model& model, ToolContext& tools, const Feedback& feedback, RunObserver& observer,
                AnswerLog& answers, ContextSettings settings);

  /// Another conversation begins: the model forgets this one, and ids of messages go on.
  void begin_anew();

  /// The window as it is found: before the first request.
  void set_window(long long context_tokens, long long reply_tokens);

  Conversation& conversation() { return conversation_; }
  const Conversation& conversation() const { return conversation_; }
  const ChatRequest& request() const { return conversation_.request(); }
  const Budget& budget() const { return budget_; }

  /// To be called before each request: counts it, and compacts where that is needed. kLimit where
  /// what has to stay is too much.
  Status fit(const GenerateRequest& request);

  /// The server found the conversation too long: its window is smaller than it was thought to be,
  /// or the count was wrong. Compacts, whatever the marks say.
  Status shrink(const GenerateRequest& request, const Overflow& overflow);

  /// What was used up by summaries since it was asked for last.
  Usage take_usage() { return std::exchange(usage_, {}); }

  /// What a reply's server says of its prompt; it counts where the model could not tell before.
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
  ContextSettings settings_;
  Budget budget_;
  Conversation conversation_;
  Digest digest_;
  Summarizer summarizer_;
  std::string summary_;  // of what is about to leave
  Usage usage_;
  std::string removed_as_;  // where what was removed last is kept
  bool exact_ = false;      // the model counted the prompt at hand
  bool tight_told_ = false;
  MessageId told_ = 0;  // the last message that the observer heard of
};

}  // namespace pedro
