#include "tools/meant_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "tools/alike_text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::string_view kWrappers[] = {"arguments", "args", "parameters", "input", "kwargs"};
constexpr std::string_view kNameMembers[] = {"name", "tool", "function", "tool_name"};

// Returns the object in a value: itself, JSON text, or the only element of a list.
std::optional<Json> object_in(const Json& value) {
  if (value.is_object()) return value;
  if (value.is_array() && value.size() == 1 && value[0].is_object()) return value[0];
  if (!value.is_string()) return std::nullopt;
  Result<Json> inner = parse_json(trim(value.get_ref<const std::string&>()));
  return inner && inner->is_object() ? std::optional(*std::move(inner)) : std::nullopt;
}

bool declares(const ActionManifest& action, const std::string& name) {
  return member(action.schema_json, "properties").contains(name);
}

bool declares(const Manifest& tool, const std::string& name) {
  return std::any_of(tool.actions.begin(), tool.actions.end(),
                     [&](const ActionManifest& action) { return declares(action, name); });
}

// Returns true if an action declares all arguments, and these contain all required ones.
bool takes(const ActionManifest& action, const Json& args) {
  for (const auto& [name, value] : args.items()) {
    if (!declares(action, name)) return false;
  }
  const Json& required = member(action.schema_json, "required");
  return std::all_of(required.begin(), required.end(), [&](const Json& name) {
    return name == "action" || args.contains(name.get_ref<const std::string&>());
  });
}

// Returns the only action that takes the arguments; "" if none or several do.
std::string only_action_for(const Manifest& tool, const Json& args) {
  std::string only;
  for (const ActionManifest& action : tool.actions) {
    if (!takes(action, args)) continue;
    if (!only.empty()) return "";
    only = action.name;
  }
  return only;
}

// Returns the undeclared members whose value is the name of an action.
std::vector<std::string> members_with_action(const Manifest& known, const Json& args) {
  std::vector<std::string> names;
  for (const auto& [name, value] : args.items()) {
    const bool is_own = name == "action" || declares(known, name);
    if (!is_own && value.is_string() && known.find(text_of(args, name))) names.push_back(name);
  }
  return names;
}

// Returns the action with another spelling of its name; "" if there is none.
std::string action_alike(const Manifest& known, const std::string& name) {
  if (name.empty() || known.find(name) != nullptr) return "";
  for (const ActionManifest& action : known.actions) {
    if (name_key(action.name) == name_key(name)) return action.name;
  }
  return "";
}

Json with_action(const std::string& action, const Json& args) {
  Json all = {{"action", action}};
  for (const auto& [name, value] : args.items()) {
    if (name != "action") all[name] = value;
  }
  return all;
}

constexpr std::string_view kFence = "```";
constexpr std::string_view kSeparators[] = {"\t", ": ", ":", " | ", "|", "\\t"};
constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};

// Replaces escapes of JSON for blanks, quotes and backslashes.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kEscaped = "nt\"\\";
  constexpr std::string_view kPlain = "\n\t\"\\";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t kind = text[i] == '\\' && i + 1 < text.size() ? kEscaped.find(text[i + 1])
                                                                    : std::string_view::npos;
    if (kind == std::string_view::npos) {
      out += text[i];
    } else {
      out += kPlain[kind];
      ++i;
    }
  }
  return out;
}

std::string without_entities(std::string_view text) {
  std::string out(text);
  for (const auto& [entity, plain] : kEntities) out = replace_all(out, entity, plain);
  return out;
}

bool is_markdown(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".mdx") || path.ends_with(".markdown") ||
         path.ends_with(".rst");
}

// Returns the text inside of the only code block, which must be the whole content.
std::optional<std::string> without_fence(std::string_view content) {
  const std::string_view whole = trim(content);
  const std::size_t first_end = whole.find('\n');
  if (!whole.starts_with(kFence) || first_end == whole.npos) return std::nullopt;
  const bool is_language =
      whole.substr(0, first_end).find_first_of(" `", kFence.size()) == std::string_view::npos;
  std::string_view inner = whole.substr(first_end + 1);
  const std::size_t fence = inner.find(kFence);
  const bool ends = fence != inner.npos && fence + kFence.size() == inner.size();
  const bool begins_line = fence == 0 || (ends && inner[fence - 1] == '\n');
  if (!is_language || !ends || !begins_line) return std::nullopt;
  return std::string(inner.substr(0, fence));
}

bool counts_from(std::string_view content, std::size_t first_line) {
  std::size_t line = first_line;
  for (const std::string_view text : split_lines(content)) {
    const std::string_view number = trim(text.substr(0, text.find('\t')));
    if (number != std::to_string(line++)) return false;
  }
  return true;
}

}  // namespace

