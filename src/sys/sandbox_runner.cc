#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <thread>

#include "sys/pinned_folders.h"
#include "sys/run_process.h"
#include "sys/sandbox.h"

namespace pedro {
namespace {

/// What programs print when the system refuses them something.
constexpr std::array<std::string_view, 11> kRefusals = {"Permission denied",
                                                        "Operation not permitted",
                                                        "Read-only file system",
                                                        "Device or resource busy",
                                                        "Network is unreachable",
                                                        "Temporary failure in name resolution",
                                                        "Could not resolve host",
                                                        "Address family not supported",
                                                        "Name or service not known",
                                                        "Resource temporarily unavailable",
                                                        "File too large"};

bool mentions_refusal(const std::string& text) {
  return std::any_of(kRefusals.begin(), kRefusals.end(), [&text](std::string_view refusal) {
    return text.find(refusal) != std::string::npos;
  });
}

std::string what_is_allowed(bool net) {
  return fmt::format("commands run in a sandbox: they may change the project and $TMPDIR only{}",
                     net ? "" : ", and have no network");
}

std::string about_repository(const std::string& folder) {
  return fmt::format(
      "{} is a repository inside the project that a command has made or set up: git runs programs "
      "that its configuration names, so remove it if it is not needed",
      folder);
}

}  // namespace

Result<ProcessResult> SandboxRunner::run(const Command& given, const CancelToken& cancel) {
  Command command = given;
  if (command.idle_timeout_s == 0) command.idle_timeout_s = sandbox_.settings_.idle_seconds;
  if (sandbox_.level() == SandboxLevel::kOff) {
    if (const char* path = ::getenv("PATH")) command.environment.try_emplace("PATH", path);
    return processes_.run(command, cancel);
  }
  // No process can use more than all the processors until the deadline; one that escapes it does.
  ResourceLimits limits = sandbox_.limits_;
  limits.cpu_s = static_cast<std::uint64_t>(std::ceil(std::max(command.timeout_s, 1.0))) *
                     std::max(1u, std::thread::hardware_concurrency()) +
                 10;
  sandbox_.look_at_guarded();
  const Command inner = sandbox_.inside(command, limits);
  const bool bubblewrap = sandbox_.level() == SandboxLevel::kBubblewrap;
  const auto start = [&](const std::string& marker,
                         const ChildStreams& streams) -> Result<ConfinedChild> {
    const auto environment = sandbox_.environment_of(inner, marker);
    if (bubblewrap) {
      const Result<int> pid = start_process(inner, environment, streams);
      if (!pid) return pid.error();
      return ConfinedChild{.pid = *pid};
    }
    const Result<ProgramStart> program = ProgramStart::prepare(inner, environment);
    if (!program) return program.error();
    if (sandbox_.has_net(command) && !sandbox_.settings_.allow_net) {
      return start_confined(sandbox_.with_net(), limits, *program, streams);
    }
    return start_confined(sandbox_.confinement_, limits, *program, streams);
  };
  // Elsewhere they are mounts, which stay where they are.
  const bool can_be_moved = sandbox_.level() == SandboxLevel::kLandlock;
  const PinnedFolders pinned(can_be_moved ? sandbox_.view_.pinned : std::vector<std::string>());
  sandbox_.guarded_.remember();
  sandbox_.nested_.look_once();
  sandbox_.git_links_.remember_once();
  sandbox_.note_.begin(sandbox_.guarded_.missing_and_links());
  Result<ProcessResult> result = run_process(inner, cancel, start);
  std::vector<std::string> undone = pinned.put_back();
  for (std::string& changed : sandbox_.guarded_.put_back(sandbox_.held_)) {
    undone.push_back(std::move(changed));
  }
  sandbox_.note_.end();
  for (std::string& removed : sandbox_.git_links_.remove_new()) {
    undone.push_back(std::move(removed));
  }
  for (const std::string& folder : sandbox_.nested_.changed()) {
    undone.push_back(about_repository(folder));
  }
  if (!result) return result;
  result->notes = std::move(undone);
  if (mentions_refusal(result->out) || mentions_refusal(result->err)) {
    result->notes.push_back(what_is_allowed(sandbox_.has_net(command)));
  }
  return result;
}

}  // namespace pedro
