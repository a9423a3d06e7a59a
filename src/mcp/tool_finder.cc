#include "mcp/tool_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/embedded_file.h"
#include "base/text.h"
#include "policy/policy_gate.h"

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
constexpr std::string_view kCall = "call";
constexpr std::string_view kRead = "read";
constexpr std::string_view kResourceRule = "resources/read";

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

int score_of(std::string_view given_name, std::string_view given_text,
             const std::vector<std::string>& words) {
  const std::string name = to_lower(given_name);
  const std::string all = to_lower(given_text);
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

// Returns the elements with the best scores above 0, the best one first.
template <typename Elements, typename Score>
auto best_of(const Elements& elements, Score score) {
  std::vector<std::pair<int, const typename Elements::value_type*>> ranked;
  for (const auto& one : elements) {
    if (const int points = score(one); points > 0) ranked.emplace_back(points, &one);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (ranked.size() > kMaxFound) ranked.resize(kMaxFound);
  return ranked;
}

class ToolFinder : public Tool {
 public:
  ToolFinder(std::vector<Manifest> tools, ResourceTable resources)
      : tools_(std::move(tools)), resources_(std::move(resources)) {}

  std::string_view name() const override { return kFinderName; }

  // The registry forwards the action `call`.
  Result<ToolResult> run(const ActionManifest& action, const Json& args,
                         ToolContext& context) override {
    return action.name == kRead ? read(text_of(args, "uri"), context)
                                : find(words_of(text_of(args, "query")));
  }

 private:
  ToolResult find(const std::vector<std::string>& words) const {
    ToolResult result;
    const auto tools = best_of(tools_, [&](const Manifest& tool) {
      return score_of(tool.server_tool, describe(tool), words);
    });
    for (const auto& [score, tool] : tools) {
      const std::string text = describe(*tool);
      if (!result.found.empty() && result.text.size() + text.size() > kMaxFoundBytes) break;
      result.text += text;
      result.found.push_back(tool->name);
    }
    const auto resources = best_of(resources_.known(), [&](const ResourceTable::Known& one) {
      return score_of(one.declared.uri, one.declared.name + " " + one.declared.description, words);
    });
    if (!resources.empty()) result.text += "Resources to read:\n";
    for (const auto& [score, one] : resources) result.text += describe(one->declared);
    if (result.text.empty()) return refuse("nothing fits these words. There are: " + names());
    result.pinned = true;
    return result;
  }

  Result<ToolResult> read(const std::string& uri, ToolContext& context) const {
    Server* server = resources_.server_of(uri);
    if (server == nullptr) return refuse("there is no such resource; use find");
    if (context.policy != nullptr) {
      PEDRO_TRY(const auto denied,
                context.policy->refusal(
                    {.action = fmt::format("{}.{} {}", server->name(), kResourceRule, uri),
                     .permission = Permission::kNetwork,
                     .server_tool = fmt::format("{}.{}", server->name(), kResourceRule)}));
      if (denied) return refuse(*denied);
    }
    return server->read(uri, context.cancel);
  }

  std::string names() const {
    std::vector<std::string> names;
    for (const Manifest& tool : tools_) names.push_back(tool.name);
    for (const ResourceTable::Known& one : resources_.known()) names.push_back(one.declared.uri);
    const bool is_long = names.size() > kMaxListed;
    if (is_long) names.resize(kMaxListed);
    return join(names, ", ") + (is_long ? ", and others" : "");
  }

  std::vector<Manifest> tools_;
  ResourceTable resources_;
};

// Constrains the address of a read. The declaration for the model stays short.
void narrow_uri(ActionManifest& action, const ResourceTable& resources) {
  Json schema = action.schema_json;
  schema["properties"]["uri"] = resources.uri_schema();
  auto parsed = parse_schema(schema, SchemaDialect::kStandard);
  if (parsed) action.schema = *std::move(parsed);
}

}  // namespace

Manifest finder_manifest(std::vector<Manifest>& tools, const ResourceTable& resources,
                         std::vector<std::string>& left_out) {
  std::map<std::string, std::size_t> servers;  // with their numbers of tools
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
  for (const ResourceTable::Known& one : resources.known()) servers[one.server->name()];
  std::vector<std::string> counts;
  for (const auto& [server, count] : servers) {
    const std::size_t readable = resources.count(server);
    std::vector<std::string> parts;
    if (count > 0) parts.push_back(fmt::format("{} tools", count));
    if (readable > 0) parts.push_back(fmt::format("{} resources", readable));
    counts.push_back(fmt::format("{} ({})", server, join(parts, ", ")));
  }
  const std::string description = std::string(kToolFinder[1].bytes) + join(counts, ", ") + "\n";
  Manifest manifest = parse_manifest("tool_finder.json", kToolFinder[0].bytes, description).value();
  std::erase_if(manifest.actions, [&](const ActionManifest& action) {
    return (action.name == kCall && tools.empty()) || (action.name == kRead && resources.empty());
  });
  for (ActionManifest& action : manifest.actions) {
    if (action.name == kCall) action.targets = std::move(targets);
    if (action.name == kRead) narrow_uri(action, resources);
  }
  return manifest;
}

std::unique_ptr<Tool> make_tool_finder(std::vector<Manifest> tools, ResourceTable resources) {
  return std::make_unique<ToolFinder>(std::move(tools), std::move(resources));
}

}  // namespace pedro::mcp
