#include "tools/command_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/command_starter.h"
#include "tools/command_wrapper.h"
#include "tools/git_programs.h"
#include "tools/program_code.h"
#include "tools/starting_variable.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxItems = 4000;  // commands and texts
constexpr std::size_t kMaxTotalBytes = 4 * kMaxShellBytes;
constexpr std::size_t kMaxShownBytes = 300;

using Words = std::vector<ShellWord>;

constexpr std::string_view kShells[] = {"sh",   "bash",  "dash", "ash",  "zsh",  "ksh",
                                        "mksh", "rbash", "hush", "yash", "posh", "osh"};
// The other shells have additional keywords, such as zsh's noglob and repeat.
constexpr std::string_view kReadShells[] = {"sh", "bash", "dash", "ash", "rbash", "posh"};
// They only change the shell that runs them, or print.
constexpr std::string_view kRunsNothing[] = {
    ":",      "true",     "false",   "cd",      "exit", "break",   "continue",  "return", "shift",
    "local",  "wait",     "test",    "[",       "set",  "unset",   "export",    "echo",   "pwd",
    "printf", "readonly", "declare", "typeset", "read", "mapfile", "readarray", "getopts"};
// Other values of these change which program a name refers to.
constexpr std::string_view kNamePrograms[] = {"PATH", "LD_PRELOAD", "LD_AUDIT"};

struct Item {
  NestedText text;  // if argv is empty
  Words argv;
  std::optional<ShellWord> input;
  int depth = 0;
  bool possible = false;  // see ListedCommand
};

/// Lists one line. Found texts are queued, so nothing recurses.
class Listing {
 public:
  explicit Listing(ShellDialect dialect) : dialect_(dialect) {}

  CommandList list(const std::string& line) {
    Item whole;
    whole.depth = -1;
    add_text({line, dialect_}, whole);
    while (!todo_.empty()) {
      const Item item = std::move(todo_.front());
      todo_.pop_front();
      if (item.argv.empty()) {
        read_text(item);
      } else {
        look_at(item);
      }
    }
    const auto is_git = [](const ListedCommand& command) {
      return program_name(command.argv[0].text) == "git";
    };
    const auto is_shell = [](const ListedCommand& command) {
      return is_one_of(program_name(command.argv[0].text), kShells);
    };
    const auto runs_make = [](const ListedCommand& command) {
      return is_make(program_name(command.argv[0].text));
    };
    const auto any = [this](const auto& test) {
      return std::any_of(list_.commands.begin(), list_.commands.end(), test);
    };
    if (git_moved_ && any(is_git)) unread("git reads its settings elsewhere");
    if (shell_file_ && any(is_shell)) unread("a shell may start with the file in ENV");
    if (make_code_ && any(runs_make)) unread("make may run a variable's value");
    if (names_unsure_) {
      for (ListedCommand& command : list_.commands) command.name_unsure = true;
    }
    return std::move(list_);
  }

 private:
  void unread(std::string_view why) {
    if (list_.unread.empty()) list_.unread = truncate_utf8(why, kMaxShownBytes);
  }

  bool room_for(std::size_t bytes, int depth) {
    bytes_ += bytes;
    ++items_;
    if (depth <= kMaxDepth && bytes_ <= kMaxTotalBytes && items_ <= kMaxItems) return true;
    unread("the commands are nested too deeply");
    return false;
  }

  void add_text(NestedText text, const Item& around) {
    if (!room_for(text.text.size(), around.depth + 1)) return;
    Item item;
    item.text = std::move(text);
    item.depth = around.depth + 1;
    item.possible = around.possible;
    todo_.push_back(std::move(item));
  }

  // Adds a setting's value that may be run later.
  void add_possible(std::string_view text, const Item& around) {
    Item setting;
    setting.depth = around.depth;
    setting.possible = true;
    add_text({std::string(text), around.text.dialect}, setting);
  }

  void add_command(Words argv, const Item& around) {
    std::size_t bytes = 0;
    for (const ShellWord& word : argv) bytes += word.text.size();
    if (argv.empty() || !room_for(bytes, around.depth + 1)) return;
    Item item;
    item.text.dialect = around.text.dialect;
    item.argv = std::move(argv);
    item.input = around.input;
    item.depth = around.depth + 1;
    item.possible = around.possible;
    todo_.push_back(std::move(item));
  }

