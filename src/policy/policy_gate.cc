#include "policy/policy_gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro::policy {
namespace {

constexpr std::size_t kMaxReasons = 5;

/// Returns the key of an "always": the rule, or the line if the rule is not sure.
std::string standing_key(const Request& request, const Finding& finding) {
  return finding.sure ? finding.rule : "line " + request.line;
}

std::string reason(const Finding& finding) {
  const std::string about = fmt::format("{}: {}", finding.rule, finding.what);
  return finding.why.empty() ? about : fmt::format("{} ({})", about, finding.why);
}

std::string reasons(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) add_once(lines, reason(finding));
  if (lines.size() > kMaxReasons) {
    const std::size_t more = lines.size() - kMaxReasons;
    lines.resize(kMaxReasons);
    lines.push_back(fmt::format("{} more", more));
  }
  return join(lines, "\n");
}

std::string subject(const Request& request) {
  return request.line.empty() ? request.action : request.line;
}

}  // namespace

Result<std::optional<std::string>> Gate::refusal(const Request& request) {
  if (policy_.empty() && request.server_tool.empty()) return std::optional<std::string>();
  const Decision decision = policy_.decide(request);
  Record record{request, decision.verdict, decision.verdict == Verdict::kAllow, "rules",
                decision.findings};
  if (decision.verdict == Verdict::kAsk) {
    PEDRO_TRY(const bool allowed, ask_person(request, decision, record));
    record.allowed = allowed;
    if (!allowed) denied_asks_.push_back(subject(request));
  }
  PEDRO_RETURN_IF_ERROR(heard_(record));
  if (record.allowed) return std::optional<std::string>();
  const std::string_view who = record.by == "person"               ? "the user said no"
                               : decision.verdict == Verdict::kAsk ? "no user is present to ask"
                                                                   : "the user does not allow it";
  return std::optional(fmt::format("not run: {}.\n{}\n{}", who, reasons(decision.findings),
                                   policy_.allowed_instead(request)));
}

Result<bool> Gate::ask_person(const Request& request, const Decision& decision, Record& record) {
  std::vector<std::string> open;
  for (const Finding& finding : decision.findings) {
    std::string key = standing_key(request, finding);
    const bool listed = std::find(open.begin(), open.end(), key) != open.end();
    if (!always_.contains(key) && !listed) open.push_back(std::move(key));
  }
  if (open.empty()) {
    record.by = "earlier answer";
    return true;
  }
  if (!ask_) {
    record.by = "nobody to ask";
    return false;
  }
  PEDRO_TRY(const Answer answer,
            ask_({subject(request), reasons(decision.findings), join(open, "; ")}));
  record.by = "person";
  if (answer == Answer::kAlways) always_.insert(open.begin(), open.end());
  return answer != Answer::kNo;
}

}  // namespace pedro::policy
