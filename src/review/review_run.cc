#include "review/review_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/places.h"
#include "base/hash.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPartBytes = 24 * 1024;
constexpr std::size_t kMaxShownListBytes = 8 * 1024;
constexpr std::size_t kMarksBytes = 64;  // size of the marks around a part

// Returns the lines of a file in a part, or null.
const DiffPart::Lines* lines_of(const DiffPart& part, std::string_view file) {
  for (const DiffPart::Lines& lines : part.lines) {
    if (lines.file == file) return &lines;
  }
  return nullptr;
}

bool has_line(const DiffPart& part, const ReviewFinding& finding) {
  for (const DiffPart::Lines& lines : part.lines) {
    if (lines.file != finding.file) continue;
    const auto& numbers = lines.numbers;
    if (std::find(numbers.begin(), numbers.end(), finding.line) != numbers.end()) return true;
  }
  return false;
}

std::string place_text(const ReviewFinding& finding) {
  return to_string(NamedPlace{finding.file, finding.line});
}

}  // namespace

std::string ReviewPlace::changes() const {
  std::string text;
  for (const DiffFile& file : diff_) {
    text += fmt::format("{}: +{} -{}{}{}{}\n", file.path, file.added(), file.removed(),
                        file.deleted ? ", deleted" : "", file.binary ? ", binary" : "",
                        file.unmerged ? ", an unresolved conflict" : "");
  }
  return marked("files", cut_middle(trim(text), kMaxShownListBytes, ""));
}

std::string ReviewPlace::identity() const {
  std::uint64_t hash = kHashSeed;
  for (const DiffPart& part : cut_diff(diff_, kMaxPartBytes).parts) {
    hash = hash_bytes(part.text, hash);
  }
  return to_hex(hash);
}

// Returns the part of an item, or an empty part for phases without parts.
const DiffPart& ReviewPlace::part_of(const PhaseItem& item) const {
  static const DiffPart kNone;
  const auto index = static_cast<std::size_t>(item.number - 1);
  return index < parts_.parts.size() ? parts_.parts[index] : kNone;
}

std::string ReviewPlace::shown_of(const Phase& phase, const PhaseItem& item) {
  return phase.for_each == "parts" ? part_of(item).text : "";
}

Result<std::string> ReviewPlace::value(const std::string& variable, const PhaseItem& item) {
  if (variable == "changes") return changes();
  if (variable == "findings") {
    Json list = Json::array();
    for (const ReviewFinding& finding : merge_findings(findings_)) list.push_back(to_json(finding));
    return cut_middle(to_pretty(list), kMaxShownListBytes, "");
  }
  return marked("diff", part_of(item).text);
}

Result<Json> ReviewPlace::list(const std::string&, std::size_t room_bytes) {
  parts_ = cut_diff(diff_, std::min(room_bytes - std::min(room_bytes, kMarksBytes), kMaxPartBytes));
  Json titles = Json::array();
  for (const DiffPart& part : parts_.parts) titles.push_back(part.title);
  return titles;
}

Result<std::optional<std::string>> ReviewPlace::refusal(const Phase& phase, const PhaseItem& item,
                                                        const Json& output) {
  if (phase.evidence == Evidence::kPlaces) return refuse_places(output, tree_, feedback_);
  if (phase.evidence != Evidence::kDiffLines) return std::optional<std::string>();
  const DiffPart& part = part_of(item);
  std::string problems;
  for (const ReviewFinding& finding : findings_in(output)) {
    if (has_line(part, finding)) continue;
    problems += fmt::format("{}- {}", problems.empty() ? "" : "\n", place_text(finding));
  }
  if (problems.empty()) return std::optional<std::string>();
  return std::optional(feedback_.text("not_in_diff", {{"problems", problems}}));
}

Result<NextStep> ReviewPlace::finished(const Phase& phase, const PhaseItem& item,
                                       const Json& output) {
  if (phase.for_each == "parts") heard_.insert(item.number);
  const bool has_verdict = member(phase.output_schema_json, "properties").contains("verdict");
  if (has_verdict && output.is_null()) {
    no_verdict_ = fmt::format("the model did not finish the phase '{}'", phase.name);
  }
  if (phase.evidence != Evidence::kDiffLines) return NextStep::kGoOn;
  const DiffPart& part = part_of(item);
  if (output.is_null()) {
    unread_.insert(
        fmt::format("{}: the model did not finish the phase '{}'", part.title, phase.name));
    return NextStep::kGoOn;
  }
  for (ReviewFinding& finding : findings_in(output)) {
    const DiffPart::Lines* lines = lines_of(part, finding.file);
    finding.old_line = lines != nullptr && lines->deleted;
    findings_.push_back(std::move(finding));
  }
  return NextStep::kGoOn;
}

