#include "tools/program_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace pedro {
namespace {

using Argv = std::span<const ShellWord>;

template <typename Names>
bool is_named_in(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Languages whose commands can start programs, and that are given them in many ways.
constexpr std::string_view kLanguages[] = {
    "m4",   "ed",      "red", "ex",     "vi", "vim",     "view",  "nvim", "rvim",  "emacs", "tclsh",
    "wish", "gnuplot", "dc",  "octave", "R",  "Rscript", "julia", "ghci", "guile", "scheme"};

// A program given as `NAME OPTION CODE`, or on its input where no word names a file.
struct Interpreter {
  std::string_view name;         // what the program's begins with
  std::string_view letters;      // of options with code
  std::string_view valued;       // of options with another value, the next word
  std::string_view only_speaks;  // words with which nothing is run
};
constexpr Interpreter kInterpreters[] = {{"python", "c", "WXQ", "|-V|--version|-h|--help|"},
                                         {"pypy", "c", "WXQ", "|-V|--version|-h|--help|"},
                                         {"perl", "eE", "I", "|-v|-V|--version|-h|--help|"},
                                         {"ruby", "e", "rI", "|-v|--version|-h|--help|"},
                                         {"node", "ep", "r", "|-v|--version|-h|--help|--test|"},
                                         {"php", "r", "dc", "|-v|--version|-h|--help|-m|-i|"},
                                         {"lua", "e", "l", "|-v|"}};

// Options that name a program to start.
struct StartingOptions {
  std::string_view name;
  std::string_view letters;      // of short ones, also in clusters
  std::string_view words;        // "|filter|": long ones without "--", also shortened
  std::string_view fronts = {};  // "|SHELL=|": what a word may begin with
};
constexpr StartingOptions kStarting[] = {
    {"tar", "IF",
     "|checkpoint-action|to-command|use-compress-program|rsh-command|info-script|"
     "new-volume-script|rmt-command|"},
    {"bsdtar", "", "|use-compress-program|"},
    {"split", "", "|filter|"},
    {"sort", "", "|compress-program|"},
    {"rsync", "e", "|rsh|rsync-path|"},
    {"make", "E", "|eval|", "|SHELL=|.SHELLFLAGS=|MAKEFLAGS=|-f-|--file=-|--makefile=-|"},
    {"gmake", "E", "|eval|", "|SHELL=|.SHELLFLAGS=|MAKEFLAGS=|-f-|--file=-|--makefile=-|"},
    {"mapfile", "C", ""},
    {"readarray", "C", ""},
    {"complete", "CF", ""},
    {"compgen", "CF", ""},
    {"zip", "", "|unzip-command|", "|-TT|"},
    {"man", "P", "|pager|html|"},
    {"wget", "", "|use-askpass|"},
    {"ctest", "", "|build-and-test|test-command|"},
};
constexpr std::string_view kCompilers[] = {"gcc",   "g++",     "cc",      "c++",
                                           "clang", "clang++", "gfortran"};

bool is_listed(std::string_view list, std::string_view word) {
  return list.find(fmt::format("|{}|", word)) != std::string_view::npos;
}

template <typename Found>
bool any_part(std::string_view list, Found found) {
  const auto parts = split(list, '|');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return !part.empty() && found(part); });
}

/// What stands for an open descriptor is no file.
bool is_no_file(std::string_view word) {
  return word == "-" || word.starts_with("/dev/") || word.starts_with("/proc/");
}

bool starts_program(const StartingOptions& options, const std::string& word, bool first) {
  const auto begins = [&word](std::string_view front) { return word.starts_with(front); };
  if (any_part(options.fronts, begins)) return true;
  if (word.starts_with("--")) {
    const std::string_view given = std::string_view(word).substr(2, word.find('=') - 2);
    return given.size() > 1 && any_part(options.words, [&given](std::string_view option) {
             return option.starts_with(given);
           });
  }
  // tar's letters may stand without a dash.
  const bool cluster = word.starts_with('-') || (first && options.name == "tar");
  return cluster && word.find_first_of(options.letters) != std::string::npos;
}

std::string code_for_interpreter(const Interpreter& one, std::string_view name, Argv argv) {
  bool runs_a_file = false;
  for (std::size_t i = 1; i < argv.size() && !runs_a_file; ++i) {
    const std::string& word = argv[i].text;
    if (is_listed(one.only_speaks, word)) return "";
    if (is_no_file(word)) return fmt::format("code for {} is not read", name);
    if (!word.starts_with('-') || !argv[i].known) {
      runs_a_file = true;
      break;
    }
    const bool is_long = word.starts_with("--");
    const bool code = is_long ? word.starts_with("--eval") || word.starts_with("--print")
                              : word.find_first_of(one.letters, 1) != std::string::npos;
    if (code) return fmt::format("code for {} is not read", name);
    if (word == "-m" && one.letters == "c") return "";  // a module is a program of its own
    const bool value = !is_long && one.valued.find(word.back()) != std::string_view::npos;
    if (value || word == "--require" || word == "--import" || word == "--loader") ++i;
  }
  return runs_a_file ? "" : fmt::format("{} runs what is not written here", name);
}

