// Simulates a batch on many servers with the real scheduling code and a fake clock. Compares three
// policies in one run: a job stays on its server, gets any server, or has a fixed one.
//
//   fleet_bench RECORD [TASKS [SERVERS [SLOTS]]]      default: 10000 64 8
//
// RECORD: a record of `pedrocli eval tasks`. Its lines give the distribution of prompts, replies
// and checks. tests/data/bench/fleet-jobs.jsonl has measured ones. Assumed, and printed: the rates
// of a slot, failures of servers and of single jobs. A slot has its full rate at any load.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "llm/server_pool.h"
#include "support/read_file.h"

namespace {

using pedro::JobQueue;
using pedro::Json;
using pedro::ServerLook;
using pedro::ServerPool;

constexpr double kPrefillRate = 110;  // tokens per second and slot
constexpr double kDecodeRate = 14;
constexpr double kUpHours = 6;      // mean time of a server between failures
constexpr double kDownMinutes = 5;  // mean time until it answers again
constexpr double kLostJobs = 0.02;  // share of jobs that lose a request although the server answers
constexpr double kTickS = 1;        // interval of the queue's looks while jobs wait

/// A measured job.
struct Shape {
  double prefill_s = 0;  // of its uncached tokens
  double decode_s = 0;
  double checks_s = 0;
  double context_s = 0;  // prefill of its mean prompt without a cache
  int rounds = 1;
  double all_s() const { return prefill_s + decode_s + checks_s; }
};

std::vector<Shape> read_shapes(const char* path) {
  std::vector<Shape> shapes;
  const std::string text = pedro::read_file(path);
  for (const std::string_view line : pedro::split_lines(text)) {
    const pedro::Result<Json> row = pedro::parse_json(line);
    const long long prompt = row ? pedro::number_of(*row, "prompt_tokens") : 0;
    if (prompt <= 0) continue;  // a heading, or a job without a request
    const auto number = [&](const char* key) {
      return static_cast<double>(pedro::number_of(*row, key));
    };
    Shape shape;
    shape.rounds = std::max(1, static_cast<int>(number("rounds")));
    shape.prefill_s =
        std::max(0.0, number("prompt_tokens") - number("cached_tokens")) / kPrefillRate;
    shape.decode_s = number("generated_tokens") / kDecodeRate;
    shape.context_s = number("prompt_tokens") / shape.rounds / kPrefillRate;
    const double seconds = pedro::member(*row, "seconds").get<double>();
    shape.checks_s = std::max(0.0, seconds - shape.prefill_s - shape.decode_s);
    shapes.push_back(shape);
  }
  return shapes;
}

enum class Policy { kStay, kAny, kFixed };

struct Job {
  Shape shape;
  double left_s = 0;   // work after the last complete round
  double again_s = 0;  // prefill that the present server must repeat
  double first_start_s = -1;
  double started_s = 0;  // on the present server
  double end_s = 0;
  std::size_t server = 0;
  std::string before;
  int run = 0;  // number of starts
  bool running = false;
  bool loses_request = false;
};

struct Server {
  bool up = true;
  double changed_s = 0;
  double up_s = 0;
  std::vector<std::size_t> jobs;
};

enum class What { kJobEnd, kJobLost, kDown, kUp, kTick };

struct Event {
  double at_s;
  What what;
  std::size_t index;
  int run;
  bool operator>(const Event& other) const { return at_s > other.at_s; }
};

/// One batch under one policy.
class Fleet {
 public:
  Fleet(const std::vector<Shape>& shapes, std::size_t tasks, std::size_t servers, int slots,
        Policy policy)
      : slots_(slots), policy_(policy), servers_(servers), jobs_(tasks) {
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < servers; ++i) urls.push_back(fmt::format("http://s{}", i));
    pool_ = std::make_unique<ServerPool>(
        urls, std::vector<std::string>(), 1, [this](const std::string& url) { return look(url); },
        clock_);
    queue_ = std::make_unique<JobQueue>(*pool_);
    for (std::size_t i = 0; i < tasks; ++i) {
      Job& job = jobs_[i];
      job.shape = shapes[random_() % shapes.size()];
      job.left_s = job.shape.all_s();
      job.loses_request = chance() < kLostJobs;
      work_s_ += job.left_s;
      wait(i, false);
    }
    for (std::size_t i = 0; i < servers; ++i) add(exponential(kUpHours * 3600), What::kDown, i);
  }