  void note_assigned(std::string_view assignment, const Item& around) {
    const std::string_view name = assignment.substr(0, assignment.find('='));
    names_unsure_ = names_unsure_ || is_one_of(name, kNamePrograms);
    shell_file_ = shell_file_ || name == "ENV";
    git_moved_ = git_moved_ || moves_git_settings(name);
    make_code_ = make_code_ || has_make_code(assignment);
    const std::string_view command = command_of_variable(assignment);
    if (!command.empty()) add_possible(command, around);
    if (const std::string why = unread_variable(assignment); !why.empty()) unread(why);
  }

  void read_text(const Item& item) {
    ShellText text = parse_shell_text(item.text);
    if (!text.problem.empty()) unread(text.problem);
    for (ShellCommand& command : text.commands) {
      for (const std::string& assignment : command.assigned) note_assigned(assignment, item);
      Item around;
      around.text.dialect = item.text.dialect;
      around.input = std::move(command.input);
      around.depth = item.depth;
      around.possible = item.possible;
      add_command(std::move(command.words), around);
    }
    for (NestedText& nested : text.nested) add_text(std::move(nested), item);
  }

  // Converts `git-push`, in any folder of git, to `git push`.
  static Words as_git(const Words& argv) {
    const std::string& text = argv[0].text;
    const std::string_view name = program_name(text);
    if (!argv[0].known || !name.starts_with("git-") || name == "git-shell") return argv;
    std::string folder = text.substr(0, text.size() - name.size());
    if (folder.find("/git-core/") != std::string::npos) folder = "";
    Words words = {{folder + "git", true}, {std::string(name.substr(4)), true}};
    words.insert(words.end(), argv.begin() + 1, argv.end());
    return words;
  }

  void look_at(Item item) {
    item.argv = as_git(item.argv);
    ListedCommand command{item.argv};
    if (item.argv[0].known) {
      const std::string_view name = program_name(item.argv[0].text);
      // A name alone, as a setting's value, gets its arguments from the program that runs it.
      const bool only_name = item.possible && item.argv.size() == 1;
      command.passes_on = !only_name && look_through(name, item);
    }
    command.possible = item.possible;
    command.passes_on = command.passes_on || command.possible;
    list_.commands.push_back(std::move(command));
  }

  // Returns true if the command does nothing itself.
  bool look_through(std::string_view name, const Item& item) {
    const Words& argv = item.argv;
    const auto word = [&argv](std::size_t i) -> std::string_view {
      return i < argv.size() && argv[i].known ? std::string_view(argv[i].text) : "";
    };
    if (is_one_of(name, kShells)) return look_through_shell(name, item);
    if (name == "eval") return look_through_eval(item);
    if (name == "trap") return look_through_trap(item);
    if (name == "git") return look_through_git(item), false;
    if (name == "." || name == "source") return look_at_sourced(argv), false;
    if (name == "cmake" && word(1) == "-E") {
      add_command(Words(argv.begin() + 2, argv.end()), item);
      return argv.size() > 2;
    }
    if (starts_unread(name, argv)) {
      unread(fmt::format("{} runs commands that cannot be read", name));
      return false;
    }
    if (const std::string why = unread_code(name, argv); !why.empty()) unread(why);
    look_at_started(started_by_word(name, argv), item);
    look_at_started(started_for_files(name, argv), item);
    look_at_build_words(build_words(name, argv), item);
    if (is_one_of(name, kRunsNothing)) return look_for_names(item), true;
    const bool only_asks = name == "command" && (word(1) == "-v" || word(1) == "-V");
    if (only_asks) return true;
    const bool loader = name.starts_with("ld-") && name.find(".so") != std::string_view::npos;
    const CommandWrapper* wrapper = find_wrapper(loader ? "ld.so" : name);
    return wrapper != nullptr && look_through_wrapper(*wrapper, item);
  }

  bool look_through_wrapper(const CommandWrapper& wrapper, const Item& item) {
    WrappedCommand inner = unwrap(wrapper, item.argv);
    for (const std::string& assignment : inner.assigned) note_assigned(assignment, item);
    if (!inner.unread.empty()) unread(inner.unread);
    if (inner.argv.empty()) return false;
    add_command(std::move(inner.argv), item);
    return true;
  }

