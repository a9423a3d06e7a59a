#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "agent/context_keeper.h"
#include "agent/feedback.h"
#include "agent/grounding.h"
#include "agent/loop_guard.h"
#include "agent/open_turn.h"
#include "agent/phase.h"
#include "agent/run_observer.h"
#include "agent/tool_set.h"
#include "agent/tool_steering.h"
#include "base/trace.h"
#include "chat/chat_request.h"
#include "context/window.h"
#include "format/call_part.h"
#include "job/answer_log.h"
#include "llm/model.h"
#include "tools/registry.h"

namespace pedro {

/// What the executor works with; all borrowed.
struct ExecutorParts {
  Model& model;
  const ModelInfo& model_info;
  Registry& registry;
  ToolContext& tools;
  const Feedback& feedback;
  RunObserver& observer;
  const Trace& trace;
  const CancelToken& cancel;  ///< of the job: its deadline is the end of the job's time
  AnswerLog& answers;         ///< `model` gives those of its own
};

struct ExecutorLimits {
  int max_rounds = 0;        ///< of the whole job; 0: only the phases' own
  long long max_tokens = 0;  ///< evaluated and generated in the whole job; 0: any
  double max_cost = 0;       ///< of the whole job, as `cost` has it; 0: any
  std::function<double(const Usage&)> cost = nullptr;  ///< US dollars; not null with max_cost
  long long reply_tokens = 4096;                       ///< of one reply
  double temperature = 0.2;
  GenerationMode mode = GenerationMode::kGrammar;  ///< of phases that have none of their own
  long long thinking_tokens = 0;                   ///< the same: before a reply; 0: none
  Json logit_bias = Json::object();                ///< as configured; read_biases() took it
  std::vector<ToolBias> tool_bias = {};            ///< as configured
  ContextSettings context = {};
  bool grounding = true;  ///< calls are narrowed to the state of the job (Grounding)
  /// Rounds of the job after which it was resumed. A phase has its full number of rounds from there.
  std::set<int> resumed_after = {};
  std::function<bool()> log_is_full = nullptr;  ///< no other round may be kept; null: there is room
};

/// Says whether a phase may end with this output: nullopt, or why not, for the model.
using EvidenceCheck =
    std::function<Result<std::optional<std::string>>(const Phase& phase, const Json& output)>;

struct PhaseOutcome {
  PhaseEnd end = PhaseEnd::kCompleted;
  Json output;     ///< the arguments of phase_complete where it was accepted
  int rounds = 0;  ///< inferences made
  /// Of kRounds and kTime: "rounds", "time", "tokens", "money", "the room of its log".
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
  long long max_tokens = 0;  ///< of the reply; the configured limit holds as well
};

/// The loop: ask the model, run what it calls, give back what came of it, until the phase's end is
/// called and shown to be true. One conversation runs through all phases; it is appended to, and
/// compacted where it grows too long (ContextKeeper). Errors stop the job; whatever the model does
/// wrong is fed back to it.
class Executor {
 public:
  Executor(ExecutorParts parts, ExecutorLimits limits)
      : parts_(parts),
        limits_(std::move(limits)),
        keeper_(parts.model, parts.tools, parts.feedback, parts.observer, parts.answers,
                suited_to(limits_.context, parts.model_info.can.shifts_cache)),
        steering_(parts.registry, limits_.tool_bias),
        grounding_(parts.registry, parts.tools) {}

  /// Puts the agent's rules at the beginning of the conversation, and the tools that are declared
  /// in it, for models that have that. Called first; called again, another conversation begins,
  /// which knows nothing of the one before.
  void begin(std::string system_prompt, std::vector<DeclaredTool> tools);

  /// Records that the prompt shows a whole file. Calls may then name its lines.
  void show_file(const std::string& path);

  /// Runs one phase whose prompt is rendered: `opening` is its first turn. Error (kInterrupted):
  /// the job was stopped, or its time was over in the midst of a round; what that found out until
  /// then is in the answers, but the round is not whole.
  Result<PhaseOutcome> run_phase(const Phase& phase, const ToolSet& tools,
                                 const std::string& opening, const EvidenceCheck& evidence);

  /// Begins a round of separate questions. Call begin() before the next run_phase().
  Status begin_apart(const Phase& phase, int round) {
    return parts_.observer.on_round_started(phase.name, round);
  }
  /// Asks one of them. Errors as run_phase().
  Result<Reply> ask_apart(const ApartRequest& ask);
  /// Ends the round: `sum` is the usage and the texts of all its replies.
  Status end_apart(Reply sum);

