#include "agent/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxFileBytes = 16u << 20;

// Returns the problem of a place, "" if there is none.
std::string problem_of(const NamedPlace& place, const WorkTree& tree) {
  const Result<std::string> path = tree.resolve(place.file);
  if (!path) return path.error().message;
  if (tree.files().info(*path).kind != FileKind::kFile) return "there is no such file";
  if (place.line == 0) return "";
  const Result<std::string> text = tree.files().read(*path, kMaxFileBytes);
  if (!text) return "";  // too long to count lines
  const auto ends = std::count(text->begin(), text->end(), '\n');
  const long long lines = ends + (text->empty() || text->back() == '\n' ? 0 : 1);
  if (place.line >= 1 && place.line <= lines) return "";
  return fmt::format("the file has {} lines", lines);
}

constexpr std::size_t kMaxFindings = 10;
constexpr std::size_t kMaxClaimedNameBytes = 200;

bool is_plain_name(std::string_view name) {
  constexpr std::string_view kAlso = "._+-/";
  return !name.empty() && name.size() <= kMaxClaimedNameBytes && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  kAlso.find(c) != kAlso.npos;
         });
}

std::string finding_of(const std::string& name, const ToolContext& tools) {
  const bool is_path = name.find_first_of("./") != name.npos;
  if (is_path) {
    return fmt::format(
        "`{}`: {}", name,
        existing_file(tools.tree, name) ? "is in the project" : "is not in the project");
  }
  return fmt::format("`{}`: this machine has {} program", name,
                     tools.processes.find(name).empty() ? "no such" : "this");
}

}  // namespace

std::string to_string(const NamedPlace& place) {
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::vector<NamedPlace> places_in(const Json& output) {
  std::vector<NamedPlace> places;
  std::vector<const Json*> open = {&output};
  while (!open.empty()) {
    const Json& value = *open.back();
    open.pop_back();
    if (member(value, "file").is_string()) {
      places.push_back({text_of(value, "file"), number_of(value, "line")});
    }
    if (!value.is_structured()) continue;
    for (auto it = value.rbegin(); it != value.rend(); ++it) open.push_back(&*it);
  }
  return places;
}

std::optional<std::string> refuse_places(const Json& output, const WorkTree& tree,
                                         const Feedback& feedback) {
  std::string problems;
  for (const NamedPlace& place : places_in(output)) {
    const std::string problem = problem_of(place, tree);
    if (problem.empty()) continue;
    problems += fmt::format("{}- {}: {}", problems.empty() ? "" : "\n", to_string(place), problem);
  }
  if (problems.empty()) return std::nullopt;
  return feedback.text("wrong_places", {{"problems", problems}});
}

std::vector<std::string> check_blocked_claim(std::string_view reason, const ToolContext& tools) {
  std::vector<std::string> findings;
  const std::vector<std::string_view> parts = split(reason, '`');
  for (std::size_t i = 1; i + 1 < parts.size() && findings.size() < kMaxFindings; i += 2) {
    if (is_plain_name(parts[i])) findings.push_back(finding_of(std::string(parts[i]), tools));
  }
  return findings;
}

}  // namespace pedro
