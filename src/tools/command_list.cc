#include "tools/command_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "base/utf8.h"
#include "tools/command_wrapper.h"
#include "tools/program_code.h"

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
constexpr std::string_view kUnread[] = {"parallel",
                                        "watch",
                                        "su",
                                        "script",
                                        "at",
                                        "batch",
                                        "crontab",
                                        "chroot",
                                        "unshare",
                                        "nsenter",
                                        "systemd-run",
                                        "runuser",
                                        "flock",
                                        "entr",
                                        "gdb",
                                        "pkexec",
                                        "setpriv",
                                        "capsh",
                                        "unbuffer",
                                        "expect",
                                        "screen",
                                        "tmux",
                                        "ssh",
                                        "fish",
                                        "csh",
                                        "tcsh",
                                        "alias",
                                        "enable",
                                        "hash",
                                        "setarch",
                                        "linux32",
                                        "linux64",
                                        "rlwrap",
                                        "start-stop-daemon",
                                        "daemonize",
                                        "xvfb-run",
                                        "dbus-run-session",
                                        "proot",
                                        "bwrap",
                                        "firejail",
                                        "systemd-inhibit",
                                        "cgexec",
                                        "numactl",
                                        "faketime",
                                        "tsocks",
                                        "torsocks",
                                        "proxychains",
                                        "git-shell"};
