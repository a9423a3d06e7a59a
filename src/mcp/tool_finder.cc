#include "mcp/tool_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/embedded_file.h"
#include "base/text.h"

namespace pedro {
extern const EmbeddedFile kToolFinder[];
}

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxFound = 5;
constexpr std::size_t kMaxFoundBytes = 12u << 10;  // of all declarations in a result
constexpr std::size_t kMaxListed = 100;            // names in a result without a tool
constexpr int kNameScore = 3;                      // for a word in a name
constexpr int kOtherScore = 1;                     // for a word elsewhere in a declaration

// Returns the words of a query in lower case, without the "s" of a plural.
std::vector<std::string> words_of(std::string_view query) {
  std::string text = to_lower(query);
  std::ranges::replace_if(
      text,
      [](char c) {
        return std::string_view(" ,.;:!?_-/()\"'\t\n").find(c) != std::string_view::npos;
      },
      ' ');
  std::vector<std::string> words;
  for (std::string_view word : split(text, ' ')) {
    if (word.size() > 2 && word.ends_with('s')) word.remove_suffix(1);
    if (word.size() > 1) words.emplace_back(word);
  }
  return words;
}

int score_of(const Manifest& tool, const std::vector<std::string>& words) {
  const std::string name = to_lower(tool.server_tool);
  const std::string all = to_lower(describe(tool));
  int score = 0;
  for (const std::string& word : words) {
    if (name.find(word) != name.npos) {
      score += kNameScore;
    } else if (all.find(word) != all.npos) {
      score += kOtherScore;
    }
  }
  return score;
}

class ToolFinder : public Tool {
 public:
  explicit ToolFinder(std::vector<Manifest> tools) : tools_(std::move(tools)) {}

  std::string_view name() const override { return kFinderName; }

  // The registry forwards the action `call`.
  Result<ToolResult> run(const ActionManifest&, const Json& args, ToolContext&) override {
    ToolResult result;
    for (const Manifest* tool : best_for(text_of(args, "query"))) {
      const std::string text = describe(*tool);
      if (!result.found.empty() && result.text.size() + text.size() > kMaxFoundBytes) break;
      result.text += text;
      result.found.push_back(tool->name);
    }
    if (result.found.empty()) return refuse("no tool fits these words. There are: " + names());
    result.pinned = true;
    return result;
  }

 private:
  std::vector<const Manifest*> best_for(const std::string& query) const {
    const std::vector<std::string> words = words_of(query);
    std::vector<std::pair<int, const Manifest*>> ranked;
    for (const Manifest& tool : tools_) {
      const int score = score_of(tool, words);
      if (score > 0) ranked.emplace_back(score, &tool);
    }
    std::ranges::stable_sort(ranked, std::greater(), &std::pair<int, const Manifest*>::first);
    std::vector<const Manifest*> best;
    for (const auto& [score, tool] : ranked) {
      if (best.size() < kMaxFound) best.push_back(tool);
    }
    return best;
  }

  std::string names() const {
    std::vector<std::string> names;
    for (const Manifest& tool : tools_) {
      if (names.size() < kMaxListed) names.push_back(tool.name);
    }
    return join(names, ", ") + (names.size() < tools_.size() ? ", and others" : "");
  }

  std::vector<Manifest> tools_;
};

}  // namespace

Manifest finder_manifest(std::vector<Manifest>& tools, std::vector<std::string>& left_out) {
  std::map<std::string, int> servers;  // with their numbers of tools
  std::vector<CallTarget> targets;
  std::erase_if(tools, [&](const Manifest& tool) {
    auto target = target_for(tool.name, tool.actions.front().schema_json);
    if (!target) {
      left_out.push_back(tool.server_tool + ": " + target.error().message);
      return true;
    }
    targets.push_back(*std::move(target));
    ++servers[tool.server_tool.substr(0, tool.server_tool.find('.'))];
    return false;
  });
  std::vector<std::string> counts;
  for (const auto& [server, count] : servers) {
    counts.push_back(fmt::format("{} ({} tools)", server, count));
  }
  const std::string description = std::string(kToolFinder[1].bytes) + join(counts, ", ") + "\n";
  Manifest manifest = parse_manifest("tool_finder.json", kToolFinder[0].bytes, description).value();
  manifest.actions.back().targets = std::move(targets);
  return manifest;
}

std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools) {
  return std::make_unique<ToolFinder>(std::move(tools));
}

}  // namespace pedro::mcp
