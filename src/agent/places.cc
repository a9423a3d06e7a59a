#include "agent/places.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace pedro
