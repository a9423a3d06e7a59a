#include "mcp/tool_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/embedded_file.h"
#include "base/text.h"
#include "json_schema/validate.h"
#include "mcp/shown_text.h"
#include "policy/policy_gate.h"

namespace pedro {
extern const EmbeddedFile kToolFinder[];
}

namespace pedro::mcp {
namespace {

constexpr int kMaxVariables = 8;
constexpr std::size_t kMaxShownBytes = 300;
constexpr SchemaLimits kTemplateLimits{.max_depth = 8, .max_nodes = 8, .max_enum_values = 1};

std::string escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (std::string_view(R"(\^$.|?*+()[]{}/-)").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

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

std::string pattern_of_template(const std::string& uri_template) {
  std::string pattern = "^";
  std::size_t at = 0;
  for (int variables = 0;; ++variables) {
    const std::size_t begin = uri_template.find('{', at);
    pattern += escaped(std::string_view(uri_template).substr(at, begin - at));
    if (begin == uri_template.npos) return variables > 0 ? pattern + "$" : "";
    const std::size_t end = uri_template.find('}', begin);
    if (end == uri_template.npos || end == begin + 1 || variables == kMaxVariables) return "";
    const bool has_operator =
        std::string_view("+#./;?&").find(uri_template[begin + 1]) != std::string_view::npos;
    pattern += fmt::format(R"([^\s"\\<>{{}}{}]{{1,{}}})", has_operator ? "" : "\\/?#",
                           ResourceTable::kMaxValueChars);
    at = end + 1;
  }
}

std::string describe(const ResourceDeclaration& resource) {
  const std::string about = one_line(resource.description, kMaxShownBytes);
  return fmt::format("- {} ({}){}{}\n", resource.uri,
                     resource.is_template ? "template" : one_line(resource.name, kMaxShownBytes),
                     about.empty() ? "" : ": ", about);
}

std::size_t ResourceTable::add(Server& server) {
  std::size_t left_out = 0;
  for (const ResourceDeclaration& declared : server.resources()) {
    const auto same = [&](const Known& one) { return one.declared.uri == declared.uri; };
    if (std::ranges::any_of(known_, same)) continue;
    const auto kind = [&](const Known& one) {
      return one.declared.is_template == declared.is_template;
    };
    const auto limit = declared.is_template ? kMaxTemplates : kMaxKnown;
    Known made{&server, declared, "", {}};
    if (declared.is_template) {
      made.pattern = pattern_of_template(declared.uri);
      auto schema = parse_schema({{"type", "string"}, {"pattern", made.pattern}},
                                 SchemaDialect::kStandard, kTemplateLimits);
      if (made.pattern.empty() || !schema || !schema->unchecked.empty()) {
        ++left_out;
        continue;
      }
      made.schema = *std::move(schema);
    }
    if (static_cast<std::size_t>(std::ranges::count_if(known_, kind)) >= limit) {
      ++left_out;
      continue;
    }
    known_.push_back(std::move(made));
  }
  return left_out;
}

std::size_t ResourceTable::count(const std::string& server) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      known_, [&](const Known& one) { return one.server->name() == server; }));
}

Json ResourceTable::uri_schema() const {
  Json uris = Json::array();
  Json options = Json::array();
  for (const Known& one : known_) {
    if (one.declared.is_template) {
      options.push_back({{"type", "string"}, {"pattern", one.pattern}});
    } else {
      uris.push_back(one.declared.uri);
    }
  }
  if (!uris.empty()) options.insert(options.begin(), Json{{"enum", std::move(uris)}});
  return {{"anyOf", std::move(options)}};
}

Server* ResourceTable::server_of(const std::string& uri) const {
  for (const Known& one : known_) {
    if (one.declared.uri == uri && !one.declared.is_template) return one.server;
  }
  for (const Known& one : known_) {
    if (one.declared.is_template && !validate(one.schema, uri)) return one.server;
  }
  return nullptr;
}

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
