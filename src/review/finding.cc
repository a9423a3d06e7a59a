#include "review/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::array<std::string_view, 5> kSeverities = {"critical", "high", "medium", "low",
                                                         "info"};

ReviewSeverity severity_named(std::string_view name) {
  const auto found = std::find(kSeverities.begin(), kSeverities.end(), name);
  return found == kSeverities.end()
             ? ReviewSeverity::kInfo
             : static_cast<ReviewSeverity>(std::distance(kSeverities.begin(), found));
}

auto place_of(const ReviewFinding& finding) {
  return std::tie(finding.file, finding.line, finding.old_line);
}

// Normalizes a text for comparison: ignores case, runs of blanks and a final period.
std::string plain_words(std::string_view text) {
  std::string words;
  for (const char c : to_lower(text)) {
    const bool is_blank = trim(std::string_view(&c, 1)).empty();
    if (!is_blank) {
      words += c;
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  while (words.ends_with(' ') || words.ends_with('.')) words.pop_back();
  return words;
}

// Returns true if `text` contains `other` as whole words: "none" does not contain "one".
bool says(std::string_view text, std::string_view other) {
  const std::string words = plain_words(other);
  return !words.empty() && has_whole_words(plain_words(text), words);
}

// Returns true if two findings at one place are the same. Phases may use different categories for
// the same problem.
bool is_same(const ReviewFinding& a, const ReviewFinding& b) {
  if (a.category == b.category) return true;
  if (says(a.explanation, b.explanation) || says(b.explanation, a.explanation)) return true;
  const std::string suggestion = plain_words(a.suggestion);
  return !suggestion.empty() && suggestion == plain_words(b.suggestion);
}

// Appends another finding's text unless `text` contains it.
void add_text(std::string& text, const std::string& other) {
  if (other.empty() || says(text, other)) return;
  if (says(other, text)) {
    text = other;
  } else {
    text += (text.empty() ? "" : "\n") + other;
  }
}

std::string_view level_of(ReviewSeverity severity) {
  switch (severity) {
    case ReviewSeverity::kCritical:
    case ReviewSeverity::kHigh:
      return "error";
    case ReviewSeverity::kMedium:
      return "warning";
    case ReviewSeverity::kLow:
    case ReviewSeverity::kInfo:
      break;
  }
  return "note";
}

// Returns a path as a URI reference (RFC 3986). Percent-encodes all except unreserved characters
// and slashes.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string message_of(const ReviewFinding& finding) {
  if (finding.suggestion.empty()) return finding.explanation;
  return fmt::format("{}\n\nSuggestion: {}", finding.explanation, finding.suggestion);
}

Json result_of(const ReviewFinding& finding, std::size_t rule) {
  const std::string identity =
      fmt::format("{}\n{}\n{}", finding.file, finding.category, finding.explanation);
  Json properties = {{"severity", to_string(finding.severity)}};
  if (finding.old_line) properties["old_line"] = true;
  return {{"ruleId", finding.category},
          {"ruleIndex", rule},
          {"level", level_of(finding.severity)},
          {"message", {{"text", message_of(finding)}}},
          {"locations",
           {{{"physicalLocation",
              {{"artifactLocation", {{"uri", uri_of(finding.file)}, {"uriBaseId", "SRCROOT"}}},
               {"region", {{"startLine", finding.line}}}}}}}},
          {"partialFingerprints", {{"finding/v1", to_hex(hash_bytes(identity, kHashSeed))}}},
          {"properties", properties}};
}

}  // namespace

std::string_view to_string(ReviewSeverity severity) {
  return kSeverities[static_cast<std::size_t>(severity)];
}

std::vector<ReviewFinding> findings_in(const Json& output) {
  std::vector<ReviewFinding> findings;
  for (const Json& one : member(output, "findings")) {
    findings.push_back({text_of(one, "file"), static_cast<int>(number_of(one, "line")),
                        severity_named(text_of(one, "severity")), text_of(one, "category"),
                        std::string(trim(text_of(one, "explanation"))),
                        std::string(trim(text_of(one, "suggestion"))), false});
  }
  return findings;
}

std::vector<ReviewFinding> merge_findings(std::vector<ReviewFinding> findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const ReviewFinding& a, const ReviewFinding& b) {
                     return std::tuple_cat(place_of(a), std::tie(a.severity, a.category)) <
                            std::tuple_cat(place_of(b), std::tie(b.severity, b.category));
                   });
  std::vector<ReviewFinding> merged;
  std::ptrdiff_t first = 0;  // first finding at the same place
  for (ReviewFinding& finding : findings) {
    if (!merged.empty() && place_of(merged.back()) != place_of(finding)) first = std::ssize(merged);
    const auto same =
        std::find_if(merged.begin() + first, merged.end(),
                     [&](const ReviewFinding& before) { return is_same(before, finding); });
    if (same == merged.end()) {
      merged.push_back(std::move(finding));
      continue;
    }
    add_text(same->explanation, finding.explanation);
    add_text(same->suggestion, finding.suggestion);
  }
  std::stable_sort(
      merged.begin(), merged.end(), [](const ReviewFinding& a, const ReviewFinding& b) {
        return std::tie(a.severity, a.file, a.line) < std::tie(b.severity, b.file, b.line);
      });
  return merged;
}

Json to_json(const ReviewFinding& finding) {
  Json json = {{"file", finding.file},
               {"line", finding.line},
               {"severity", to_string(finding.severity)},
               {"category", finding.category},
               {"explanation", finding.explanation}};
  if (!finding.suggestion.empty()) json["suggestion"] = finding.suggestion;
  if (finding.old_line) json["old_line"] = true;
  return json;
}

Json to_sarif(const std::vector<ReviewFinding>& findings,
              const std::vector<std::string>& not_reviewed, bool whole,
              const std::string& version) {
  std::vector<std::string> categories;
  for (const ReviewFinding& finding : findings) categories.push_back(finding.category);
  std::sort(categories.begin(), categories.end());
  categories.erase(std::unique(categories.begin(), categories.end()), categories.end());
  Json rules = Json::array();
  for (const std::string& category : categories) {
    rules.push_back({{"id", category}, {"shortDescription", {{"text", category}}}});
  }
  Json results = Json::array();
  for (const ReviewFinding& finding : findings) {
    const auto rule = std::find(categories.begin(), categories.end(), finding.category);
    results.push_back(
        result_of(finding, static_cast<std::size_t>(std::distance(categories.begin(), rule))));
  }
  Json notifications = Json::array();
  for (const std::string& what : not_reviewed) {
    notifications.push_back(
        {{"level", "warning"}, {"message", {{"text", "not reviewed: " + what}}}});
  }
  const Json driver = {{"name", "pedrocli"}, {"version", version}, {"rules", rules}};
  const Json invocation = {{"executionSuccessful", whole},
                           {"toolExecutionNotifications", notifications}};
  return {{"$schema",
           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
           "sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs",
           {{{"tool", {{"driver", driver}}},
             {"originalUriBaseIds",
              {{"SRCROOT", {{"description", {{"text", "the root of the project"}}}}}}},
             {"invocations", Json::array({invocation})},
             {"results", results}}}}};
}

}  // namespace pedro
