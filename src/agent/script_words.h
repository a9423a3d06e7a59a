#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The words of a text of commands that may name files of its checks, as written.
struct ScriptWords {
  std::vector<std::string> programs;   ///< the first word of each command, and arguments that run
  std::vector<std::string> sourced;    ///< of `.` and `source`
  std::vector<std::string> compared;   ///< programs whose output another command compares
  std::vector<std::string> modules;    ///< Python's, of `-m`, as paths without extension
  std::vector<std::string> plugins;    ///< of pytest's `-p`, as paths without extension
  std::vector<std::string> makefiles;  ///< of `make -f`
  std::vector<std::string> folders;    ///< of `cd` and `make -C`
  std::vector<std::string> loops;      ///< patterns of files that a loop or `xargs` runs
  std::vector<std::string> places;  ///< files, folders and patterns, as arguments of test runners
};

/// Returns the words that may name scripts, in a shell script, a Makefile or a similar text. Reads
/// more than the text runs: all words of `xargs` and wrappers, and quoted texts both as name and
/// commands. Variables stay as they are, see with_values().
///
///     script_words("cd a && timeout 9 ./run.sh")  // programs: cd, 9, ./run.sh; folders: a
ScriptWords script_words(std::string_view text);

/// Returns a Makefile or shell script with the values of its own variables in place of `$(NAME)`,
/// `${NAME}` and `$NAME`. Other variables stay. Stops at 256 KiB.
std::string with_values(std::string_view text);

/// Returns patterns (see Glob) of the files that a Makefile includes. Unknown parts are "*".
/// Omits patterns without a known part.
///
///     included_patterns("-include $(wildcard *.dep) $(OBJS:.o=.d) config.local")
///     -> {"*.dep", "*.d", "**/*.d", "config.local"}
std::vector<std::string> included_patterns(std::string_view text);

}  // namespace pedro
