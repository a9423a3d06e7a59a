#include "tools/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "base/embedded_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "json_schema/validate.h"
#include "policy/policy_gate.h"
#include "tools/builtin.h"
#include "tools/command_report.h"

namespace pedro {

extern const EmbeddedFile kToolFiles[];
extern const std::size_t kToolFilesCount;

namespace {

constexpr std::uint64_t kMaxManifestBytes = 1u << 20;
constexpr std::size_t kMaxAskedBytes = 600;  // of arguments that the user is asked about

// An unparsed manifest.
struct Source {
  std::string place;  // of the JSON, for errors
  std::string json;
  std::string description;
};
using Sources = std::map<std::string, Source, std::less<>>;  // by tool name, sorted

std::vector<std::string> names_of(const Sources& sources) {
  std::vector<std::string> names;
  for (const auto& [name, source] : sources) names.push_back(name);
  return names;
}

// Stores the bytes of NAME.json or NAME.md in `source`. Returns false for other extensions.
bool put(Source& source, std::string_view extension, std::string place, std::string bytes) {
  if (extension == "json") {
    source.place = std::move(place);
    source.json = std::move(bytes);
  } else if (extension == "md") {
    source.description = std::move(bytes);
  } else {
    return false;
  }
  return true;
}

struct FileName {
  std::string_view stem;
  std::string_view extension;
};

FileName parse_file_name(std::string_view name) {
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  return {name.substr(0, dot), name.substr(std::min(dot + 1, name.size()))};
}

Sources embedded_sources() {
  Sources sources;
  for (std::size_t i = 0; i < kToolFilesCount; ++i) {
    const EmbeddedFile& file = kToolFiles[i];
    const FileName name = parse_file_name(file.path);
    put(sources[std::string(name.stem)], name.extension, "tools/" + std::string(file.path),
        std::string(file.bytes));
  }
  return sources;
}

Status override_sources(const FileSystem& files, const std::string& folder, Sources& sources) {
  if (folder.empty() || files.info(folder).kind != FileKind::kFolder) return {};
  const auto entries = files.list(folder);
  if (!entries) return Error{ErrorKind::kConfig, entries.error().message};
  for (const FolderEntry& entry : *entries) {
    const std::string place = join_path(folder, entry.name);
    const FileName name = parse_file_name(entry.name);
    const auto source = sources.find(name.stem);
    if (source == sources.end()) {
      return config_error(place, fmt::format("there is no tool '{}'{}; there is: {}", name.stem,
                                             did_you_mean(name.stem, names_of(sources)),
                                             join(names_of(sources), ", ")));
    }
    auto bytes = files.read(place, kMaxManifestBytes);
    if (!bytes) return Error{ErrorKind::kConfig, bytes.error().message};
    if (!put(source->second, name.extension, place, *std::move(bytes))) {
      return config_error(place, "expected a file NAME.json or NAME.md");
    }
  }
  return {};
}

// The code implements only the actions of the embedded manifest.
Status check_actions(const Manifest& manifest, const Source& source, const Manifest& embedded) {
  std::vector<std::string> known;
  for (const ActionManifest& action : embedded.actions) known.push_back(action.name);
  for (const ActionManifest& action : manifest.actions) {
    if (embedded.find(action.name) != nullptr) continue;
    return config_error(
        source.place, fmt::format("{} has no action '{}'{}; it has: {}", manifest.name, action.name,
                                  did_you_mean(action.name, known), join(known, ", ")));
  }
  return {};
}

Result<Manifest> parse_source(const std::string& name, const Source& source) {
  auto manifest = parse_manifest(source.place, source.json, source.description);
  if (manifest.ok() && manifest->name != name) {
    return config_error(
        source.place,
        fmt::format("name: expected '{}', as the file is called, got '{}'", name, manifest->name));
  }
  return manifest;
}

// Prepares a result for the model: printable, without secrets and the tree's path, and bounded.
Status bound(ToolResult& result, std::size_t max_bytes, ToolContext& context) {
  result.text = make_printable(context.tree.without_root(result.text));
  if (context.secrets != nullptr) result.text = context.secrets->mask(result.text);
  if (result.text.size() <= max_bytes) return {};
  const auto id = context.notes.spill(result.text);
  if (!id) return id.error().at("cannot keep a long output");
  result.text = cut_middle(result.text, max_bytes, kept_note(*id));
  result.kept_as = *id;
  return {};
}

// Returns nothing if the policy allows the call, else its refusal.
Result<std::optional<std::string>> policy_refusal(const Manifest& manifest,
                                                  const ActionManifest& action, const Tool& tool,
                                                  const Json& args, ToolContext& context) {
  if (context.policy == nullptr) return std::optional<std::string>();
  if (!manifest.server_tool.empty()) {
    const std::string shown = cut_middle(to_line(args), kMaxAskedBytes, "");
    return context.policy->refusal({.action = fmt::format("{} {}", manifest.server_tool, shown),
                                    .permission = action.permission,
                                    .server_tool = manifest.server_tool});
  }
  return context.policy->refusal({fmt::format("{} {}", tool.name(), action.name), action.permission,
                                  tool.shell_line(action, args)});
}

bool has_masked_text(const Json& args) {
  for (const Json& value : args) {
    const auto* text = value.get_ptr<const Json::string_t*>();
    if (text != nullptr && text->find(kMaskedSecret) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

Result<Registry> Registry::open(const FileSystem& files, const std::string& override_folder) {
  const Sources embedded = embedded_sources();
  Sources sources = embedded;
  PEDRO_RETURN_IF_ERROR(override_sources(files, override_folder, sources));

  std::map<std::string, std::unique_ptr<Tool>, std::less<>> tools;
  for (auto& tool : make_builtin_tools()) tools[std::string(tool->name())] = std::move(tool);
  Registry registry;
  for (const auto& [name, source] : sources) {
    PEDRO_TRY(auto manifest, parse_source(name, source));
    PEDRO_TRY(const auto original, parse_source(name, embedded.at(name)));
    PEDRO_RETURN_IF_ERROR(check_actions(manifest, source, original));
    const auto tool = tools.find(name);
    if (tool == tools.end()) return config_error(source.place, "there is no code for this tool");
    registry.manifests_.push_back(std::move(manifest));
    registry.tools_.push_back(std::move(tool->second));
    tools.erase(tool);
  }
  if (!tools.empty()) return config_error(tools.begin()->first, "this tool has no manifest");
  return registry;
}

bool Registry::add(Manifest manifest, std::unique_ptr<Tool> tool) {
  if (find(manifest.name) != nullptr) return false;
  manifests_.push_back(std::move(manifest));
  tools_.push_back(std::move(tool));
  return true;
}

const Manifest* Registry::find(std::string_view tool) const {
  for (const Manifest& manifest : manifests_) {
    if (manifest.name == tool) return &manifest;
  }
  return nullptr;
}

ToolCall Registry::resolved(const ToolCall& call) const {
  const Manifest* manifest = find(call.tool);
  const ActionManifest* action = manifest ? manifest->find(text_of(call.args, "action")) : nullptr;
  const CallTarget* target = action ? action->target_of(call.args) : nullptr;
  if (target == nullptr) return call;
  return {call.id, target->tool, member(call.args, "arguments")};
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const Manifest& manifest : manifests_) names.push_back(manifest.name);
  return names;
}

Result<ToolResult> Registry::run(const ToolCall& call, std::size_t allowance_bytes,
                                 ToolContext& context) {
  const Manifest* manifest = find(call.tool);
  if (manifest == nullptr) {
    return refuse(fmt::format("there is no tool '{}'{}; there is: {}", shown_name(call.tool),
                              did_you_mean(call.tool, names()), join(names(), ", ")));
  }
  CheckedArgs checked = check_args(*manifest, call.args);
  if (!checked.problem.empty()) return refuse(std::move(checked.problem));
  const Json& args = checked.args;
  const ActionManifest* action = manifest->find(text_of(args, "action"));
  if (!action->targets.empty()) {
    auto result = run(resolved({call.id, call.tool, args}), allowance_bytes, context);
    if (result) std::ranges::move(checked.repairs, std::back_inserter(result->repaired));
    return result;
  }
  // A mask must not overwrite the secret in the file.
  if (context.secrets != nullptr && action->permission == Permission::kWrite &&
      has_masked_text(args)) {
    return refuse(
        "a secret's mask (\"[masked: …]\") cannot be written; leave its line unchanged, and change "
        "only others");
  }
  const auto index = static_cast<std::size_t>(manifest - manifests_.data());
  PEDRO_TRY(const auto denied, policy_refusal(*manifest, *action, *tools_[index], args, context));
  if (denied) return refuse(context.tree.without_root(*denied));
  context.timeout_s = manifest->timeout_s;
  context.max_result_bytes = std::min(manifest->max_output_bytes, allowance_bytes);
  PEDRO_TRY(auto result, tools_[index]->run(*action, args, context));
  std::move(checked.repairs.begin(), checked.repairs.end(), std::back_inserter(result.repaired));
  PEDRO_RETURN_IF_ERROR(bound(result, context.max_result_bytes, context));
  return result;
}

}  // namespace pedro
