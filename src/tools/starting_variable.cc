#include "tools/starting_variable.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

// clang-format off
// Variables that name a program to start, or code to read.
constexpr std::string_view kStartingVariables[] = {
    "PS4", "PS0", "PROMPT_COMMAND", "BASH_ENV", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN",
    "LESSCLOSE", "BROWSER", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS",
    "SSH_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR", "GIT_DIR", "GIT_COMMON_DIR", "PERL5OPT", "PERL5DB", "PYTHONSTARTUP",
    "RUBYOPT", "NODE_OPTIONS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "TAR_OPTIONS", "RSYNC_RSH",
    "GCC_EXEC_PREFIX", "COMPILER_PATH", "SHELLOPTS", "BASHOPTS", "VIMINIT", "EXINIT",
    "PYTHONINSPECT", "RIPGREP_CONFIG_PATH", "WGETRC", "FZF_DEFAULT_COMMAND", "CVS_RSH", "SVN_SSH",
    "SVN_EDITOR", "HGEDITOR", "SUDO_ASKPASS", "SUDO_EDITOR", "FCEDIT", "npm_config_script_shell",
    "NPM_CONFIG_SCRIPT_SHELL", "npm_config_node_options", "NPM_CONFIG_NODE_OPTIONS", "LESSEDIT",
    "TEXEDIT"};
// Prefixes of further variables of this kind.
constexpr std::string_view kStartingFronts[] = {
    "GIT_CONFIG", "BASH_FUNC_", "CARGO_ALIAS_", "CARGO_TARGET_", "CARGO_BUILD_RUSTC"};
constexpr std::string_view kHarmlessVariables[] = {"GIT_CONFIG_NOSYSTEM", "CARGO_TARGET_DIR"};
constexpr std::string_view kHarmlessValues[] = {"", "cat", "true", ":", "/bin/true", "/bin/cat"};

// Options for programs that start another program only with these parts.
struct OptionVariable {
  std::string_view name;
  std::string_view parts;  // "|linker|": parts of such values
};
constexpr std::string_view kLinker = "|linker|backend|plugin|runtool|builder|";
constexpr std::string_view kCompiler = "|-wrapper|-fplugin|-specs|-B|-fuse-ld=/|-fuse-ld=.|";
constexpr std::string_view kJava = "|agent|OnError|OnOutOfMemory|";
constexpr OptionVariable kOptionVariables[] = {
    {"GIT_ALLOW_PROTOCOL", "|ext|fd|"}, {"RUSTFLAGS", kLinker}, {"RUSTDOCFLAGS", kLinker},
    {"CARGO_ENCODED_RUSTFLAGS", kLinker}, {"GOFLAGS", "|exec|vettool|extld|wrapper|plugin|"},
    {"CFLAGS", kCompiler}, {"CXXFLAGS", kCompiler}, {"CPPFLAGS", kCompiler}, {"LDFLAGS", kCompiler},
    {"CGO_CFLAGS", kCompiler}, {"CGO_CXXFLAGS", kCompiler}, {"CGO_CPPFLAGS", kCompiler},
    {"CGO_LDFLAGS", kCompiler}, {"JAVA_TOOL_OPTIONS", kJava}, {"_JAVA_OPTIONS", kJava},
    {"JDK_JAVA_OPTIONS", kJava}, {"FZF_DEFAULT_OPTS", "|preview|bind|"}};

// Variables with commands that builds and other tools run.
constexpr std::string_view kCommandVariables[] = {
    "CC", "CXX", "CPP", "LD", "AR", "AS", "NM", "RANLIB", "STRIP", "OBJCOPY", "FC", "YACC", "LEX",
    "PKG_CONFIG", "GCCGO", "GOAUTH", "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER",
    "CARGO", "PYTHON", "PERL", "NODE", "MAKE", "CMAKE_C_COMPILER_LAUNCHER",
    "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER"};

