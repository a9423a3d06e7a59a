#include "agent/feedback.h"

#include <cassert>
#include <vector>

namespace pedro {
namespace {

struct FeedbackKind {
  const char* name;
  std::vector<std::string> variables;
};

const std::vector<FeedbackKind>& kinds() {
  static const std::vector<FeedbackKind> kKinds = {
      {"result", {"call", "status", "text"}},
      {"failed_result", {"text"}},
      {"calls_as_text", {}},
      {"calls_declared", {}},
      {"raw_bodies", {"parameters"}},
      {"phase_complete", {}},
      {"not_a_call", {"problem", "calls"}},
      {"call_not_used", {"problem"}},
      {"cut", {"tokens"}},
      {"mixed_finish", {}},
      {"finish_refused", {"problem"}},
      {"finish_accepted", {}},
      {"no_change", {}},
      {"no_output", {}},
      {"blocked_by_change", {"checks"}},
      {"not_blocked", {}},
      {"blocked_without_call", {}},
      {"fails_now", {"command", "output"}},
      {"only_text", {"command"}},
      {"nothing_looked_at", {"tools"}},
      {"refused_again", {"problem"}},
      {"checks_fail", {"checks"}},
      {"no_tools_here", {"tool", "tools"}},
      {"not_yet", {"call", "phase", "tools"}},
      {"call_repaired", {"repairs"}},
      {"cleared", {"call", "status", "id"}},
      {"cleared_failures", {"failed"}},
      {"digest",
       {"exchanges", "id", "changed", "read", "commands", "failed", "notes", "decisions"}},
      {"summarize", {"words"}},
      {"summarize_as_text", {"words"}},
      {"summary", {"exchanges", "id", "summary"}},
      {"repeated", {"times"}},
      {"last_rounds", {"rounds"}},
      {"told", {"text"}},
      {"earlier_task", {"task", "message"}},
      {"conversation", {"prompt", "exchanges"}},
      {"earlier_exchange", {"user", "answer"}},
      {"no_checks", {}},
      {"project_rules", {"rules"}},
      {"no_command", {}},
      {"no_failure", {"command", "output"}},
      {"nothing_tried", {}},
      {"evidence_changed", {"command", "files"}},
      {"command_not_run", {"command", "output"}},
      {"wrong_places", {"problems"}},
      {"not_in_diff", {"problems"}},
      {"not_in_material", {"problems"}},
      {"too_long", {"problems"}},
      {"not_in_material_again", {"problems"}},
      {"no_call", {}},
      {"described_before", {"tools"}},
      {"project", {"files", "checks"}},
      {"none_found", {}},
      {"passes", {}},
      {"fails_before", {"command", "output"}},
      {"answer_rules", {}},
      {"answer_file", {"paths", "fence"}},
      {"answer_plain", {"paths"}},
      {"answer_edit", {"paths", "fence"}},
      {"answer_line", {"path", "text", "fence"}},
      {"answer_function", {"path", "text", "fence"}},
      {"solved", {"tries"}},
      {"check_passed", {"command"}},
      {"check_failed", {"command", "code", "output"}},
      {"check_timed_out", {"command", "output"}},
  };
  return kKinds;
}

}  // namespace

Result<Feedback> Feedback::load(const PromptLibrary& library) {
  Feedback feedback;
  for (const FeedbackKind& kind : kinds()) {
    PEDRO_TRY(PromptTemplate parsed, library.load(std::string("feedback/") + kind.name + ".md"));
    PEDRO_RETURN_IF_ERROR(parsed.check(kind.variables));
    feedback.templates_.emplace(kind.name, std::move(parsed));
  }
  return feedback;
}

std::string Feedback::text(const std::string& name,
                           const std::map<std::string, std::string>& values) const {
  const auto found = templates_.find(name);
  assert(found != templates_.end());
  Result<std::string> rendered = found->second.render(values);
  assert(rendered.ok());
  std::string text = std::move(*rendered);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace pedro