  /// Returns the limit that prevents another round: "rounds", "time", "tokens", "money" or "the
  /// room of its log"; "" if none does. `rounds_left` are those of the phase.
  std::string_view used_up(int rounds_left) const;

  /// Runs a call that the harness derives from an answer. The observer receives it like any other
  /// call.
  Result<ToolResult> run_made_call(const std::string& tool, Json args);

  /// How many tokens the next phase's prompt may take, so that with what must stay there is still
  /// room to work in; 0 where the window is not known. O(messages).
  long long opening_room() const;
  /// Tokens that the prompt of ask_apart() may take with these rules; 0 if the window is unknown.
  long long apart_room(std::string_view system) const;

  int rounds() const { return rounds_; }
  const Usage& total_usage() const { return total_; }
  /// Prompt tokens that were evaluated although the server should have had them in its cache.
  long long cache_missed_tokens() const { return cache_missed_; }
  int invalid_calls() const { return invalid_calls_; }
  int calls() const { return calls_; }
  int refused_ends() const { return refused_ends_; }
  /// Paths that tools said they changed.
  const std::set<std::string>& written() const { return written_; }

 private:
  // What came of a call, for the model.
  struct Answer {
    std::string heading = {};  // of a tool's result
    bool ok = true;
    std::string text = {};
    std::string call_id = {};
    std::string tool = {};
    std::string kept_as = {};
    std::shared_ptr<const CallFacts> facts = {};
  };
  // What a round led to: what the model is told, or the end of the phase.
  struct Step {
    std::vector<Answer> answers;
    std::string note;      // about the reply as a whole
    bool refused = false;  // no call of the reply was made
    std::optional<PhaseEnd> end;
    Json output;
  };

  // Asks for one reply of a round. `sample` is the number of samples before it.
  Result<Reply> ask(const Phase& phase, const ToolSet& tools, int rounds_left, int sample);
  Result<Reply> ask_until_new(const Phase& phase, const ToolSet& tools, int rounds_left);
  bool samples_again() const;
  const ParsedCall* spent_call(const Reply& reply) const;
  Result<Reply> take(Result<Reply> reply);
  Result<Step> act(const Phase& phase, const ToolSet& tools, const Reply& reply,
                   const EvidenceCheck& evidence);
  Result<Answer> finish(const Phase& phase, const ToolSet& tools, const ToolCall& call,
                        const EvidenceCheck& evidence, Step& step);
  Result<Answer> run_call(const ToolSet& tools, const ParsedCall& written, const std::string& id,
                          Step& step);
  Result<Answer> refuse_finish(const ToolCall& call, std::string why, Step& step);
  Status report_refused(const ToolCall& call, const std::string& why);
  bool is_continued_here() const { return limits_.resumed_after.contains(rounds_); }
  bool acts(const ToolCall& call) const;
  Result<ToolResult> run_tool(const ToolCall& call);
  void append_reply(const Reply& reply, std::span<const ParsedCall* const> calls, ToolStyle style);
  void tell(Step& step, ToolStyle style);
  std::string as_text(const Answer& answer) const;
  void tell_rounds_left(int left);
  void trace_messages();
  std::size_t result_allowance() const;
  void count(const Usage& usage);

  ExecutorParts parts_;
  ExecutorLimits limits_;
  ContextKeeper keeper_;
  LoopGuard loop_guard_;
  ToolSteering steering_;
  Grounding grounding_;
  std::string last_refusal_;        // of the end of the phase
  int same_refusals_ = 0;           // in a row
  std::vector<BiasedText> biases_;  // of the phase
  OpenTurn next_;                   // what the model is told next
  MessageId traced_ = 0;
  int phases_ = 0;
  struct CallId {
    std::string ours;
    std::string models;  // what the model wrote, if it did
  };
  std::vector<CallId> ids_;  // of the calls of the last reply
  int numbered_ = 0;         // calls that have an id of ours
  std::set<std::string> written_;
  long long largest_apart_ = 0;  // tokens of a question and its answer, in this round of answers
  Window window_;                // as a reply left it, and with what was added since
  Usage total_;
  double cost_ = 0;  // of total_, where there is a limit
  long long cache_missed_ = 0;
  int rounds_ = 0;
  int calls_ = 0;
  int invalid_calls_ = 0;
  int refused_ends_ = 0;  // of phases
};

}  // namespace pedro
