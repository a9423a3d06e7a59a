#include "tools/command_wrapper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pedro {
namespace {

// clang-format off
constexpr CommandWrapper kWrappers[] = {
    {.name = "env", .flags = "i0v", .valued = "uC", .long_flags = "ignore-environment|null|debug",
     .long_valued = "unset|chdir", .assignments = true},
    {.name = "nohup"},
    {.name = "setsid", .flags = "cfw", .long_flags = "ctty|fork|wait"},
    {.name = "nice", .flags = "0123456789", .valued = "n", .long_valued = "adjustment"},
    {.name = "ionice", .flags = "t", .valued = "cn", .long_flags = "ignore",
     .long_valued = "class|classdata"},
    {.name = "timeout", .flags = "fpv", .valued = "ks",
     .long_flags = "foreground|preserve-status|verbose", .long_valued = "kill-after|signal",
     .operands = 1},
    {.name = "time", .flags = "apvqV", .valued = "fo", .long_flags = "append|portability|verbose|quiet",
     .long_valued = "format|output"},
    {.name = "stdbuf", .valued = "ioe", .long_valued = "input|output|error"},
    {.name = "taskset", .flags = "ac", .operands = 1},
    {.name = "sudo", .flags = "AbEHnPSkBN", .valued = "CDghpRrTtUu",
     .long_flags = "askpass|background|preserve-env|set-home|non-interactive|stdin|reset-timestamp",
     .long_valued = "chdir|group|host|prompt|user|role|type|chroot|command-timeout",
     .assignments = true},
    {.name = "doas", .flags = "nL", .valued = "Cu"},
    {.name = "xargs", .flags = "0rtpxo", .valued = "adEILnPs",
     .long_flags = "null|no-run-if-empty|verbose|interactive|exit|open-tty",
     .long_valued = "arg-file|delimiter|max-lines|max-args|max-procs|max-chars",
     .appends = true},
    {.name = "command", .flags = "p"},
    {.name = "builtin"},
    {.name = "exec", .flags = "cl", .valued = "a"},
    {.name = "busybox"}, {.name = "toybox"},
    {.name = "strace", .flags = "fqtrTvyCcxkzZ", .valued = "oepsPEuSabIOX"},
    {.name = "ltrace", .flags = "fqtrTSiCc", .valued = "oepsunalxF"},
    {.name = "fakeroot"}, {.name = "eatmydata"}, {.name = "chronic"}, {.name = "catchsegv"},
    {.name = "ccache"}, {.name = "distcc"},
    {.name = "ld.so", .long_flags = "list|verify|inhibit-cache", .long_valued =
     "library-path|glibc-hwcaps-prepend|glibc-hwcaps-mask|inhibit-rpath|audit|preload|argv0"},
    {.name = "chrt", .flags = "abdfiorRv", .valued = "TPD",
     .long_flags = "all-tasks|batch|deadline|fifo|idle|other|rr|reset-on-fork|verbose",
     .long_valued = "sched-runtime|sched-period|sched-deadline", .operands = 1},
    {.name = "prlimit", .long_flags = "noheadings|raw|verbose", .long_valued = "output",
     .long_with_equals = true},
    {.name = "ssh-agent", .flags = "csDdkT", .valued = "aEOPt"},
    {.name = "chdir", .operands = 1},  // of cmake -E
    {.name = "ifne", .flags = "n"}, {.name = "zrun"}, {.name = "fakechroot"}, {.name = "pgrphack"},
    {.name = "heaptrack"}, {.name = "gosu", .operands = 1}, {.name = "su-exec", .operands = 1},
    {.name = "setuidgid", .operands = 1}, {.name = "envdir", .operands = 1},
    {.name = "kcov", .operands = 1, .long_with_equals = true},
    {.name = "valgrind", .flags = "vq", .long_flags = "verbose|quiet", .long_with_equals = true},
};
// clang-format on

bool has_word(std::string_view list, std::string_view word) {
  const auto words = split(list, '|');
  return !word.empty() && std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the number of words of an option, including its value; 0 for unknown options.
std::size_t option_words(const CommandWrapper& wrapper, std::string_view option) {
  if (option.starts_with("--")) {
    const std::string_view name = option.substr(2, option.find('=') - 2);
    const bool has_value = option.find('=') != std::string_view::npos;
    if (has_word(wrapper.long_valued, name)) return has_value ? 1 : 2;
    if (wrapper.long_with_equals && has_value) return 1;
    return has_word(wrapper.long_flags, name) ? 1 : 0;
  }
  for (std::size_t i = 1; i < option.size(); ++i) {
    if (wrapper.valued.find(option[i]) != std::string_view::npos) {
      return i + 1 == option.size() ? 2 : 1;
    }
    if (wrapper.flags.find(option[i]) == std::string_view::npos) return 0;
  }
  return 1;
}

/// Returns the placeholder of `xargs -I`, or "". `next` is the word after the option.
std::string_view replaced_by(const CommandWrapper& wrapper, std::string_view option,
                             std::string_view next) {
  if (option.starts_with("--")) return "";
  const std::size_t letter = option.find_first_of(wrapper.valued);
  if (letter == std::string_view::npos || option[letter] != 'I') return "";
  return letter + 1 == option.size() ? next : option.substr(letter + 1);
}

void put_input(std::vector<ShellWord>& argv, std::string_view replaced) {
  for (ShellWord& word : argv) {
    if (!replaced.empty() && word.text.find(replaced) != std::string::npos) word.known = false;
  }
  if (replaced.empty()) argv.push_back({"…", false});
}

bool all_known(std::span<const ShellWord> words) {
  return std::all_of(words.begin(), words.end(), [](const ShellWord& word) { return word.known; });
}

std::string_view assigned_by(const ShellWord& word) {
  const std::size_t equals = word.text.find('=');
  return equals == std::string::npos ? "" : std::string_view(word.text).substr(0, equals);
}

}  // namespace

const CommandWrapper* find_wrapper(std::string_view program) {
  const auto* const found = std::find_if(std::begin(kWrappers), std::end(kWrappers),
                                         [&](const auto& row) { return row.name == program; });
  return found == std::end(kWrappers) ? nullptr : found;
}

WrappedCommand unwrap(const CommandWrapper& wrapper, std::span<const ShellWord> argv) {
  WrappedCommand found;
  std::size_t at = 1;
  std::string_view replaced;
  const auto is_known = [&] { return at < argv.size() && argv[at].known; };
  while (is_known() && argv[at].text.starts_with('-')) {
    const std::string_view option = argv[at].text;
    if (option == "--") {
      ++at;
      break;
    }
    const std::size_t words = option_words(wrapper, option);
    if (words == 0) {
      found.unread = fmt::format("{} {} is not understood", wrapper.name, option);
      return found;
    }
    if (wrapper.appends && at + 1 < argv.size() && replaced.empty()) {
      replaced = replaced_by(wrapper, option, argv[at + 1].text);
    }
    at = std::min(at + words, argv.size());
    if (!all_known(argv.first(at))) {
      found.unread = fmt::format("some options of {} are unknown", wrapper.name);
      return found;
    }
  }
  while (wrapper.assignments && is_known() && !assigned_by(argv[at]).empty()) {
    found.assigned.push_back(argv[at++].text);
  }
  for (int i = 0; i < wrapper.operands && is_known(); ++i) ++at;
  found.argv.assign(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end());
  if (!found.argv.empty() && wrapper.appends) put_input(found.argv, replaced);
  return found;
}

}  // namespace pedro