// They start what stands behind a word of theirs.
struct Starter {
  std::string_view name;
  std::string_view word;  // "" where the name is enough
};
constexpr Starter kStarters[] = {
    {"npx", ""},      {"bunx", ""},      {"pipx", "run"},  {"npm", "exec"},   {"npm", "x"},
    {"pnpm", "exec"}, {"pnpm", "dlx"},   {"yarn", "exec"}, {"yarn", "dlx"},   {"bundle", "exec"},
    {"uv", "run"},    {"poetry", "run"}, {"pdm", "run"},   {"pipenv", "run"}, {"rye", "run"},
    {"hatch", "run"}, {"conda", "run"},  {"uvx", ""},      {"perf", "stat"},  {"perf", "record"},
    {"perf", "trace"}};
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
    const auto is_git = [](const ListedCommand& command) {
      return program_name(command.argv[0].text) == "git";
    };
    if (git_moved_ && std::any_of(list_.commands.begin(), list_.commands.end(), is_git)) {
      unread("git reads its settings elsewhere");
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

  void note_assigned(std::string_view assignment) {
    const std::string_view name = assignment.substr(0, assignment.find('='));
    names_unsure_ = names_unsure_ || is_one_of(name, kNamePrograms);
    git_moved_ = git_moved_ || moves_git_settings(name);
    if (const std::string why = unread_variable(assignment); !why.empty()) unread(why);
  }

  void read_text(const Item& item) {
    ShellText text = parse_shell_text(item.text);
    if (!text.problem.empty()) unread(text.problem);
    for (ShellCommand& command : text.commands) {
      for (const std::string& assignment : command.assigned) note_assigned(assignment);
      Item around;
      around.text.dialect = item.text.dialect;
      around.input = std::move(command.input);
      around.depth = item.depth;
      add_command(std::move(command.words), around);
    }
    for (NestedText& nested : text.nested) add_text(std::move(nested), item.depth + 1);
  }

  // `git-push`, wherever git keeps it, is `git push`.
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
    if (const std::string why = unread_code(name, argv); !why.empty()) unread(why);
    look_through_starter(name, item);
    if (is_one_of(name, kRunsNothing)) return look_for_names(argv), true;
    const bool only_asks = name == "command" && (word(1) == "-v" || word(1) == "-V");
    if (only_asks) return true;
    const bool loader = name.starts_with("ld-") && name.find(".so") != std::string_view::npos;
    const CommandWrapper* wrapper = find_wrapper(loader ? "ld.so" : name);
    return wrapper != nullptr && look_through_wrapper(*wrapper, item);
  }

  bool look_through_wrapper(const CommandWrapper& wrapper, const Item& item) {
    WrappedCommand inner = unwrap(wrapper, item.argv);
    for (const std::string& assignment : inner.assigned) note_assigned(assignment);
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

  // `uv run NAME …`: it is a command of its own, and so is what it starts.
  void look_through_starter(std::string_view name, const Item& item) {
    const Words& argv = item.argv;
    const auto starts = [&](const Starter& row) {
      return row.name == name &&
             (row.word.empty() || (argv.size() > 1 && argv[1].text == row.word));
    };
    const auto* const found = std::find_if(std::begin(kStarters), std::end(kStarters), starts);
    if (found == std::end(kStarters)) return;
    std::size_t at = found->word.empty() ? 1 : 2;
    if (at < argv.size() && argv[at].text == "--") ++at;
    if (at >= argv.size()) return;
    if (argv[at].known && argv[at].text.starts_with('-')) {
      return unread(fmt::format("{} {} is not read", name, argv[at].text));
    }
    add_command(Words(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end()), item);
  }

  // A setting of git's, KEY or KEY=VALUE, that names no program.
  static bool sets_no_program(const Words& argv, std::size_t at) {
    static constexpr std::string_view kPlain[] = {"user.",
                                                  "color.",
                                                  "advice.",
                                                  "init.defaultbranch",
                                                  "core.quotepath",
                                                  "core.autocrlf",
                                                  "core.filemode",
                                                  "pull.rebase",
                                                  "push.default",
                                                  "merge.conflictstyle",
                                                  "safe.directory",
                                                  "protocol.",
                                                  "commit.gpgsign=false",
                                                  "tag.gpgsign=false"};
    if (at >= argv.size() || !argv[at].known) return false;
    const std::string setting = to_lower(argv[at].text);
    const auto begins = [&](std::string_view key) { return setting.starts_with(key); };
    return std::any_of(std::begin(kPlain), std::end(kPlain), begins);
  }

  // Where git's command is, behind its own options.
  static std::size_t git_command_at(const Words& argv) {
    static constexpr std::string_view kValued[] = {"-C",          "-c",          "--git-dir",
                                                   "--work-tree", "--namespace", "--config-env"};
    std::size_t at = 1;
    while (at < argv.size() && argv[at].known && argv[at].text.starts_with('-')) {
      at += is_one_of(argv[at].text, kValued) ? 2 : 1;
    }
    return std::min(at, argv.size());
  }

  // What it does to another repository is a push under another name.
  void look_for_push(const Item& item, std::size_t at) {
    static constexpr std::string_view kPushes[] = {"send-pack", "http-push", "subtree push",
                                                   "lfs push",  "p4 submit", "svn dcommit"};
    const Words& argv = item.argv;
    const std::string first = argv[at].text;
    const std::string two = at + 1 < argv.size() ? first + " " + argv[at + 1].text : first;
    for (const std::string_view name : kPushes) {
      if (name != first && name != two) continue;
      Words words = {{"git", true}, {"push", true}};
      const std::size_t behind = at + (name == first ? 1 : 2);
      words.insert(words.end(), argv.begin() + static_cast<std::ptrdiff_t>(behind), argv.end());
      add_command(std::move(words), item);
    }
  }

  // `git config` may give a word a meaning that only git knows.
  static bool sets_a_program(const Words& argv, std::size_t at) {
    static constexpr std::string_view kReads[] = {"get", "list", "-l"};
    for (std::size_t i = at + 1; i < argv.size(); ++i) {
      const std::string& word = argv[i].text;
      if (!argv[i].known) return true;
      if (is_one_of(word, kReads) || word.starts_with("--get") || word == "--list") return false;
      if (word == "set" || word == "unset" || word.starts_with('-')) continue;
      const bool key = word.find('.') != std::string::npos;
      if (key) return i + 1 < argv.size() && !sets_no_program(argv, i);
    }
    return false;
  }

  // Options and commands of git's that run others.
  void look_through_git(const Item& item) {
    static constexpr std::string_view kRunners[] = {"filter-branch", "foreach", "run", "-x"};
    static constexpr std::string_view kFronts[] = {
        "--config-env", "--exec",   "--upload-pack", "--receive-pack",
        "--open-files", "--extcmd", "--template",    "-O"};
    const Words& argv = item.argv;
    const std::size_t at = git_command_at(argv);
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const std::string& word = argv[i].text;
      const bool setting = word == "-c" && i < at && !sets_no_program(argv, i + 1);
      const auto begins = [&word](std::string_view front) { return word.starts_with(front); };
      if (setting || is_one_of(word, kRunners) ||
          std::any_of(std::begin(kFronts), std::end(kFronts), begins)) {
        unread("git may run what is not read here");
      }
    }
    if (at == argv.size()) return;
    if (argv[at].text == "config" && sets_a_program(argv, at)) {
      unread("git may run what is not read here");
    }
    look_for_push(item, at);
  }

  void look_for_names(const Words& argv) {
    for (std::size_t i = 1; i < argv.size(); ++i) {
      const std::string& word = argv[i].text;
      note_assigned(argv[i].known ? word : std::string_view(word).substr(0, word.find('=')));
    }
  }

  ShellDialect dialect_;
  std::deque<Item> todo_;
  CommandList list_;
  std::size_t bytes_ = 0;
  bool names_unsure_ = false;
  bool git_moved_ = false;
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
