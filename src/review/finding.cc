#include "review/finding.h"

#include <algorithm>
#include <array>
#include <tuple>

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

}  // namespace pedro
