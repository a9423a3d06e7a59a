#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// Returns the letters and digits of a name, in lowercase. "startLine", "start-line" and "Start
/// Line" have the key "startline". Copies bytes that are not ASCII.
std::string name_key(std::string_view name);

/// A tool, and one of its actions or "".
struct CallName {
  std::string tool;
  std::string action = {};

  friend bool operator==(const CallName&, const CallName&) = default;
};

/// Returns arguments with the action of a name, unless they have one.
Json with_action(const CallName& name, const Json& args);

/// Finds the tool and the action that a name means, if only one is possible. Ignores the case of
/// letters and all bytes but letters and digits. A name is `TOOL`, `TOOL.ACTION`, `ACTION_TOOL`, or
/// an `ACTION` of one tool only. More may be around it: `functions.NAME`, `default_api.NAME`,
/// `NAME:0`, `NAME<|channel|>…`, quotes and brackets. Without an action alone, any namespace may be
/// before it.
class CallNames {
 public:
  /// Adds a tool, or one of its actions.
  void add(const std::string& tool, const std::string& action = "");

  std::optional<CallName> find(std::string_view name) const { return find_any(name, true); }
  /// The same for a name that contains its tool.
  std::optional<CallName> find_tool(std::string_view name) const { return find_any(name, false); }

 private:
  // The calls of a key; nullopt if there are several.
  using Keys = std::map<std::string, std::optional<CallName>, std::less<>>;

  std::optional<CallName> find_any(std::string_view name, bool with_actions) const;
  std::optional<CallName> find_in(std::string_view name, bool with_actions) const;
  std::optional<CallName> look_up(std::string_view name, bool with_actions) const;

  std::set<std::string, std::less<>> names_;  // of tools
  Keys tools_;
  Keys joined_;  // tools with their actions
  Keys actions_;
};

}  // namespace pedro
