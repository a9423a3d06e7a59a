#include "tools/program_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/interpreter.h"
#include "tools/starting_options.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

using Argv = std::span<const ShellWord>;

// Interpreters and clients that accept commands in many ways, and whose commands can start others.
// clang-format off
constexpr std::string_view kLanguages[] = {
    "m4", "ed", "red", "ex", "vi", "vim", "view", "nvim", "rvim", "gvim", "vimdiff", "emacs",
    "emacs-nox", "emacsclient", "tclsh", "wish", "gnuplot", "dc", "octave", "maxima", "gp", "R",
    "Rscript", "julia", "ghci", "guile", "scheme", "sbcl", "clisp", "swipl", "jshell", "iex", "irb",
    "pry", "erl", "escript", "pwsh", "nu", "xonsh", "elvish", "psql", "mysql", "mariadb", "duckdb",
    "ftp", "sftp", "lftp", "telnet", "mail", "mailx", "s-nail", "mlr", "bpftrace", "sage", "scilab",
    "matlab"};
// clang-format on

constexpr std::string_view kCompilers[] = {"gcc",   "g++",     "cc",      "c++",
                                           "clang", "clang++", "gfortran"};

/// awk programs start others by system(), pipes and gawk extensions.
std::string code_for_awk(std::string_view name, Argv argv) {
  static constexpr std::string_view kFiles[] = {"-f",        "-i",     "-E",    "--file",
                                                "--include", "--exec", "--load"};
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string text = replace_all(argv[i].text, "||", "");
    const bool starts =
        text.find("system") != std::string::npos || text.find_first_of("|@") != std::string::npos;
    const bool file = is_one_of(argv[i - 1].text, kFiles) || text.starts_with('-');
    const bool loads = text.starts_with("-l") || text.starts_with("--load") ||
                       text.starts_with("-D") || text.starts_with("--debug");
    if (!argv[i].known || starts || loads || (file && text != "-" && names_no_file(text)) ||
        (is_one_of(argv[i - 1].text, kFiles) && text == "-")) {
      return fmt::format("code for {} is not understood", name);
    }
  }
  return "";
}

/// Parses the subset of sed that cannot start programs or read code.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  bool is_harmless() {
    // The command `e`, and the flag `e` of `s`, run a command.
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

  /// Skips past the next `delimiter` that is not escaped. Fails at brackets and line ends.
  bool skip_past(char delimiter) {
    for (; at_ < text_.size() && text_[at_] != delimiter; ++at_) {
      // Implementations of sed differ about delimiters in brackets.
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

/// The meaning of a word for sed: a script, a script file, or neither.
struct SedWord {
  char kind = ' ';              // 'e': a script, 'f': a script file, 'l': a length
  bool next = false;            // the value is the next word
  std::string_view value = {};  // otherwise, the value
};

SedWord read_sed_option(std::string_view word) {
  if (word.starts_with("--")) {
    const std::string_view name = word.substr(2, word.find('=') - 2);
    const bool attached = word.find('=') != std::string_view::npos;
    const std::string_view value = attached ? word.substr(word.find('=') + 1) : "";
    if (name.empty()) return {};
    if (std::string_view("expression").starts_with(name)) return {'e', !attached, value};
    if (std::string_view("file").starts_with(name)) return {'f', !attached, value};
    if (std::string_view("line-length").starts_with(name)) return {'l', !attached, value};
    return {};
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] == 'i') return {};  // a suffix follows
    if (std::string_view("efl").find(word[i]) != std::string_view::npos) {
      return {word[i], i + 1 == word.size(), word.substr(i + 1)};
    }
  }
  return {};
}

std::string code_for_sed(Argv argv) {
  const std::string unread = "this sed script is not understood";
  bool has_script = false;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (!argv[i].known) return has_script ? "" : unread;
    const std::string& word = argv[i].text;
    const bool option = word.size() > 1 && word[0] == '-';
    if (!option && has_script) continue;
    SedWord read = option ? read_sed_option(word) : SedWord{'e', false, word};
    if (read.kind == ' ') continue;
    if (read.next) {
      if (++i == argv.size() || !argv[i].known) return unread;
      read.value = argv[i].text;
    }
    if (read.kind == 'l') continue;
    const bool plain =
        read.kind == 'e' ? SedScript(read.value).is_harmless() : !names_no_file(read.value);
    if (!plain) return unread;
    has_script = true;
  }
  return "";
}

/// Dot commands start programs, and SQL can load extensions that do.
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
  return fmt::format("commands for {} are not understood", name);
}

/// Returns the compiler in "gcc-12" or "x86_64-linux-gnu-g++"; other names unchanged.
std::string_view compiler_or(std::string_view program) {
  std::string_view name = program;
  const std::size_t version = name.find_last_not_of("0123456789.");
  if (version != std::string_view::npos && name[version] == '-') name = name.substr(0, version);
  name = name.substr(name.rfind('-') + 1);
  return is_one_of(name, kCompilers) ? name : program;
}

}  // namespace

std::string unread_code(std::string_view name, std::span<const ShellWord> argv) {
  if (is_one_of(name, kLanguages)) return fmt::format("commands for {} are not understood", name);
  if (is_interpreter(name)) return code_for_interpreter(name, argv);
  if (name.ends_with("awk")) return code_for_awk(name, argv);
  if (name == "sed" || name == "gsed") return code_for_sed(argv);
  if (name.starts_with("sqlite")) return code_for_sqlite(name, argv);
  return options_that_start(compiler_or(name), argv);
}

}  // namespace pedro