  void run() {
    start_waiting();
    add(kTickS, What::kTick, 0);
    while (ended_ < jobs_.size()) {
      const Event event = events_.top();
      events_.pop();
      now_s_ = event.at_s;
      clock_.ms = kStartMs + static_cast<long long>(now_s_ * 1000);
      handle(event);
      start_waiting();
    }
  }

  void print(const char* name) {
    double up_s = 0;
    for (Server& server : servers_)
      up_s += server.up_s + (server.up ? now_s_ - server.changed_s : 0);
    if (given_up_ > 0) fmt::print("{}: {} jobs given up, and not counted\n", name, given_up_);
    std::vector<double> times;
    for (const Job& job : jobs_)
      if (job.end_s > 0) times.push_back(job.end_s - job.first_start_s);
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
      return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    const double bound_s = work_s_ / (up_s / now_s_ * slots_);
    fmt::print("{:<7}{:>9.0f}{:>9.0f}{:>8.1f} %{:>8.1f} %{:>7}{:>9.2f} %{:>8.0f}{:>8.0f}{:>9.0f}\n",
               name, now_s_, bound_s, 100 * bound_s / now_s_, 100 * busy_s_ / (up_s * slots_),
               moves_, 100 * lost_s_ / work_s_, at(0.5), at(0.99), times.back());
  }

 private:
  static constexpr long long kStartMs = 1'700'000'000'000;

  double chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double exponential(double mean) { return -mean * std::log(1 - chance()); }
  void add(double after_s, What what, std::size_t index, int run = 0) {
    events_.push({now_s_ + after_s, what, index, run});
  }

  ServerLook look(const std::string& url) {
    const Server& server = servers_[std::stoul(url.substr(url.find("//s") + 3))];
    return {
        .answers = server.up, .slots = slots_, .busy_slots = static_cast<int>(server.jobs.size())};
  }

  void wait(std::size_t index, bool first) {
    pedro::WaitingJob job{.index = index};
    if (policy_ == Policy::kStay) job.before = jobs_[index].before;
    if (policy_ == Policy::kFixed) job.only = pool_->name(index % servers_.size());
    first ? queue_->add_first(std::move(job)) : queue_->add_last(std::move(job));
  }

  void start_waiting() {
    while (const auto turn = queue_->take()) {
      if (!turn->server) {  // given up, which counts as an end
        ++given_up_;
        ++ended_;
        continue;
      }
      start(turn->index, *turn->server);
    }
  }

  void start(std::size_t index, std::size_t server) {
    Job& job = jobs_[index];
    const std::string& name = pool_->name(server);
    if (!job.before.empty() && job.before != name) {
      ++moves_;
      job.again_s = job.shape.context_s;
    }
    job.before = name;
    job.server = server;
    job.started_s = now_s_;
    if (job.first_start_s < 0) job.first_start_s = now_s_;
    job.running = true;
    ++job.run;
    pool_->begin_job(server);
    servers_[server].jobs.push_back(index);
    const double length_s = job.again_s + job.left_s;
    if (job.loses_request) {
      job.loses_request = false;
      add(chance() * length_s, What::kJobLost, index, job.run);
    }
    add(length_s, What::kJobEnd, index, job.run);
  }

