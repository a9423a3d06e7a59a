#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sandbox/bubblewrap.h"
#include "sandbox/protected_paths.h"
#include "sandbox/sandbox.h"
#include "sys/run_process.h"

namespace pedro {
namespace {

/// Messages of programs when the system refuses an operation.
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

Error internal_error(std::string_view what) {
  return Error{ErrorKind::kInternal, fmt::format("{}: {}", what, errno_text(errno))};
}

bool reports_left_processes(const Descriptor& report) {
  std::array<char, 64> bytes{};
  if (!report.open()) return false;
  const long count = read_some(report.get(), bytes.data(), bytes.size());
  const std::string_view said(bytes.data(), static_cast<std::size_t>(std::max(count, 0L)));
  return said.find(kLeftReport) != said.npos;
}

// Duplicates a descriptor above the numbers that a child uses.
Descriptor raised(const Descriptor& descriptor) {
  return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 10));
}

}  // namespace

Result<ProcessResult> SandboxRunner::run(const Command& given, const CancelToken& cancel) {
  Command command = given;
  if (command.idle_timeout_s == 0) command.idle_timeout_s = sandbox_.settings_.idle_seconds;
  if (sandbox_.level() == SandboxLevel::kOff) {
    if (const char* path = ::getenv("PATH")) command.environment.try_emplace("PATH", path);
    return processes_.run(command, cancel);
  }
  if (command.folder.empty()) command.folder = sandbox_.tree_;
  sandbox_.look_at_protected();
  PEDRO_RETURN_IF_ERROR(sandbox_.keep());
  Result<ProcessResult> result = sandbox_.level() == SandboxLevel::kBubblewrap
                                     ? sandbox_.run_in_bubblewrap(command, cancel)
                                     : sandbox_.run_landlocked(command, cancel);
  sandbox_.put_back();
  if (!result) return result;
  for (std::string& note : std::exchange(sandbox_.undone_, {})) {
    result->notes.push_back(std::move(note));
  }
  if (mentions_refusal(result->out) || mentions_refusal(result->err)) {
    result->notes.push_back(what_is_allowed(sandbox_.has_net(command)));
  }
  return result;
}

// Resource limits bind other users, but not root.
std::size_t Sandbox::max_threads() const {
  return ::geteuid() == 0 ? static_cast<std::size_t>(settings_.max_processes) : 0;
}

Status Sandbox::keep() {
  if (kept_.empty() && !copy_) return {};
  if (!copy_) copy_.emplace(settings_.copies.empty() ? scratch_.path() : settings_.copies);
  return copy_->remember(kept_);
}

void Sandbox::put_back() {
  if (!copy_) return;
  for (std::string& sentence : copy_->put_back()) undone_.push_back(std::move(sentence));
}

Status Sandbox::check_visible(const ProgramStart& program) const {
  if (!program.program().starts_with('/')) return {};
  const Result<std::string> real = RealFileSystem().canonical(program.program());
  if (!real || is_shown(view_, *real)) return {};
  return usage_error(fmt::format(
      "{}: is not visible inside the sandbox; name its folder in sandbox.read", program.program()));
}

Result<ProcessResult> Sandbox::run_in_bubblewrap(const Command& command,
                                                 const CancelToken& cancel) {
  const Placeholders placeholders(missing_);
  SandboxView view = view_;
  const std::vector<std::string>& files = placeholders.files();
  view.guarded.insert(view.guarded.end(), files.begin(), files.end());
  const std::vector<std::string>& folders = placeholders.folders();
  view.pinned.insert(view.pinned.end(), folders.begin(), folders.end());
  Command outer = command;
  outer.argv = bubblewrap_command(
      bubblewrap_, view,
      {.limits = limits_of(command), .net = has_net(command), .folder = command.folder});
  outer.argv.insert(outer.argv.end(), command.argv.begin(), command.argv.end());
  Descriptor report;
  const auto start = [&](const std::string& marker, const ChildStreams& streams) -> Result<int> {
    const auto environment = environment_of(command, marker);
    PEDRO_TRY(const ProgramStart program, ProgramStart::prepare(command, environment));
    PEDRO_RETURN_IF_ERROR(check_visible(program));
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return internal_error("pipe");
    report.reset(ends[0]);
    const Descriptor theirs(ends[1]);
    const Descriptor filter = raised(filter_file_);
    const Descriptor report_end = raised(theirs);
    if (::lseek(filter.get(), 0, SEEK_SET) != 0) return internal_error("seccomp filter");
    ChildStreams all = streams;
    all.more = {filter.get(), report_end.get()};
    return start_process(outer, environment, all);
  };
  Result<ProcessResult> result = run_process(outer, cancel, start, max_threads());
  if (result) result->left_children = reports_left_processes(report);
  return result;
}

Result<ProcessResult> Sandbox::run_landlocked(const Command& command, const CancelToken& cancel) {
  const auto start = [&](const std::string& marker, const ChildStreams& streams) -> Result<int> {
    PEDRO_TRY(const ProgramStart program,
              ProgramStart::prepare(command, environment_of(command, marker)));
    PEDRO_RETURN_IF_ERROR(check_visible(program));
    if (!has_net(command) || settings_.allow_net) {
      return start_landlocked(confinement_, limits_of(command), program, streams);
    }
    Confinement with_net = confinement_;
    with_net.net = true;
    with_net.filter = net_filter_;
    return start_landlocked(with_net, limits_of(command), program, streams);
  };
  return run_process(command, cancel, start, max_threads());
}

}  // namespace pedro
