#pragma once

#include <memory>
#include <string>
#include <vector>

#include "batch_file.h"
#include "command.h"
#include "llm/server_pool.h"

namespace pedro {

/// The model servers of a batch: those of -model-url and of its lines, else the configured one.
class BatchServers {
 public:
  /// Maximum of tasks at once.
  static constexpr int kMaxJobs = 64;

  /// `urls`: those of -model-url. `jobs`: the value of -jobs; 0: the number of the servers' slots.
  /// Borrows `context` for the life of the pool. Errors: an invalid address; no server answers.
  static Result<std::unique_ptr<BatchServers>> open(CommandContext& context,
                                                    const std::vector<std::string>& urls,
                                                    const std::vector<BatchTask>& tasks, int jobs);

  ServerPool& pool() { return *pool_; }
  /// Describes the number of tasks at once on the servers that are ready: "5 at once on 2 of 3
  /// servers".
  std::string summary() const;
  /// Returns the limit of tasks at once, also when more servers answer later.
  int max_at_once() const { return jobs_ > 0 ? jobs_ : kMaxJobs; }

 private:
  explicit BatchServers(int jobs) : jobs_(jobs) {}

  int jobs_;
  CurlHttp http_;
  std::string api_key_;
  std::unique_ptr<ServerPool> pool_;
};

}  // namespace pedro
