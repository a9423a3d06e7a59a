#include "eval/eval_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "eval/grade.h"
#include "json_schema/schema_keywords.h"
#include "llm/bias_settings.h"
#include "tools/signature.h"

namespace pedro {
namespace {

constexpr std::string_view kAction = "action";
constexpr std::size_t kMaxRecordedBytes = 400;

// Removes the action from the arguments: the flat name contains it.
Json without_action(Json schema) {
  if (schema.contains("properties")) schema["properties"].erase(std::string(kAction));
  if (!schema.contains("required")) return schema;
  Json required = Json::array();
  for (const Json& name : schema["required"]) {
    if (name != kAction) required.push_back(name);
  }
  schema["required"] = std::move(required);
  return schema;
}

// Returns the first call of a reply as JSON, else its text.
std::string reply_for_record(const Reply& reply) {
  for (const CallPart& part : reply.parts) {
    const auto* call = std::get_if<ParsedCall>(&part);
    if (call != nullptr) return to_line(Json{{"tool", call->tool}, {"args", call->args}});
  }
  return reply.text;
}

// A conversation in progress.
class Conversation {
 public:
  explicit Conversation(const EvalRun& run) : run_(run) {}

  Status begin() {
    PEDRO_TRY(std::string system, run_.calls.system_prompt());
    chat_.messages.push_back(text_message(Role::kSystem, std::move(system)));
    chat_.tools = run_.calls.declared();
    PEDRO_TRY(auto biases, read_biases(run_.configuration.logit_bias, run_.model_name));
    biases_ = std::move(biases);
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
    request.seed = static_cast<std::uint32_t>(run_.number);
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
    call.reply = cut_middle(reply_for_record(*reply), kMaxRecordedBytes, "");
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
  PEDRO_RETURN_IF_ERROR(conversation.begin());
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
      PEDRO_RETURN_IF_ERROR(run.on_call(calls.back()));
    }
    if (calls.back().failure == CallFailure::kFailed) break;
  }
  return calls;
}

Result<EvalCalls> EvalCalls::make(const Registry& registry, const Workflow& workflow,
                                  const Feedback& feedback, const EvalConfiguration& configuration,
                                  const ModelInfo& model, int max_text,
                                  const std::map<std::string, std::string>& files) {
  EvalCalls calls;
  calls.workflow_ = &workflow;
  calls.feedback_ = &feedback;
  calls.style_ = model.has_tools ? ToolStyle::kDeclared : ToolStyle::kDescribed;
  calls.flat_ = configuration.flat_names;
  const bool raw = configuration.bodies == Bodies::kRaw && model.takes_bodies;
  calls.bodies_ = raw ? Bodies::kRaw : Bodies::kJson;
  for (const Phase& phase : workflow.phases) {
    PEDRO_RETURN_IF_ERROR(calls.add_phase(registry, phase, max_text));
  }
  if (configuration.grounding) calls.ground(files);
  if (!model.has_tools) return calls;
  if (calls.flat_) {
    calls.declare_flat();
  } else {
    calls.declared_ = declared_tools(registry, workflow, feedback, end_schema_of(model));
  }
  return calls;
}

Status EvalCalls::add_phase(const Registry& registry, const Phase& phase, int max_text) {
  offered_.push_back({phase.name, ToolSet(registry, phase, *feedback_, style_, bodies_), {}, {}});
  Offered& offered = offered_.back();
  for (const CallBranch& call : offered.tools.calls()) {
    // A job offers the end of a blocked phase only after a refusal.
    if (call.tool == kPhaseComplete && !call.action.empty()) continue;
    if (Status added = add_branch(offered, registry, call, max_text); !added) return added;
  }
  return {};
}

void EvalCalls::ground(const std::map<std::string, std::string>& files) {
  std::set<std::string> paths;
  std::deque<Narrowing> texts;
  std::vector<const Narrowing*> edited;
  for (const auto& [path, text] : files) {
    paths.insert(path);
    edited.push_back(&texts.emplace_back(narrowing_of_file(path, text)));
  }
  const Narrowing project = narrowing_of_project(paths);
  for (Offered& offered : offered_) {
    NarrowedCalls& narrowed = narrowed_.emplace_back();
    for (const CallBranch& call : offered.branches) narrowed.add(call, project, edited);
    offered.branches.assign(narrowed.calls().begin(), narrowed.calls().end());
  }
}

Status EvalCalls::add_branch(Offered& offered, const Registry& registry, const CallBranch& call,
                             int max_text) {
  CallBranch branch = call;
  Json args = *call.args_json;
  if (max_text > 0) args = with_short_texts(std::move(args), max_text);
  const bool is_tool = registry.find(call.tool) != nullptr;
  if (flat_ && is_tool) {
    branch.tool = call.tool + "_" + call.action;
    branch.action.clear();
    args = without_action(std::move(args));
    const ActionManifest& action = *registry.find(call.tool)->find(call.action);
    offered.flat.emplace_back(branch.tool, fmt::format("- {} {}: {}\n", branch.tool,
                                                       schema_signature(args), action.about));
  }
  Result<Schema> schema = parse_schema(args, SchemaDialect::kClosed);
  if (!schema) return schema.error().at(call.tool);
  schemas_.push_back(*std::move(schema));
  written_.push_back(std::move(args));
  branch.args = &schemas_.back();
  branch.args_json = &written_.back();
  offered.branches.push_back(std::move(branch));
  return {};
}

void EvalCalls::declare_flat() {
  std::set<std::string> known;
  for (const Offered& offered : offered_) {
    for (const CallBranch& branch : offered.branches) {
      if (!known.insert(branch.tool).second) continue;
      const auto line = std::find_if(offered.flat.begin(), offered.flat.end(),
                                     [&](const auto& one) { return one.first == branch.tool; });
      const bool is_tool = line != offered.flat.end();
      declared_.push_back(
          {branch.tool,
           is_tool ? std::string(trim(line->second)) : feedback_->text("phase_complete"),
           is_tool ? to_line(*branch.args_json) : R"({"type": "object", "properties": {}})"});
    }
  }
}

const EvalCalls::Offered* EvalCalls::find(const std::string& phase) const {
  const auto found = std::find_if(offered_.begin(), offered_.end(),
                                  [&](const Offered& one) { return one.phase == phase; });
  return found == offered_.end() ? nullptr : &*found;
}

std::span<const CallBranch> EvalCalls::of_phase(const std::string& phase) const {
  const Offered* offered = find(phase);
  return offered == nullptr ? std::span<const CallBranch>() : offered->branches;
}

std::vector<std::string> EvalCalls::phases() const {
  std::vector<std::string> names;
  for (const Offered& offered : offered_) names.push_back(offered.phase);
  return names;
}

Result<std::string> EvalCalls::system_prompt() const {
  std::string calls = offered_.front().tools.how_to_call();
  if (flat_) calls = replace_all(calls, R"("action": "ACTION", )", "");
  Result<std::string> system = workflow_->system.render({{"calls", calls}});
  if (system) *system = std::string(trim(*system));
  return system;
}

std::string EvalCalls::describe(const std::string& phase, std::set<std::string>& described) const {
  const Offered* offered = find(phase);
  if (offered == nullptr) return "";
  std::string text;
  if (!flat_) {
    text = offered->tools.describe(described);
  } else {
    for (const auto& [name, line] : offered->flat) {
      if (described.insert(name).second && style_ == ToolStyle::kDescribed) text += line;
    }
  }
  const std::string finish = offered->tools.describe_finish();
  if (described.insert(finish).second) text += "\n" + finish;
  return std::string(trim(text));
}

}  // namespace pedro