/// awk's programs start others by system(), pipes and what gawk loads.
std::string code_for_awk(std::string_view name, Argv argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string text = replace_all(argv[i].text, "||", "");
    const bool starts =
        text.find("system") != std::string::npos || text.find_first_of("|@") != std::string::npos;
    const bool file = argv[i - 1].text == "-f" || argv[i - 1].text == "--file";
    if (!argv[i].known || starts || (file && is_no_file(text)) || text.starts_with("-f-")) {
      return fmt::format("code for {} is not read", name);
    }
  }
  return "";
}

/// Reads as much of sed's language as cannot start a program or read code.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  bool is_harmless() {
    // `e`, and a flag of `s` of that name, run a command.
    if (text_.find('e') == std::string_view::npos) return true;
    while (at_ < text_.size()) {
      skip(" \t\n;{}");
      if (at_ == text_.size()) return true;
      if (!skip_address() || !skip_command()) return false;
    }
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::string_view chars) {
    while (at_ < text_.size() && chars.find(text_[at_]) != std::string_view::npos) ++at_;
  }

  /// Behind the next `delimiter` that no backslash and no bracket hides.
  bool skip_past(char delimiter) {
    for (; at_ < text_.size() && text_[at_] != delimiter; ++at_) {
      // In brackets shells of sed do not agree on what ends a text.
      if (text_[at_] == '[' || text_[at_] == '\n') return false;
      if (text_[at_] == '\\') ++at_;
    }
    return at_++ < text_.size();
  }

  bool skip_address() {
    for (bool more = true; more;) {
      if (peek() == '/') {
        ++at_;
        if (!skip_past('/')) return false;
        skip("IM");
      } else {
        skip("0123456789$~+");
      }
      skip(" \t");
      more = peek() == ',';
      if (more) ++at_;
      skip(" \t");
    }
    skip("! \t");
    return true;
  }

  bool skip_command() {
    const char command = peek();
    ++at_;
    if (command == 's' || command == 'y') {
      const char delimiter = peek();
      if (delimiter == '\0' || delimiter == '\n' || delimiter == '\\') return false;
      ++at_;
      if (!skip_past(delimiter) || !skip_past(delimiter)) return false;
      skip("gpiIm0123456789M");
    } else if (std::string_view("pPdDnNgGhHxlFz=").find(command) == std::string_view::npos) {
      if (command != 'q' && command != 'Q') return false;
      skip(" 0123456789");
    }
    skip(" \t");
    return at_ >= text_.size() || std::string_view(";\n}").find(peek()) != std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string code_for_sed(Argv argv) {
  const std::string unread = "this script for sed is not read";
  bool has_script = false;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i].text;
    if (!argv[i].known) return has_script ? "" : unread;
    std::string_view script;
    const bool option = word.size() > 1 && word[0] == '-';
    if (word.starts_with("--expression=")) {
      script = std::string_view(word).substr(word.find('=') + 1);
    } else if (word == "--expression" || (option && word[1] != '-' && word.back() == 'e')) {
      if (++i == argv.size() || !argv[i].known) return unread;
      script = argv[i].text;
    } else if (option && word[1] != '-' && word.find('e') != std::string::npos && word[1] != 'i') {
      script = std::string_view(word).substr(word.find('e') + 1);
    } else if (word.starts_with("--file") || (option && word[1] != '-' && word.back() == 'f')) {
      const bool attached = word.find('=') != std::string::npos;
      const std::string file = attached              ? word.substr(word.find('=') + 1)
                               : i + 1 < argv.size() ? argv[++i].text
                                                     : "-";
      if (is_no_file(file)) return unread;
      has_script = true;
      continue;
    } else if (option) {
      if (word == "-f-" || word.starts_with("-f/dev/")) return unread;
      continue;
    } else if (!has_script) {
      script = word;
    } else {
      continue;
    }
    has_script = true;
    if (!SedScript(script).is_harmless()) return unread;
  }
  return "";
}