  // Ends a job's stay on its server. Complete rounds are kept; the rest is lost.
  void leave(std::size_t index, bool done) {
    Job& job = jobs_[index];
    const double spent_s = now_s_ - job.started_s;
    const double worked_s = std::max(0.0, spent_s - job.again_s);
    const double round_s = job.shape.all_s() / job.shape.rounds;
    const double kept_s = done ? job.left_s : std::floor(worked_s / round_s) * round_s;
    busy_s_ += spent_s;
    lost_s_ += spent_s - kept_s;
    job.left_s = std::max(0.0, job.left_s - kept_s);
    job.again_s = 0;
    job.running = false;
    std::erase(servers_[job.server].jobs, index);
    pool_->end_job(job.server);
  }

  void fail(std::size_t index, bool cache_lost) {
    leave(index, false);
    Job& job = jobs_[index];
    if (pool_->is_gone(job.server) || cache_lost) job.again_s = job.shape.context_s;
    wait(index, true);
  }

  void handle(const Event& event) {
    switch (event.what) {
      case What::kJobEnd:
      case What::kJobLost: {
        Job& job = jobs_[event.index];
        if (!job.running || job.run != event.run) return;  // it has left the server before
        if (event.what == What::kJobLost) return fail(event.index, false);
        leave(event.index, true);
        job.end_s = now_s_;
        ++ended_;
        return;
      }
      case What::kDown: {
        Server& server = servers_[event.index];
        server.up = false;
        server.up_s += now_s_ - server.changed_s;
        server.changed_s = now_s_;
        for (const std::size_t index : std::vector(server.jobs)) fail(index, true);
        return add(exponential(kDownMinutes * 60), What::kUp, event.index);
      }
      case What::kUp:
        servers_[event.index].up = true;
        servers_[event.index].changed_s = now_s_;
        return add(exponential(kUpHours * 3600), What::kDown, event.index);
      case What::kTick:
        return add(kTickS, What::kTick, 0);
    }
  }

  int slots_;
  Policy policy_;
  std::mt19937_64 random_{1};
  pedro::FakeClock clock_;
  std::vector<Server> servers_;
  std::vector<Job> jobs_;
  std::unique_ptr<ServerPool> pool_;
  std::unique_ptr<JobQueue> queue_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_s_ = 0;
  double work_s_ = 0;
  double busy_s_ = 0;
  double lost_s_ = 0;
  std::size_t ended_ = 0;
  std::size_t given_up_ = 0;
  long long moves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Shape> shapes = argc > 1 ? read_shapes(argv[1]) : std::vector<Shape>();
  if (shapes.empty()) {
    std::fputs("usage: fleet_bench RECORD [TASKS [SERVERS [SLOTS]]]; RECORD of `eval tasks`\n",
               stderr);
    return 2;
  }
  const auto argument = [&](int at, std::size_t other) {
    return argc > at ? std::stoul(argv[at]) : other;
  };
  const std::size_t tasks = argument(2, 10'000);
  const std::size_t servers = argument(3, 64);
  const int slots = static_cast<int>(argument(4, 8));
  fmt::print("{} tasks like {} measured ones, {} servers with {} slots\n", tasks, shapes.size(),
             servers, slots);
  fmt::print(
      "assumed: a slot evaluates {} and generates {} tokens/s; a server fails every {} h for "
      "{} min; {} % of jobs lose a request\n",
      kPrefillRate, kDecodeRate, kUpHours, kDownMinutes, 100 * kLostJobs);
  fmt::print("{:<7}{:>9}{:>9}{:>10}{:>10}{:>7}{:>11}{:>8}{:>8}{:>9}\n", "policy", "s", "bound s",
             "of bound", "busy", "moves", "lost", "p50 s", "p99 s", "longest");
  const std::pair<const char*, Policy> policies[] = {
      {"stay", Policy::kStay}, {"any", Policy::kAny}, {"fixed", Policy::kFixed}};
  for (const auto& [name, policy] : policies) {
    Fleet fleet(shapes, tasks, servers, slots, policy);
    fleet.run();
    fleet.print(name);
  }
}
