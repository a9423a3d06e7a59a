#include "tools/command_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/utf8.h"
#include "tools/command_wrapper.h"

namespace pedro {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxListed = 2000;
constexpr std::size_t kMaxTotalBytes = 4 * kMaxShellBytes;
constexpr std::size_t kMaxShownBytes = 300;

using Words = std::vector<ShellWord>;

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::string_view kShells[] = {"sh",  "bash", "dash",  "ash", "zsh",
                                        "ksh", "mksh", "rbash", "hush"};
// They change the shell they are in, or print.
constexpr std::string_view kRunsNothing[] = {
    ":",     "true",  "false",  "cd",       "exit",    "break",  "continue", "return",
    "shift", "local", "wait",   "test",     "[",       "set",    "unset",    "export",
    "echo",  "pwd",   "printf", "readonly", "declare", "typeset"};
// They run what they are given in ways that are not read here, or elsewhere.
constexpr std::string_view kUnread[] = {
    "parallel", "watch",   "su",          "script",  "at",     "batch",   "crontab", "chroot",
    "unshare",  "nsenter", "systemd-run", "runuser", "flock",  "entr",    "gdb",     "pkexec",
    "setpriv",  "capsh",   "unbuffer",    "expect",  "screen", "tmux",    "ssh",     "fish",
    "csh",      "tcsh",    "alias",       "enable",  "hash",   "setarch", "linux32", "linux64"};
// A program given as `NAME OPTION CODE`, in a language of its own.
struct Interpreter {
  std::string_view name;  // what the program's begins with
  std::string_view letters;
};
constexpr Interpreter kInterpreters[] = {{"python", "c"}, {"pypy", "c"},  {"perl", "eE"},
                                         {"ruby", "e"},   {"node", "ep"}, {"php", "r"},
                                         {"lua", "e"}};
// With another value of these another program runs.
constexpr std::string_view kNamePrograms[] = {"PATH", "LD_PRELOAD", "LD_AUDIT", "BASH_ENV", "ENV"};

struct Item {
  NestedText text;  // where argv is empty
  Words argv;
  std::optional<ShellWord> input;
  int depth = 0;
};

/// One line. What is found in it is looked at in turn, so nothing recurses.
class Listing {
 public:
  explicit Listing(ShellDialect dialect) : dialect_(dialect) {}

  CommandList list(const std::string& line) {
    add_text({line, dialect_}, 0);
    while (!todo_.empty()) {
      const Item item = std::move(todo_.front());
      todo_.pop_front();
      if (item.argv.empty()) {
        read_text(item);
      } else {
        look_at(item);
      }
    }
    if (names_unsure_) {
      for (ListedCommand& command : list_.commands) command.name_unsure = true;
    }
    return std::move(list_);
  }

 private:
  void unread(std::string_view why) {
    if (list_.unread.empty()) list_.unread = why;
  }

  bool room_for(std::size_t bytes, int depth) {
    bytes_ += bytes;
    if (depth <= kMaxDepth && bytes_ <= kMaxTotalBytes && list_.commands.size() < kMaxListed) {
      return true;
    }
    unread("there is too much inside each other");
    return false;
  }

  void add_text(NestedText text, int depth) {
    if (!room_for(text.text.size(), depth)) return;
    Item item;
    item.text = std::move(text);
    item.depth = depth;
    todo_.push_back(std::move(item));
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
    todo_.push_back(std::move(item));
  }

  void note_assigned(std::string_view name) {
    names_unsure_ = names_unsure_ || is_one_of(name, kNamePrograms);
  }

  void read_text(const Item& item) {
    ShellText text = parse_shell_text(item.text);
    if (!text.problem.empty()) unread(text.problem);
    for (ShellCommand& command : text.commands) {
      for (const std::string& name : command.assigned) note_assigned(name);
      Item around;
      around.text.dialect = item.text.dialect;
      around.input = std::move(command.input);
      around.depth = item.depth;
      add_command(std::move(command.words), around);
    }
    for (NestedText& nested : text.nested) add_text(std::move(nested), item.depth + 1);
  }

  void look_at(const Item& item) {
    ListedCommand command{item.argv};
    if (item.argv[0].known) {
      const std::string_view name = program_name(item.argv[0].text);
      command.passes_on = look_through(name, item);
    }
    list_.commands.push_back(std::move(command));
  }

  // True where the command does nothing by itself.
  bool look_through(std::string_view name, const Item& item) {
    const Words& argv = item.argv;
    const auto word = [&argv](std::size_t i) -> std::string_view {
      return i < argv.size() && argv[i].known ? std::string_view(argv[i].text) : "";
    };
    if (is_one_of(name, kShells)) return look_through_shell(name, item);
    if (name == "eval") return look_through_eval(item);
    if (name == "trap") return look_through_trap(item);
    if (name == "find") return look_through_find(item), false;
    if (name == "git") return look_through_git(item), false;
    if (name == "." || name == "source") return look_at_script(argv, 1), false;
    if (name == "cmake" && word(1) == "-E") {
      add_command(Words(argv.begin() + 2, argv.end()), item);
      return argv.size() > 2;
    }
    if (is_one_of(name, kUnread)) {
      if (argv.size() > 1) unread(fmt::format("{} runs what is not read here", name));
      return false;
    }
    look_for_code(name, argv);
    if (is_one_of(name, kRunsNothing)) return look_for_names(argv), true;
    const bool only_asks = name == "command" && (word(1) == "-v" || word(1) == "-V");
    if (only_asks) return true;
    const CommandWrapper* wrapper = find_wrapper(name);
    return wrapper != nullptr && look_through_wrapper(*wrapper, item);
  }