MeantArgs unwrapped_args(std::string_view tool, const Json& args,
                         const std::function<bool(const std::string& name)>& is_declared) {
  MeantArgs same{args};
  if (!args.is_object() || args.empty()) return same;
  std::string wrapper;
  Json outer = Json::object();
  for (const auto& [name, value] : args.items()) {
    const bool can_wrap = is_one_of(name, kWrappers) || name == tool;
    if (can_wrap && !is_declared(name) && wrapper.empty() && object_in(value)) {
      wrapper = name;
    } else if (name == "action") {
      outer[name] = value;
    } else if (is_declared(name) || !is_one_of(name, kNameMembers) || value != Json(tool)) {
      return same;
    }
  }
  if (wrapper.empty()) return same;
  Json inner = *object_in(args[wrapper]);
  for (const auto& [name, value] : outer.items()) {
    if (!inner.contains(name)) inner[name] = value;
  }
  return {std::move(inner), {fmt::format("taken out of '{}'", wrapper)}};
}

MeantArgs meant_args(const Manifest* allowed, const Manifest& known, const Json& args) {
  MeantArgs meant = unwrapped_args(known.name, args,
                                   [&](const std::string& name) { return declares(known, name); });
  if (const std::string action = action_alike(known, text_of(meant.args, "action"));
      !action.empty()) {
    meant.args["action"] = action;
    meant.repairs.push_back(fmt::format("'action' is {}", action));
  }
  const bool has_actions = known.find("") == nullptr;
  const bool names_action = !text_of(meant.args, "action").empty();
  if (!has_actions || names_action || !meant.args.is_object()) return meant;
  const std::vector<std::string> members = members_with_action(known, meant.args);
  if (members.size() == 1) {
    const std::string action = text_of(meant.args, members.front());
    meant.args.erase(members.front());
    meant.args = with_action(action, meant.args);
    meant.repairs.push_back(fmt::format("'action' from '{}'", shown_name(members.front())));
    return meant;
  }
  Json bare = meant.args;
  bare.erase("action");  // null or another type
  std::string action = allowed == nullptr ? "" : only_action_for(*allowed, bare);
  if (action.empty()) action = only_action_for(known, bare);
  if (action.empty() && known.actions.size() == 1) action = known.actions.front().name;
  if (action.empty()) return meant;
  meant.args = with_action(action, bare);
  meant.repairs.push_back(fmt::format("'action' is added: {}", action));
  return meant;
}

CallName meant_tool(std::string_view name, std::span<const Manifest* const> known) {
  CallNames names;
  for (const Manifest* tool : known) {
    names.add(tool->name);
    if (!tool->server_tool.empty()) continue;
    for (const ActionManifest& action : tool->actions) names.add(tool->name, action.name);
  }
  return names.find(name).value_or(CallName{std::string(name)});
}

MeantText meant_content(std::string_view content, std::string_view before, std::size_t first_line,
                        std::string_view path) {
  const bool had_numbers = before.empty() || without_line_numbers(before).has_value();
  const auto bare = without_line_numbers(content);
  if (bare && !had_numbers && counts_from(content, first_line)) {
    return {*bare, "without the line numbers"};
  }
  const auto inner = without_fence(content);
  if (inner && !is_markdown(path) && before.find(kFence) == before.npos) {
    return {*inner, "without the fence of a code block"};
  }
  const bool has_lines = content.find('\n') != content.npos;
  const bool had_lines = std::count(before.begin(), before.end(), '\n') > 1;
  if (!has_lines && had_lines && content.ends_with("\\n")) {
    return {unescaped(content), "line ends in place of their escapes"};
  }
  return {std::string(content), ""};
}

std::vector<OtherForm> other_forms(std::string_view old_text, std::string_view new_text) {
  std::vector<OtherForm> forms;
  for (const std::string_view separator : kSeparators) {
    const auto bare = without_line_numbers(old_text, separator);
    if (!bare || trim(*bare).empty()) continue;
    forms.push_back({*bare,
                     without_line_numbers(new_text, separator).value_or(std::string(new_text)),
                     "without the line numbers"});
  }
  if (old_text.find('\n') == old_text.npos && old_text.find("\\n") != old_text.npos) {
    forms.push_back(
        {unescaped(old_text), unescaped(new_text), "line ends in place of their escapes"});
  }
  if (std::string plain = without_entities(old_text); plain != old_text) {
    forms.push_back({std::move(plain), without_entities(new_text), "without entities"});
  }
  return forms;
}

}  // namespace pedro
