// Ways out of the sandbox, as files. tests/data/escape/NNN_name/attempt.sh tries to escape;
// escaped.sh checks from outside for success. The first lines of an attempt are comments:
//
//   # a sentence
//   # reports: texts, one of which the result must contain; never printed by the attempt itself
//   # not: levels that cannot stop it (why)        # silent: levels that stop it silently (why)
//   # needs: root                                  # machine: x86_64
//
// Each attempt runs at every level that this machine supports. There it must fail and be reported.
// Without a sandbox it must succeed: otherwise the case would prove nothing.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/text.h"
#include "sandbox/escape_world.h"
#include "sandbox/sandbox.h"
#include "support/read_file.h"

using namespace pedro;

namespace {

struct Escape {
  std::string name;
  std::string attempt;
  std::string escaped;

  /// Returns the text after "# KEY:" in the attempt.
  std::string header(std::string_view key) const {
    for (const std::string_view line : split_lines(attempt)) {
      const std::string begin = fmt::format("# {}:", key);
      if (line.starts_with(begin)) return std::string(trim(line.substr(begin.size())));
    }
    return "";
  }

  bool is_for_this_machine() const {
    utsname system{};
    REQUIRE(::uname(&system) == 0);
    const std::string machine = header("machine");
    return (machine.empty() || machine == system.machine) &&
           (header("needs") != "root" || ::geteuid() == 0);
  }
};

/// Returns all escapes, or those whose name contains PEDROCLI_ESCAPE.
std::vector<Escape> all_escapes() {
  const char* only = std::getenv("PEDROCLI_ESCAPE");
  std::vector<Escape> escapes;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_DATA "/escape")) {
    const std::string name = entry.path().filename().string();
    if (only != nullptr && name.find(only) == std::string::npos) continue;
    escapes.push_back(
        {name, read_file(entry.path() / "attempt.sh"), read_file(entry.path() / "escaped.sh")});
  }
  std::sort(escapes.begin(), escapes.end(),
            [](const Escape& a, const Escape& b) { return a.name < b.name; });
  return escapes;
}

bool came_off(const Escape& escape, const EscapeWorld& world) {
  world.note_contacts();
  return world.run_plainly(world.filled(escape.escaped), false) == 0;
}

bool mentions(const std::string& text, const std::string& reports) {
  const auto words = split(reports, '|');
  return std::any_of(words.begin(), words.end(), [&text](std::string_view word) {
    return text.find(word) != std::string::npos;
  });
}

/// The report of the result that the user and the model see.
std::string told(const ProcessResult& result) {
  std::string text = result.out;
  for (const std::string& note : result.notes) text += "\n" + note;
  if (result.left_children) text += "\nleft processes behind";
  if (result.exit_code != 0) text += fmt::format("\nexit code {}", result.exit_code);
  return text;
}

const SandboxSettings kSettings = {.max_processes = 340, .max_memory_mb = 512, .max_file_mb = 16};

void expect_failure(const Escape& escape, SandboxLevel level, const SandboxSupport& support) {
  CAPTURE(std::string(to_string(level)));
  if (escape.header("not").find(to_string(level)) != std::string::npos) return;
  EscapeWorld world;
  SandboxSettings settings = kSettings;
  settings.protect = world.protect();
  auto sandbox = Sandbox::open(settings, world.tree(), world.environment(), support);
  REQUIRE_MESSAGE(sandbox.ok(), (sandbox ? "" : sandbox.error().message));
  REQUIRE(sandbox->level() == level);
  Command command;
  command.argv = {"sh", "-c", world.filled(escape.attempt)};
  command.folder = world.tree();
  command.merge_streams = true;
  command.timeout_s = 30;
  const CancelToken cancel;
  const auto result = SandboxRunner(*sandbox).run(command, cancel);
  REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().message));
  const std::string text = told(*result);
  CAPTURE(text);
  world.note_output(result->out);
  CHECK_FALSE(result->timed_out);
  CHECK_FALSE(came_off(escape, world));
  const bool silent = escape.header("silent").find(to_string(level)) != std::string::npos;
  const std::string reports = escape.header("reports");
  CHECK_FALSE(reports.empty());
  CHECK((silent || mentions(text, reports)));
}

void expect_success_without(const Escape& escape) {
  EscapeWorld world;
  world.run_plainly(world.filled(escape.attempt), true);
  INFO("without a sandbox");
  // A busy machine delays the processes that an attempt leaves.
  bool off = came_off(escape, world);
  for (int tries = 0; !off && tries < 10; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    off = came_off(escape, world);
  }
  CHECK(off);
}

void expect_failure_everywhere(SandboxLevel level, const SandboxSupport& support) {
  int count = 0;
  for (const Escape& escape : all_escapes()) {
    CAPTURE(escape.name);
    if (!escape.is_for_this_machine()) continue;
    expect_failure(escape, level, support);
    ++count;
  }
  CHECK(count > 0);
}

}  // namespace

TEST_CASE("escape: every attempt comes off without a sandbox") {
  for (const Escape& escape : all_escapes()) {
    CAPTURE(escape.name);
    if (escape.is_for_this_machine()) expect_success_without(escape);
  }
}

TEST_CASE("escape: bubblewrap holds") {
  const SandboxSupport support{.bubblewrap = sandbox_support().bubblewrap};
  EscapeWorld world;
  if (!Sandbox::open(kSettings, world.tree(), world.environment(), support)) {
    MESSAGE("skipped: there is no bwrap, or it does not work here");
    return;
  }
  expect_failure_everywhere(SandboxLevel::kBubblewrap, support);
}

TEST_CASE("escape: Landlock alone holds") {
  const SandboxSupport support{.landlock_abi = landlock_abi()};
  if (support.landlock_abi < 6) {
    MESSAGE("skipped: this kernel's Landlock is of version ", support.landlock_abi);
    return;
  }
  expect_failure_everywhere(SandboxLevel::kLandlock, support);
}