/// Its dot commands start programs; SQL can load what does.
std::string code_for_sqlite(std::string_view name, Argv argv) {
  int operands = 0;
  bool harmless = true;
  for (const ShellWord& word : argv.subspan(1)) {
    if (!word.text.starts_with('-')) ++operands;
    const bool dot = word.text.starts_with('.') && operands > 1;
    const bool loads = word.text.find("load_extension") != std::string::npos ||
                       word.text.find("edit(") != std::string::npos ||
                       word.text.find("\n.") != std::string::npos;
    harmless =
        harmless && word.known && !dot && !loads && word.text != "-cmd" && word.text != "-init";
  }
  const bool speaks = argv.size() == 2 && argv[1].text.ends_with("version");
  if (speaks || (harmless && operands > 1)) return "";
  return fmt::format("commands for {} are not read", name);
}

std::string code_for_compiler(std::string_view name, Argv argv) {
  for (const ShellWord& word : argv.subspan(1)) {
    for (const std::string_view option : {"-wrapper", "-fplugin", "-specs", "--specs", "-B"}) {
      if (word.text.starts_with(option)) {
        return fmt::format("{} {} may start another program", name, option);
      }
    }
  }
  return "";
}

bool is_compiler(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('-') + 1);
  return is_named_in(name, kCompilers) || is_named_in(last, kCompilers);
}

std::string options_that_start(std::string_view name, Argv argv) {
  for (const StartingOptions& options : kStarting) {
    if (options.name != name) continue;
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const bool input = (name == "make" || name == "gmake") && is_no_file(argv[i].text) &&
                         (argv[i - 1].text == "-f" || argv[i - 1].text.starts_with("--"));
      if (input || starts_program(options, argv[i].text, i == 1)) {
        return fmt::format("{} {} may start another program", name, argv[i].text);
      }
    }
  }
  return "";
}

// What programs start, or read code from, as variables say.
constexpr std::string_view kStartingVariables[] = {"PS4",
                                                   "PS0",
                                                   "PROMPT_COMMAND",
                                                   "EDITOR",
                                                   "VISUAL",
                                                   "PAGER",
                                                   "MANPAGER",
                                                   "LESSOPEN",
                                                   "LESSCLOSE",
                                                   "BROWSER",
                                                   "GIT_PAGER",
                                                   "GIT_EDITOR",
                                                   "GIT_SSH",
                                                   "GIT_SSH_COMMAND",
                                                   "GIT_ASKPASS",
                                                   "SSH_ASKPASS",
                                                   "GIT_EXTERNAL_DIFF",
                                                   "GIT_SEQUENCE_EDITOR",
                                                   "GIT_PROXY_COMMAND",
                                                   "GIT_EXEC_PATH",
                                                   "GIT_TEMPLATE_DIR",
                                                   "GIT_DIR",
                                                   "GIT_COMMON_DIR",
                                                   "PERL5OPT",
                                                   "PERL5DB",
                                                   "PYTHONSTARTUP",
                                                   "RUBYOPT",
                                                   "NODE_OPTIONS",
                                                   "MAKEFLAGS",
                                                   "GNUMAKEFLAGS",
                                                   "MAKEFILES",
                                                   "TAR_OPTIONS",
                                                   "RSYNC_RSH",
                                                   "GCC_EXEC_PREFIX",
                                                   "COMPILER_PATH",
                                                   "SHELLOPTS",
                                                   "BASHOPTS",
                                                   "VIMINIT",
                                                   "EXINIT"};
constexpr std::string_view kHarmlessValues[] = {"", "cat", "true", ":", "/bin/true", "/bin/cat"};

}  // namespace

std::string unread_code(std::string_view name, std::span<const ShellWord> argv) {
  if (is_named_in(name, kLanguages)) return fmt::format("commands for {} are not read", name);
  for (const Interpreter& one : kInterpreters) {
    if (name.starts_with(one.name)) return code_for_interpreter(one, name, argv);
  }
  if (name.ends_with("awk")) return code_for_awk(name, argv);
  if (name == "sed" || name == "gsed") return code_for_sed(argv);
  if (name.starts_with("sqlite")) return code_for_sqlite(name, argv);
  if (is_compiler(name)) return code_for_compiler(name, argv);
  return options_that_start(name, argv);
}

std::string unread_variable(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const bool git_settings = name.starts_with("GIT_CONFIG") && name != "GIT_CONFIG_NOSYSTEM";
  if (!git_settings && !is_named_in(name, kStartingVariables)) return "";
  const bool known = equals != std::string_view::npos;
  const std::string_view value = known ? assignment.substr(equals + 1) : "";
  const bool dev_null = git_settings && value == "/dev/null";
  if (known && (dev_null || (!git_settings && is_named_in(value, kHarmlessValues)))) return "";
  return fmt::format("{} may name another program", name);
}

bool moves_git_settings(std::string_view variable) {
  return variable == "HOME" || variable == "XDG_CONFIG_HOME";
}

}  // namespace pedro
