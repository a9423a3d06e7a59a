#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "agent/context_keeper.h"
#include "agent/feedback.h"
#include "agent/grounding.h"
#include "agent/logged_run.h"
#include "agent/phase.h"
#include "agent/reply_calls.h"
#include "agent/run_observer.h"
#include "agent/tool_set.h"
#include "agent/tool_steering.h"
#include "base/trace.h"
#include "call_parser/call_part.h"
#include "chat/chat_request.h"
#include "context/window.h"
#include "job/answer_log.h"
#include "job/inbox.h"
#include "llm/model.h"
#include "tools/registry.h"

namespace pedro {

/// The collaborators of the executor, all borrowed.
struct ExecutorParts {
  Model& model;
  const ModelInfo& model_info;
  Registry& registry;
  ToolContext& tools;
  const Feedback& feedback;
  RunObserver& observer;
  const Trace& trace;
  const CancelToken& cancel;              ///< its deadline is the end of the job's time
  AnswerLog& answers;                     ///< also replays the answers of `model`
  RunHooks* hooks = nullptr;              ///< null: none
  RunDiagnostics* diagnostics = nullptr;  ///< null: none
  Grounding::Changes changes = nullptr;   ///< null: files are listed again after each change
};

struct ExecutorLimits {
  int max_rounds = 0;        ///< in the whole job; 0: only the limits of phases
  long long max_tokens = 0;  ///< prefilled and generated in the whole job; 0: unlimited
  double max_cost = 0;       ///< in the whole job, in units of `cost`; 0: unlimited
  std::function<double(const Usage&)> cost = nullptr;  ///< US dollars; not null if max_cost > 0
  long long reply_tokens = 4096;                       ///< per reply
  double temperature = 0.2;
  GenerationMode mode = GenerationMode::kGrammar;  ///< default for phases without a mode
  long long thinking_tokens = 0;                   ///< default of phases, before a reply; 0: none
  Json logit_bias = Json::object();                ///< as configured, checked by read_biases()
  std::vector<ToolBias> tool_bias = {};            ///< as configured
  ContextSettings context = {};
  bool grounding = true;  ///< narrows calls to the state of the job (Grounding)
  /// Numbers of rounds after which the job was resumed from a limit, and the phase there. The phase
  /// has all its rounds again from there.
  std::map<int, std::string> extended_after = {};
  Inbox* inbox = nullptr;                       ///< messages of the user; null: none
  std::function<bool()> log_is_full = nullptr;  ///< true: no more rounds fit; null: never full
};

/// Checks the output of a phase. Returns nullopt to accept it, else the reason for the model.
using EvidenceCheck =
    std::function<Result<std::optional<std::string>>(const Phase& phase, const Json& output)>;

struct PhaseOutcome {
  PhaseEnd end = PhaseEnd::kCompleted;
  Json output;     ///< the arguments of an accepted phase_complete
  int rounds = 0;  ///< number of inferences
  /// The exhausted limit for kRounds and kTime: "rounds", "time", "tokens", "money" or "the room of
  /// its log".
  std::string_view ran_out = {};
};

/// A question in a separate conversation. The reply is free text.
struct ApartRequest {
  std::string system;
  std::string prompt;
  double temperature = 0;
  std::optional<std::uint32_t> seed = {};
  std::string grammar = {};  ///< see GenerateRequest::text_grammar
  std::vector<std::string> stops = {};
  long long max_tokens = 0;  ///< of the reply, in addition to the configured limit
};

/// The agent loop: asks the model, runs its calls and returns their results, until accepted
/// evidence ends the phase. All phases share one conversation, which is compacted when it grows too
/// long (ContextKeeper). Errors stop the job; mistakes of the model become feedback to it. One
/// thread.
class Executor {
 public:
  Executor(ExecutorParts parts, ExecutorLimits limits)
      : parts_(parts),
        limits_(std::move(limits)),
        keeper_(parts.model, parts.tools, parts.feedback, parts.observer, parts.answers,
                suited_to(limits_.context, parts.model_info), parts.hooks),
        tools_(parts.registry, parts.tools, parts.answers, parts.hooks, parts.diagnostics),
        steering_(parts.registry, limits_.tool_bias),
        grounding_(parts.registry, parts.tools, parts.changes) {}

  /// Starts a conversation with the agent's rules and the declared tools (empty for models without
  /// tool declarations). Must be called first. Another call starts a new, independent conversation.
  void begin(std::string system_prompt, std::vector<DeclaredTool> tools);

  /// Records that the prompt shows a whole file. Calls may then name its lines.
  void show_file(const std::string& path);

  /// Runs one phase; `opening` is its rendered prompt. Errors: kInterrupted if the job was stopped
  /// or its time ended during a round. The answers up to then are logged, but the round is
  /// incomplete.
  Result<PhaseOutcome> run_phase(const Phase& phase, const ToolSet& tools,
                                 const std::string& opening, const EvidenceCheck& evidence);

  /// Begins the work on a later message to the job: all limits apply to the rounds from here on.
  void begin_turn() { before_turn_ = {rounds_, new_tokens(), cost_}; }

  /// Begins a round of separate questions. begin() must be called before the next run_phase().
  Status begin_apart(const Phase& phase, int round) {
    return parts_.observer.on_round_started(phase.name, round);
  }
  /// Announces separate questions. Returns the number of leading ones to ask before any of their
  /// replies is used; see Model::together().
  Result<std::size_t> together(std::span<const ApartRequest> questions);
  /// Asks one separate question. Errors: see run_phase().
  Result<Reply> ask_apart(const ApartRequest& ask);
  /// Ends the round. `sum` has the usage and the texts of all its replies.
  Status end_apart(Reply sum);

