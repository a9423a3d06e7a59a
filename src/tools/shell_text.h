#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Whether the name of a shell's variable may have it, if not at its beginning.
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Which shell reads a text: they differ in `[[`, `((`, `time`, `function`.
enum class ShellDialect { kPosix, kBash };

/// A word of a command, quotes removed.
struct ShellWord {
  std::string text;
  /// False where only the shell knows what becomes of it (an expansion, a pattern, braces): any
  /// number of any words; `text` is then as far as it is written.
  bool known = true;

  bool operator==(const ShellWord&) const = default;
};

/// Program and arguments, as a text has them.
struct ShellCommand {
  std::vector<ShellWord> words;         ///< may be empty: only assignments, only redirections
  std::vector<std::string> assigned;    ///< in front of it: "NAME=VALUE", "NAME" of an unknown one
  std::optional<ShellWord> input = {};  ///< a here-document or here-string
};

/// A text inside a text that a shell would read: between backticks, or a here-document with
/// expansions in it.
struct NestedText {
  std::string text;
  ShellDialect dialect = ShellDialect::kPosix;
  bool only_expansions = false;  ///< of a here-document: nothing else in it is run
};

/// What stands in a text for the shell, in the order in which it begins.
struct ShellText {
  std::vector<ShellCommand> commands;  ///< of pipelines, lists, subshells, functions, `$(…)`, …
  std::vector<NestedText> nested;
  /// What could not be read, or "". The commands in front of it are there, more may be behind it.
  std::string problem;
};

constexpr std::size_t kMaxShellBytes = 64 * 1024;

/// Finds all simple commands in a shell's text, whether or not they would come to be run. Never
/// finds fewer than the shell would: where a construct is not read, or means one thing in one shell
/// and another in the next, that is a problem. No recursion; at most 64 constructs inside each
/// other, 1000 commands, 64 KiB.
ShellText parse_shell_text(const NestedText& text);

}  // namespace pedro