ReviewResult ReviewPlace::result(const PhaseOutputs& outputs) const {
  ReviewResult result;
  result.findings = merge_findings(findings_);
  result.not_reviewed = parts_.left_out;
  result.not_reviewed.insert(result.not_reviewed.end(), unread_.begin(), unread_.end());
  for (std::size_t i = 0; i < parts_.parts.size(); ++i) {
    if (heard_.count(static_cast<int>(i) + 1) > 0) continue;
    result.not_reviewed.push_back(parts_.parts[i].title + ": the review ended first");
  }
  for (const auto& [phase, output] : outputs) {
    if (!member(output, "verdict").is_string()) continue;
    result.verdict = text_of(output, "verdict");
    result.summary = trim(text_of(output, "summary"));
  }
  if (result.verdict.empty()) result.no_verdict = no_verdict_;
  return result;
}

std::string review_report(const std::string& title, const WorkflowResult& end,
                          const ReviewResult& result) {
  std::string text = fmt::format("# {}\n\n", title);
  if (end.end == WorkflowResult::End::kLimit) {
    text += fmt::format("Stopped at a limit: {}.\n\n", end.reason);
  }
  if (!result.verdict.empty()) {
    text +=
        fmt::format("verdict: {}\n\n{}\n\n", replace_all(result.verdict, "_", " "), result.summary);
  }
  if (!result.no_verdict.empty()) {
    text += fmt::format("verdict: none: {}\n\n", result.no_verdict);
  }
  text += "## Findings\n\n";
  if (result.findings.empty()) text += "(none)\n";
  for (const ReviewFinding& finding : result.findings) {
    text += fmt::format("- {}: {} {}: {}\n", place_text(finding), to_string(finding.severity),
                        finding.category, replace_all(finding.explanation, "\n", "\n  "));
    if (finding.suggestion.empty()) continue;
    text += fmt::format("  suggestion: {}\n", replace_all(finding.suggestion, "\n", "\n  "));
  }
  if (!result.not_reviewed.empty()) text += "\n## Not reviewed\n\n";
  for (const std::string& what : result.not_reviewed) text += fmt::format("- {}\n", what);
  return make_printable(text);  // printed to a terminal, with text of a model
}

Json to_json(const ReviewResult& result) {
  Json json = {{"verdict", result.verdict},
               {"summary", result.summary},
               {"findings", Json::array()},
               {"not_reviewed", result.not_reviewed}};
  if (!result.no_verdict.empty()) json["no_verdict"] = result.no_verdict;
  for (const ReviewFinding& finding : result.findings) json["findings"].push_back(to_json(finding));
  return json;
}

Json to_github_review(const ReviewResult& result, const std::string& commit) {
  std::string body = result.summary;  // GitHub refuses an empty body
  if (trim(body).empty()) {
    body = result.findings.empty() ? "No findings in this change."
           : result.findings.size() == 1
               ? "One finding, at its line."
               : fmt::format("{} findings, at their lines.", result.findings.size());
  }
  if (!result.no_verdict.empty()) body += "\n\nThere is no verdict: " + result.no_verdict + ".";
  if (!result.not_reviewed.empty()) body += "\n\nNot reviewed:\n";
  for (const std::string& what : result.not_reviewed) body += fmt::format("- {}\n", what);
  Json comments = Json::array();
  for (const ReviewFinding& finding : result.findings) {
    std::string text = fmt::format("**{} · {}**: {}", to_string(finding.severity), finding.category,
                                   finding.explanation);
    if (!finding.suggestion.empty()) text += "\n\nSuggestion: " + finding.suggestion;
    comments.push_back({{"path", finding.file},
                        {"line", finding.line},
                        {"side", finding.old_line ? "LEFT" : "RIGHT"},
                        {"body", text}});
  }
  Json review = {{"event", "COMMENT"}, {"body", std::string(trim(body))}, {"comments", comments}};
  if (!commit.empty()) review["commit_id"] = commit;
  return review;
}

}  // namespace pedro
