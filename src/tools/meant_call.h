#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json_schema/call_names.h"
#include "tools/manifest.h"

namespace pedro {

// The meaning of a model's call in another form: its tool and arguments, if only one is possible.
// The meaning of a text with lines as a tool or a chat shows them.

struct MeantArgs {
  Json args;
  std::vector<std::string> repairs = {};  ///< in the words of RepairedValue::repairs
};

/// Returns a call's arguments that are in an object around them: `{"arguments": {…}}`, as JSON
/// text, or beside the tool's name. `is_declared` finds the tool's own parameters, which stay.
MeantArgs unwrapped_args(std::string_view tool, const Json& args,
                         const std::function<bool(const std::string& name)>& is_declared);

/// Unwraps the arguments and adds a missing action. It is the tool's only one, the value of an
/// undeclared member, or the only action with these parameters. `allowed` has the actions of the
/// phase, or is null; `known` has all actions. Prefers an allowed action.
MeantArgs meant_args(const Manifest* allowed, const Manifest& known, const Json& args);

/// Returns the tool that a name means, and its action, as CallNames finds them. Returns the name
/// itself if it means no known tool.
CallName meant_tool(std::string_view name, std::span<const Manifest* const> known);

struct MeantText {
  std::string text;
  std::string repair;  ///< what was removed; "" if nothing was
};

/// Returns the content for the lines from `first_line` of a file with the text `before`. Removes:
///
/// - the numbers of shown lines, if they count from `first_line` and the file has none
/// - the fence of a code block around the whole text, unless the file is Markdown
/// - the escapes of line ends, if there is no other line end and the file has several lines
MeantText meant_content(std::string_view content, std::string_view before, std::size_t first_line,
                        std::string_view path);

/// An old text and its replacement in another form.
struct OtherForm {
  std::string old_text;
  std::string new_text;
  std::string repair;
};

/// Returns the forms of an old text that does not occur. They lack line numbers before a tab, a
/// colon or a bar, escapes of line ends, or entities of XML. O(bytes).
std::vector<OtherForm> other_forms(std::string_view old_text, std::string_view new_text);

}  // namespace pedro