  bool look_through_shell(std::string_view name, const Item& item) {
    const Words& argv = item.argv;
    bool runs_text = false;
    bool reads_input = false;
    std::size_t at = 1;
    for (; at < argv.size() && argv[at].known; ++at) {
      const std::string& option = argv[at].text;
      if (option.size() < 2 || (option[0] != '-' && option[0] != '+')) break;
      if (option == "--") {
        ++at;
        break;
      }
      if (option.starts_with("--")) {
        if (option != "--norc" && option != "--noprofile" && option != "--posix") {
          unread(fmt::format("{} {} is not understood", name, option));
        }
        continue;
      }
      runs_text = runs_text || option.find('c') != std::string::npos;
      reads_input = reads_input || option.find('s') != std::string::npos;
      if (option.find_first_of("oO") != std::string::npos) ++at;
    }
    const ShellDialect dialect =
        name == "bash" || name == "rbash" ? ShellDialect::kBash : ShellDialect::kPosix;
    at = std::min(at, argv.size());
    const bool own_words = !is_one_of(name, kReadShells);
    if (own_words && (runs_text || item.input)) unread(fmt::format("{} is not understood", name));
    if (runs_text && at < argv.size() && argv[at].known) {
      add_text({argv[at].text, dialect}, item);
      return true;
    }
    const bool from_input = reads_input || at == argv.size() || argv[at].text == "-";
    if (!runs_text && !from_input) return look_at_script(argv, at), false;
    if (!runs_text && item.input && item.input->known) {
      add_text({item.input->text, dialect}, item);
      return true;
    }
    unread(fmt::format("{} runs commands from elsewhere", name));
    return false;
  }

  // A script file counts as a program of its name. Devices and unknown names would have to be read.
  void look_at_script(const Words& argv, std::size_t at) {
    if (at >= argv.size()) return;
    const std::string& path = argv[at].text;
    if (argv[at].known && !path.starts_with("/dev/") && !path.starts_with("/proc/")) return;
    unread("a shell runs commands from elsewhere");
  }

  void look_at_sourced(const Words& argv) {
    const std::size_t at = behind_dashes(argv);
    const bool option = at == 1 && argv.size() > 1 && argv[1].text.starts_with('-');
    if (option) return unread("a shell option with a file is not understood");
    look_at_script(argv, at);
  }

  // Returns the index of a builtin's first operand.
  static std::size_t behind_dashes(const Words& argv) {
    return argv.size() > 1 && argv[1].text == "--" ? 2 : 1;
  }

  bool look_through_eval(const Item& item) {
    std::string text;
    for (std::size_t i = behind_dashes(item.argv); i < item.argv.size(); ++i) {
      if (!item.argv[i].known) {
        unread("eval runs commands from elsewhere");
        return false;
      }
      text += item.argv[i].text + " ";
    }
    add_text({text, item.text.dialect}, item);
    return true;
  }

  bool look_through_trap(const Item& item) {
    const Words& argv = item.argv;
    const std::size_t at = behind_dashes(argv);
    if (argv.size() <= at + 1 || argv[at].text == "-") return true;
    if (!argv[at].known) {
      unread("trap runs commands from elsewhere");
      return false;
    }
    add_text({argv[at].text, item.text.dialect}, item);
    return true;
  }

  void look_at_started(StartedCommands started, const Item& item) {
    if (!started.unread.empty()) unread(started.unread);
    for (Words& command : started.commands) add_command(std::move(command), item);
  }

  void look_at_build_words(const BuildWords& settings, const Item& item) {
    if (!settings.unread.empty()) return unread(settings.unread);
    for (const std::string& command : settings.commands) add_possible(command, item);
  }

  void look_through_git(const Item& item) {
    if (const std::string why = unread_git(item.argv); !why.empty()) unread(why);
    add_command(as_git_push(item.argv), item);
  }

  void look_for_names(const Item& item) {
    for (const ShellWord& word : std::span(item.argv).subspan(1)) {
      const std::string_view text = word.text;
      note_assigned(word.known ? text : text.substr(0, text.find('=')), item);
    }
  }

  ShellDialect dialect_;
  std::deque<Item> todo_;
  CommandList list_;
  std::size_t bytes_ = 0;
  std::size_t items_ = 0;
  bool names_unsure_ = false;
  bool git_moved_ = false;
  bool make_code_ = false;
  bool shell_file_ = false;
};

}  // namespace

CommandList list_commands(const std::string& line, ShellDialect dialect) {
  return Listing(dialect).list(line);
}

std::string shown(const ListedCommand& command) {
  std::string text;
  for (const ShellWord& word : command.argv) {
    if (!text.empty()) text += ' ';
    text += word.known ? word.text : (word.text.empty() ? "…" : word.text);
    if (text.size() > kMaxShownBytes) break;
  }
  return std::string(truncate_utf8(text, kMaxShownBytes));
}

std::string_view program_name(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

}  // namespace pedro