  bool look_through_wrapper(const CommandWrapper& wrapper, const Item& item) {
    WrappedCommand inner = unwrap(wrapper, item.argv);
    for (const std::string& name : inner.assigned) note_assigned(name);
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
          unread(fmt::format("{} {} is not read", name, option));
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
    if (runs_text && at < argv.size() && argv[at].known) {
      add_text({argv[at].text, dialect}, item.depth + 1);
      return true;
    }
    const bool from_input = reads_input || at == argv.size() || argv[at].text == "-";
    if (!runs_text && !from_input) return look_at_script(argv, at), false;
    if (!runs_text && item.input && item.input->known) {
      add_text({item.input->text, dialect}, item.depth + 1);
      return true;
    }
    unread(fmt::format("{} runs what is not written here", name));
    return false;
  }

  // A file counts as a program of that name; what is no file has to be read, and cannot be.
  void look_at_script(const Words& argv, std::size_t at) {
    if (at >= argv.size()) return;
    const std::string& path = argv[at].text;
    if (argv[at].known && !path.starts_with("/dev/") && !path.starts_with("/proc/")) return;
    unread("a shell runs what is not written here");
  }

  bool look_through_eval(const Item& item) {
    std::string text;
    for (std::size_t i = 1; i < item.argv.size(); ++i) {
      if (!item.argv[i].known) {
        unread("eval runs what is not written here");
        return false;
      }
      text += item.argv[i].text + " ";
    }
    add_text({text, item.text.dialect}, item.depth + 1);
    return true;
  }

  bool look_through_trap(const Item& item) {
    const Words& argv = item.argv;
    const std::size_t at = argv.size() > 1 && argv[1].text == "--" ? 2 : 1;
    if (argv.size() <= at + 1 || argv[at].text == "-") return true;
    if (!argv[at].known) {
      unread("trap runs what is not written here");
      return false;
    }
    add_text({argv[at].text, item.text.dialect}, item.depth + 1);
    return true;
  }

  void look_through_find(const Item& item) {
    const Words& argv = item.argv;
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const std::string& word = argv[i].text;
      if (!argv[i].known) {
        unread("find may run what is not written here");
      } else if (word == "-delete") {
        add_command({{"rm", true}, {"…", false}}, item);
      } else if (word == "-exec" || word == "-execdir" || word == "-ok" || word == "-okdir") {
        Words inner;
        for (++i; i < argv.size() && argv[i].text != ";" && argv[i].text != "+"; ++i) {
          const bool file = argv[i].text.find("{}") != std::string::npos;
          inner.push_back({argv[i].text, argv[i].known && !file});
        }
        add_command(std::move(inner), item);
      }
    }
  }

  static bool sets_no_program(const Words& argv, std::size_t at) {
    static constexpr std::string_view kPlain[] = {
        "user.", "color.", "advice.", "init.", "core.quotepath=", "commit.gpgsign=false"};
    if (at >= argv.size() || !argv[at].known) return false;
    const auto begins = [&](std::string_view key) { return argv[at].text.starts_with(key); };
    return std::any_of(std::begin(kPlain), std::end(kPlain), begins);
  }

  // Options and commands of git's that run others.
  void look_through_git(const Item& item) {
    static constexpr std::string_view kRunners[] = {"filter-branch", "foreach", "run", "-x"};
    for (std::size_t i = 1; i < item.argv.size(); ++i) {
      const std::string& word = item.argv[i].text;
      const bool setting = word == "-c" && !sets_no_program(item.argv, i + 1);
      if (setting || word.starts_with("--config-env") || is_one_of(word, kRunners) ||
          word.starts_with("--exec")) {
        unread("git may run what is not read here");
      }
    }
  }

  void look_for_code(std::string_view name, const Words& argv) {
    for (const Interpreter& one : kInterpreters) {
      if (!name.starts_with(one.name)) continue;
      for (std::size_t i = 1; i < argv.size(); ++i) {
        const std::string& word = argv[i].text;
        const bool value = i > 1 && argv[i - 1].text.starts_with('-');
        if (!word.starts_with('-') && !value) break;
        const bool code =
            !word.starts_with("--") && word.find_first_of(one.letters, 1) != std::string::npos;
        if (code || word == "--eval" || word == "-")
          unread(fmt::format("code for {} is not read", name));
      }
      if (argv.size() == 1) unread(fmt::format("{} runs what is not written here", name));
    }
  }

  void look_for_names(const Words& argv) {
    for (std::size_t i = 1; i < argv.size(); ++i) {
      note_assigned(std::string_view(argv[i].text).substr(0, argv[i].text.find('=')));
    }
  }

  ShellDialect dialect_;
  std::deque<Item> todo_;
  CommandList list_;
  std::size_t bytes_ = 0;
  bool names_unsure_ = false;
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
