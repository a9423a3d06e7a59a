#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/resource_limits.h"
#include "sandbox/sandbox_view.h"

namespace pedro {

/// The descriptors that bubblewrap_command() expects.
inline constexpr int kFilterDescriptor = 3;  ///< the seccomp filter as bytes
inline constexpr int kReportDescriptor = 4;  ///< a pipe for the lines "started" and kLeftReport
/// A line on kReportDescriptor: the command left processes behind.
inline constexpr std::string_view kLeftReport = "left";

/// Options of one command.
struct BubblewrapOptions {
  ResourceLimits limits;
  bool net = false;
  std::string folder;  ///< working folder
};

/// Returns a command line that runs the command appended to it in new namespaces. `program` is the
/// path of bwrap, `view` the file system. Processes that outlive the command get SIGTERM after 100
/// ms, and SIGKILL two seconds later. As root, the process limit has no effect.
std::vector<std::string> bubblewrap_command(const std::string& program, const SandboxView& view,
                                            const BubblewrapOptions& options);

}  // namespace pedro
