#include "eval/eval_run.h"

#include <fmt/format.h>

#include "eval/grade.h"
#include "llm/bias_settings.h"

namespace pedro {
namespace {

// A conversation in progress.
class Conversation {
 public:
  explicit Conversation(const EvalRun& run) : run_(run) {}

  Status begin() {
    Result<std::string> system = run_.calls.system_prompt();
    if (!system) return system.error();
    chat_.messages.push_back(text_message(Role::kSystem, *std::move(system)));
    chat_.tools = run_.calls.declared();
    auto biases = read_biases(run_.configuration.logit_bias, run_.model_name);
    if (!biases) return biases.error();
    biases_ = *std::move(biases);
    return {};
  }

  Result<EvalCall> ask(const EvalTask& task) {
    std::string text = run_.calls.describe(task.phase, described_);
    if (!text.empty()) text += "\n\n";
    chat_.messages.push_back(text_message(Role::kUser, text + task.prompt));
    GenerateRequest request{.chat = chat_};
    request.calls = run_.calls.of_phase(task.phase);
    request.mode = run_.configuration.mode;
    request.biases = biases_;
    request.temperature = run_.temperature;
    request.max_tokens = run_.max_tokens;
    const long long began_ms = run_.clock.ticks_ms();
    const Result<Reply> reply = run_.model.generate(request);
    if (!reply && reply.error().kind == ErrorKind::kInterrupted) return reply.error();
    EvalCall call;
    call.ms = static_cast<double>(run_.clock.ticks_ms() - began_ms);
    if (!reply) {
      call.failure = CallFailure::kFailed;
      call.reason = reply.error().message;
      return call;
    }
    const Grade graded = grade(*reply, request.calls, task, run_.configuration.flat_names);
    call.failure = graded.failure;
    call.right = graded.right;
    call.repaired = graded.repaired;
    call.tokens = reply->usage.generated_tokens;
    answer(*reply, task);
    return call;
  }

 private:
  // Appends the reply, and the task's result for each call. A reply without calls is only text.
  void answer(const Reply& reply, const EvalTask& task) {
    ChatMessage said = text_message(Role::kAssistant, reply.text);
    std::vector<ChatMessage> results;
    for (const CallPart& part : reply.parts) {
      const auto* call = std::get_if<ParsedCall>(&part);
      if (!run_.has_tools || call == nullptr || reply.stop != StopReason::kEnd) continue;
      const std::string id = call->id.empty() ? fmt::format("call{:05}", ++numbered_) : call->id;
      said.content.clear();
      said.calls.push_back({id, call->tool, to_line(call->args)});
      ChatMessage result = text_message(Role::kTool, task.result);
      result.call_id = id;
      result.name = call->tool;
      results.push_back(std::move(result));
    }
    chat_.messages.push_back(std::move(said));
    for (ChatMessage& result : results) chat_.messages.push_back(std::move(result));
  }

  const EvalRun& run_;
  ChatRequest chat_;
  std::vector<BiasedText> biases_;
  std::set<std::string> described_;
  int numbered_ = 0;
};

}  // namespace

Result<std::vector<EvalCall>> run_eval(const EvalRun& run) {
  Conversation conversation(run);
  if (Status begun = conversation.begin(); !begun) return begun.error();
  std::vector<EvalCall> calls;
  for (const EvalTask& task : run.plan.tasks) {
    Result<EvalCall> call = conversation.ask(task);
    if (!call) return call.error().at(run.configuration.name + ", " + task.name);
    call->configuration = run.configuration.name;
    call->run = run.number;
    call->round = static_cast<int>(calls.size()) + 1;
    call->rounds = static_cast<int>(run.plan.tasks.size());
    call->task = task.name;
    calls.push_back(*std::move(call));
    if (run.on_call) {
      if (Status recorded = run.on_call(calls.back()); !recorded) return recorded.error();
    }
    if (calls.back().failure == CallFailure::kFailed) break;
  }
  return calls;
}

}  // namespace pedro
