#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "llm/server_pool.h"

namespace pedro {

/// A job that waits for a server.
struct WaitingJob {
  std::size_t index = 0;    ///< of the caller's
  std::string before = {};  ///< name of the server that has run it, or ""
  std::string only = {};    ///< name of the only server that may run it, or ""
};

/// Jobs that wait for a server of a pool: first come, first served. A job whose server is busy lets
/// later jobs pass. One thread. Borrows the pool.
///
///     JobQueue queue(pool);
///     queue.add_last({.index = 0});
///     while (auto turn = queue.take()) start(turn->index, turn->server);
class JobQueue {
 public:
  /// A job of which no server has answered for this time is given up.
  static constexpr long long kMaxGoneMs = 600'000;

  struct Turn {
    std::size_t index = 0;
    std::optional<std::size_t> server;  ///< in the pool; nothing: the job is given up
  };

  explicit JobQueue(ServerPool& pool) : pool_(pool) {}

  void add_last(WaitingJob job) { waiting_.push_back(std::move(job)); }
  /// For a job that has begun.
  void add_first(WaitingJob job) { waiting_.push_front(std::move(job)); }
  /// Removes the first job that may start or is given up. Returns nothing if all must wait.
  /// O(number of jobs), and one look per group of jobs with equal servers.
  std::optional<Turn> take();
  void clear() { waiting_.clear(); }
  bool empty() const { return waiting_.empty(); }

 private:
  ServerPool& pool_;
  std::deque<WaitingJob> waiting_;
};

}  // namespace pedro
