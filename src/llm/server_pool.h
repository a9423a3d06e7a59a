#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "sys/http.h"

namespace pedro {

/// The state of a server at one time.
struct ServerLook {
  bool answers = false;
  bool loads = false;  ///< takes no request now: it loads its model, or evaluates a prompt
  int slots = 1;       ///< 1 if the server does not report them
  int busy_slots = 0;  ///< slots with a request; 0 if the server does not report them
};

/// Looks at a server with at most two requests of at most 2 s. Asks `/slots`, then `/props` if it
/// has no such route, or `/health` if it does not answer. A server without these routes answers and
/// has one slot; more than 1024 are not counted. `api_key` may be "".
ServerLook look_at_server(Http& http, const std::string& url, const std::string& api_key,
                          const CancelToken& cancel);

/// Several model servers that share jobs. A job stays on the server that has its prompts in the
/// cache, even if others are idle. It moves only if that server does not answer.
///
///   const auto place = pool.place_for(server_of_job);   // "" for a new job
///   if (place) pool.begin_job(*place);                  // pool.url(*place) runs it
///
/// Not thread-safe. Borrows the clock.
class ServerPool {
 public:
  using Look = std::function<ServerLook(const std::string& url)>;

  /// `shared`: the servers for any job. `named`: more servers, only for jobs that name them.
  /// `min_slots`: capacity of each server even if it has fewer slots. Looks at all servers.
  ServerPool(const std::vector<std::string>& shared, const std::vector<std::string>& named,
             int min_slots, Look look, const Clock& clock);

  /// Returns the server for a job, or nothing if the job must wait. `before` and `only` are names:
  /// the server that has run the job, and the only one that may; "" without one. A job without a
  /// server gets the one with the most free slots. Looks again at servers, each at most once per
  /// second. Slots that others use count as used.
  std::optional<std::size_t> place_for(std::string_view before, std::string_view only);
  /// Returns true if no server of the job has answered for `ms`.
  bool gone_for(long long ms, std::string_view only) const;
  /// Looks at a server. Returns true if it does not answer.
  bool is_gone(std::size_t server);

  void begin_job(std::size_t server) { ++servers_[server].jobs; }
  void end_job(std::size_t server) { --servers_[server].jobs; }

  /// Returns the address for a job; "" for the configured server.
  const std::string& url(std::size_t server) const { return servers_[server].url; }
  /// Returns the server's address without secrets.
  const std::string& name(std::size_t server) const { return servers_[server].name; }
  std::size_t size() const { return servers_.size(); }
  std::size_t answering() const;
  /// Returns the number of jobs that servers can run at once, without those that load.
  int capacity() const;

 private:
  struct Server {
    std::string url;
    std::string name;
    bool shared = true;
    ServerLook look = {};
    long long looked_ms = 0;
    long long answered_ms = 0;  // the last answer, or the start
    int jobs = 0;
  };

  void add(const std::string& url, bool shared);
  void look_again(Server& server);
  static bool may_run(const Server& server, std::string_view only);
  int free_slots(const Server& server) const;

  std::vector<Server> servers_;
  int min_slots_;
  Look look_;
  const Clock& clock_;
};

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
