#include "eval/grade.h"

#include <algorithm>
#include <array>
#include <utility>

#include "json_schema/repair_value.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 8> kNames = {
    "", "cut", "no call", "many calls", "unknown tool", "missing action", "bad argument", "failed"};

// Checks all branches of a tool: grounded calls have one branch per file. Repairs the arguments if
// no branch fits.
CallFailure check_branches(ParsedCall& call, std::span<const CallBranch> calls, bool& repaired) {
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
  if (fits) return CallFailure::kNone;
  for (const CallBranch& branch : calls) {
    if (!is_action(branch)) continue;
    RepairedValue value = repair_value(*branch.args, call.args);
    if (validate(*branch.args, value.value)) continue;
    call.args = std::move(value.value);
    repaired = true;
    return CallFailure::kNone;
  }
  return CallFailure::kBadArgument;
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
  if (reply.stop != StopReason::kEnd) return {CallFailure::kCut};
  const ParsedCall* only = nullptr;
  int found = 0;
  for (const CallPart& part : reply.parts) {
    if (const auto* call = std::get_if<ParsedCall>(&part)) {
      only = call;
      ++found;
    }
  }
  if (found == 0) return {CallFailure::kNoCall};
  if (found > 1 || reply.parts.size() > 1) return {CallFailure::kMany};
  ParsedCall call = *only;
  Grade grade;
  grade.failure = check_branches(call, calls, grade.repaired);
  if (grade.failure != CallFailure::kNone) return grade;
  grade.right = std::any_of(task.expect.begin(), task.expect.end(), [&](const auto& expected) {
    return is_expected(call, expected, flat);
  });
  return grade;
}

}  // namespace pedro