  /// Returns the limit that prevents another round: "rounds", "time", "tokens", "money" or "log
  /// space"; "" if none does. `rounds_left` are those of the phase.
  std::string_view used_up(int rounds_left) const;

  /// Runs a call that was derived from an answer. The observer receives it like any other call.
  Result<ToolResult> run_made_call(const std::string& tool, Json args);

  /// See ContextKeeper: its opening_room() is for run_phase(), its apart_room() for ask_apart().
  const ContextKeeper& context() const { return keeper_; }

  int rounds() const { return rounds_; }
  const Usage& total_usage() const { return total_; }
  /// Returns the prompt tokens that were prefilled although the server's KV cache should have had
  /// them.
  long long cache_missed_tokens() const { return cache_missed_; }
  int invalid_calls() const { return invalid_calls_; }
  int calls() const { return calls_; }
  int refused_ends() const { return refused_ends_; }
  /// Returns the number of replies that were cut off or contained no call.
  int unused_replies() const { return unused_replies_; }
  /// Returns the paths that tools reported as changed.
  const std::set<std::string>& written() const { return written_; }

 private:
  // The result of a round: the answers to the model, or the end of the phase.
  struct Step {
    std::vector<CallAnswer> answers;
    std::string note;      // about the reply as a whole
    bool refused = false;  // no call of the reply was made
    std::optional<PhaseEnd> end;
    Json output;
  };

  // Sums at the begin of the work on the user's last message.
  struct Sums {
    int rounds = 0;
    long long tokens = 0;
    double cost = 0;
  };

  GenerateRequest apart_request(const ApartRequest& ask, const ChatRequest& chat) const;
  void open_apart(const ApartRequest& ask);
  // Asks for one reply of a round. `sample` is the number of samples before it.
  Result<Reply> ask(const Phase& phase, const ToolSet& tools, int rounds_left, int sample);
  Result<Reply> ask_until_new(const Phase& phase, const ToolSet& tools, int rounds_left);
  bool samples_again() const;
  std::optional<ParsedCall> spent_call(const Reply& reply, const ToolSet& tools) const;
  Result<Reply> take(Result<Reply> reply);
  Result<Step> act(const Phase& phase, const ToolSet& tools, const Reply& reply,
                   const EvidenceCheck& evidence);
  Result<CallAnswer> finish(const Phase& phase, const ToolSet& tools, const ToolCall& written,
                            std::vector<std::string> repairs, const EvidenceCheck& evidence,
                            Step& step);
  Result<CallAnswer> run_call(const ToolSet& tools, ToolCall call, std::vector<std::string> repairs,
                              Step& step);
  void count_refusal(const std::string& why, Step& step);
  void refuse_reply(const std::string& problem, const Reply& reply, Step& step);
  Result<CallAnswer> refuse_finish(const ToolCall& call, std::string why, bool valid, Step& step);
  void tell_unused_bias(const Phase& phase);
  Result<CallAnswer> refuse_mixed_finish(const ToolCall& call);
  Status report_refused(const ToolCall& call, const std::string& why, bool valid);
  bool is_extended_here(const Phase& phase) const {
    const auto extended = limits_.extended_after.find(rounds_);
    return extended != limits_.extended_after.end() && extended->second == phase.name;
  }
  bool acts(const ToolCall& call) const;
  void append_reply(const Reply& reply, std::span<const FoundCall> calls, ToolStyle style);
  void tell(Step& step, ToolStyle style);
  void tell_rounds_left(int left);
  Status pass_on_messages();
  void trace_messages();
  std::size_t result_allowance() const;
  // Prefilled and generated tokens of the whole job.
  long long new_tokens() const {
    return total_.prompt_tokens - total_.cached_tokens + total_.generated_tokens;
  }
  bool is_first_turn() const { return before_turn_.rounds == 0; }
  void count(const Usage& usage);

  ExecutorParts parts_;
  ExecutorLimits limits_;
  ContextKeeper keeper_;
  LoggedTools tools_;
  LoopGuard loop_guard_;
  ToolSteering steering_;
  Grounding grounding_;
  std::string last_refusal_;        // of the end of the phase, or of a reply without a call
  int same_refusals_ = 0;           // in a row
  int plain_replies_ = 0;           // without a call, in a row
  std::vector<BiasedText> biases_;  // of the current phase
  OpenTurn next_;                   // the next message to the model
  MessageId traced_ = 0;
  int phases_ = 0;
  bool told_bias_ = false;   // tool_bias has no effect
  bool told_logit_ = false;  // logit_bias has none
  struct CallId {
    std::string ours;
    std::string models;  // the id that the model wrote, else `ours`
  };
  std::vector<CallId> ids_;  // the calls of the last reply
  int numbered_ = 0;         // number of generated call ids
  std::set<std::string> written_;
  long long largest_apart_ = 0;  // tokens of the largest question with answer in this round
  Window window_;                // after the last reply and its results
  Usage total_;
  double cost_ = 0;  // cost of total_ if a limit is set
  Sums before_turn_;
  long long cache_missed_ = 0;
  int rounds_ = 0;
  int calls_ = 0;
  int invalid_calls_ = 0;
  int refused_ends_ = 0;  // of phases
  int unused_replies_ = 0;
};

}  // namespace pedro
