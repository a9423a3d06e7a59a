#include "review/sarif.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace pedro {
namespace {

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
