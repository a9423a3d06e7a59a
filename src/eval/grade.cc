#include "eval/grade.h"

#include <algorithm>
#include <array>

#include "grammar/validate.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "", "cut", "no call", "many calls", "unknown tool", "missing action", "bad argument"};

// Checks all branches of a tool: grounded calls have one branch per file.
CallFailure failure_of(const ParsedCall& call, std::span<const CallBranch> calls) {
  const auto is_tool = [&](const CallBranch& branch) { return branch.tool == call.tool; };
  if (std::none_of(calls.begin(), calls.end(), is_tool)) return CallFailure::kUnknownTool;
  const std::string action = text_of(call.args, "action");
  const auto is_action = [&](const CallBranch& branch) {
    return is_tool(branch) && (branch.action.empty() || branch.action == action);
  };
  if (std::none_of(calls.begin(), calls.end(), is_action)) return CallFailure::kMissingAction;
  const bool fits = std::any_of(calls.begin(), calls.end(), [&](const CallBranch& branch) {
    return is_action(branch) && !validate(*branch.args, call.args);
  });
  return fits ? CallFailure::kNone : CallFailure::kBadArgument;
}

bool is_expected(const ParsedCall& call, const EvalTask::Expected& expected, bool flat) {
  const std::string action = text_of(expected.args, "action");
  const std::string name = flat && !action.empty() ? expected.tool + "_" + action : expected.tool;
  if (call.tool != name) return false;
  for (const auto& [key, value] : expected.args.items()) {
    if (flat && key == "action") continue;
    if (member(call.args, key) != value) return false;
  }
  return true;
}

}  // namespace

std::string_view to_string(CallFailure failure) {
  return kNames[static_cast<std::size_t>(failure)];
}

CallFailure parse_call_failure(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<CallFailure>(i);
  }
  return CallFailure::kNoCall;
}

Grade grade(const Reply& reply, std::span<const CallBranch> calls, const EvalTask& task,
            bool flat) {
  if (reply.stop != StopReason::kEnd) return {CallFailure::kCut, false};
  const ParsedCall* only = nullptr;
  int found = 0;
  for (const CallPart& part : reply.parts) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      only = call;
      ++found;
    }
  }
  if (found == 0) return {CallFailure::kNoCall, false};
  if (found > 1 || reply.parts.size() > 1) return {CallFailure::kMany, false};
  const CallFailure failure = failure_of(*only, calls);
  if (failure != CallFailure::kNone) return {failure, false};
  const bool right = std::any_of(task.expect.begin(), task.expect.end(), [&](const auto& expected) {
    return is_expected(*only, expected, flat);
  });
  return {failure, right};
}

}  // namespace pedro
