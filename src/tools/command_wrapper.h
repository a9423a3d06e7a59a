#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/shell_text.h"

namespace pedro {

/// How a program that starts another names it: `NAME OPTIONS ASSIGNMENTS OPERANDS COMMAND…`.
struct CommandWrapper {
  std::string_view name;
  std::string_view flags = {};       ///< letters of options without a value
  std::string_view valued = {};      ///< letters of options with one
  std::string_view long_flags = {};  ///< "null|verbose"
  std::string_view long_valued =
      {};                         ///< "signal|kill-after": the value is the next word, or behind =
  int operands = 0;               ///< words between options and command
  bool long_with_equals = false;  ///< any option "--NAME=VALUE" is one word
  bool assignments = false;       ///< NAME=VALUE may stand in front of the command
  bool appends = false;           ///< more words come behind the command's own
};

/// The row of a program, or null.
const CommandWrapper* find_wrapper(std::string_view program);

/// What was found behind a wrapper.
struct WrappedCommand {
  std::vector<ShellWord> argv;        ///< empty: it starts none
  std::vector<std::string> assigned;  ///< "NAME=VALUE"
  std::string unread;                 ///< an option that is not in the table, or ""
};
WrappedCommand unwrap(const CommandWrapper& wrapper, std::span<const ShellWord> argv);

}  // namespace pedro