constexpr std::string_view kMakes[] = {"make", "gmake", "bmake", "pmake", "remake"};
// Variables that make itself uses to run commands.
constexpr std::string_view kMakesOwn[] = {"SHELL", ".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS",
                                          "MAKEFILES"};
// clang-format on

std::string_view value_of(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  return equals == std::string_view::npos ? "" : assignment.substr(equals + 1);
}

bool begins_as_starting(std::string_view name) {
  const auto begins = [name](std::string_view front) { return name.starts_with(front); };
  return !is_one_of(name, kHarmlessVariables) &&
         std::any_of(std::begin(kStartingFronts), std::end(kStartingFronts), begins);
}

bool names_a_program(std::string_view name, std::string_view assignment) {
  const bool known = assignment.size() > name.size();
  const std::string_view value = value_of(assignment);
  for (const OptionVariable& row : kOptionVariables) {
    if (row.name != name) continue;
    return !known || any_listed(row.parts, [value](std::string_view part) {
      return value.find(part) != std::string_view::npos;
    });
  }
  if (is_one_of(name, kCommandVariables)) return !known;
  const bool by_front = begins_as_starting(name);
  if (!by_front && !is_one_of(name, kStartingVariables)) return false;
  if (!known) return true;
  return by_front ? value != "/dev/null" : !is_one_of(value, kHarmlessValues);
}

/// Returns the reason why a make setting may start another program, or "". It is text for a shell
/// or for make.
std::string unread_setting(std::string_view name, std::string_view operation,
                           std::string_view value) {
  const bool runs = operation == "!=" || is_one_of(name, kMakesOwn);
  const bool shell = value.find_first_of("$`;|&(\n") != std::string_view::npos;
  return runs || shell ? fmt::format("make {}{} may start another program", name, operation) : "";
}

/// Removes make's prefixes from a recipe line.
std::string recipe(std::string_view value) {
  return std::string(value.substr(std::min(value.find_first_not_of("@-+ "), value.size())));
}

}  // namespace

std::string unread_variable(std::string_view assignment) {
  const std::string_view name = assignment.substr(0, assignment.find('='));
  if (!names_a_program(name, assignment)) return "";
  return fmt::format("{} may name another program", name);
}

std::string_view command_of_variable(std::string_view assignment) {
  const std::string_view name = assignment.substr(0, assignment.find('='));
  return is_one_of(name, kCommandVariables) ? value_of(assignment) : "";
}

bool moves_git_settings(std::string_view variable) {
  return variable == "HOME" || variable == "XDG_CONFIG_HOME";
}

bool has_make_code(std::string_view value) {
  return value.find("$(") != std::string_view::npos || value.find("${") != std::string_view::npos;
}

bool is_make(std::string_view program) {
  return is_one_of(program, kMakes);
}

BuildWords build_words(std::string_view program, std::span<const ShellWord> argv) {
  BuildWords settings;
  const bool make = is_make(program);
  if (!make && program != "cmake") return settings;
  for (const ShellWord& word : argv.subspan(1)) {
    std::string_view text = word.text;
    if (!make && text.starts_with("-D")) text.remove_prefix(2);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || text.starts_with('-')) continue;
    const std::size_t name_end = text.find_first_of("=:+?!");
    const std::string_view operation = text.substr(name_end, equals + 1 - name_end);
    const std::string_view name = text.substr(0, name_end);
    const std::string_view value = text.substr(equals + 1);
    if (!word.known) {
      if (make) settings.unread = fmt::format("make {} may start another program", text);
      continue;
    }
    if (make && settings.unread.empty()) settings.unread = unread_setting(name, operation, value);
    // Words in CMake lists are separated by ';'.
    std::string command = make ? recipe(value) : replace_all(value, ";", " ");
    if (!command.empty()) settings.commands.push_back(std::move(command));
  }
  return settings;
}

}  // namespace pedro
