// The cost of a sandbox: the same command without one, and at every level that this machine
// supports.
//
// sandbox_bench [RUNS]: prints medians in milliseconds. Exits with 1 if the best level costs more
// than 3.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/median.h"
#include "bench/timing.h"
#include "sandbox/sandbox.h"
#include "sys/environment.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr double kMaxOverhead_ms = 3;

/// Runs the runners in turn, because load on a shared machine must affect all of them equally.
std::vector<double> medians_ms(const std::vector<ProcessRunner*>& runners, int runs) {
  std::vector<std::vector<double>> times(runners.size());
  const CancelToken cancel;
  Command command;
  command.argv = {"true"};
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < runners.size(); ++i) {
      const auto result = runners[i]->run(command, cancel);
      if (!result || !result->ok()) {
        fmt::print(stderr, "sandbox_bench: {}\n", result ? result->err : result.error().message);
        std::exit(1);
      }
      times[i].push_back(result->duration_s * 1000);
    }
  }
  std::vector<double> results;
  for (const auto& list : times) results.push_back(median(list));
  return results;
}

int run(int runs) {
  const auto environment = real_environment().variables;
  const std::string tree = RealFileSystem().canonical(".").value();
  const SandboxSupport best = sandbox_support();
  std::vector<Sandbox> sandboxes;
  for (const SandboxSupport& support : {SandboxSupport{.bubblewrap = best.bubblewrap},
                                        SandboxSupport{.landlock_abi = best.landlock_abi}}) {
    auto sandbox = Sandbox::open({}, tree, environment, support);
    if (sandbox) sandboxes.push_back(*std::move(sandbox));
  }
  RealProcessRunner plain;
  std::vector<SandboxRunner> confined(sandboxes.begin(), sandboxes.end());
  std::vector<ProcessRunner*> runners = {&plain};
  for (SandboxRunner& runner : confined) runners.push_back(&runner);
  const std::vector<double> medians = medians_ms(runners, runs);
  fmt::print("without: {:.2f} ms\n", medians[0]);
  for (std::size_t i = 0; i < sandboxes.size(); ++i) {
    fmt::print("{}: {:.2f} ms, {:+.2f} ms\n", sandboxes[i].description(), medians[i + 1],
               medians[i + 1] - medians[0]);
  }
  return sandboxes.empty() || medians[1] - medians[0] > kMaxOverhead_ms ? 1 : 0;
}

}  // namespace
}  // namespace pedro

int main(int argc, char** argv) {
  return pedro::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 200);
}
