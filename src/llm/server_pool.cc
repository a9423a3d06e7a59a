#include "llm/server_pool.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/json.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr double kLookTimeout_s = 2;
constexpr long long kLookEvery_ms = 1000;
// A dead host may take the whole timeout.
constexpr long long kLookForGoneEvery_ms = 5000;
constexpr long long kMaxServerSlots = 1024;
constexpr std::size_t kMaxSlotsBytes = 16u << 20;  // each slot has all its sampling settings
constexpr int kStatusOk = 200;
constexpr int kStatusUnavailable = 503;

}  // namespace

std::optional<JobQueue::Turn> JobQueue::take() {
  std::set<std::pair<std::string_view, std::string_view>> full;
  for (auto job = waiting_.begin(); job != waiting_.end(); ++job) {
    if (full.contains({job->before, job->only})) continue;
    const Turn turn{job->index, pool_.place_for(job->before, job->only)};
    if (turn.server || pool_.gone_for(kMaxGoneMs, job->only)) {
      waiting_.erase(job);
      return turn;
    }
    full.emplace(job->before, job->only);
  }
  return std::nullopt;
}

ServerLook look_at_server(Http& http, const std::string& url, const std::string& api_key,
                          const CancelToken& cancel) {
  const auto get = [&](std::string_view route) {
    HttpRequest request{.url = url_of_route(url, route),
                        .connect_timeout_s = kLookTimeout_s,
                        .idle_timeout_s = kLookTimeout_s,
                        .timeout_s = kLookTimeout_s,
                        .max_response_bytes = kMaxSlotsBytes};
    if (!api_key.empty()) request.headers.push_back("Authorization: Bearer " + api_key);
    return http.send(request, nullptr, cancel);
  };
  ServerLook look;
  const Result<HttpResponse> slots = get("/slots");
  look.answers = slots.ok();
  // A server that evaluates a prompt answers this route late, but its health at once.
  if (!slots) {
    const Result<HttpResponse> health = get("/health");
    look.answers = health && health->status == kStatusOk;
    look.loads = look.answers;  // it takes no further job
  }
  if (slots) look.loads = slots->status == kStatusUnavailable;
  if (!slots || look.loads) return look;
  const Result<Json> list = parse_json(slots->body, {.max_bytes = kMaxSlotsBytes});
  if (slots->status == kStatusOk && list && list->is_array() && !list->empty()) {
    look.slots = static_cast<int>(
        std::min<long long>(kMaxServerSlots, static_cast<long long>(list->size())));
    look.busy_slots =
        static_cast<int>(std::count_if(list->begin(), list->end(), [](const Json& slot) {
          return truth_of(slot, "is_processing");
        }));
    return look;
  }
  const Result<HttpResponse> props = get("/props");
  const Result<Json> settings = parse_json(props ? props->body : "");
  if (!settings) return look;
  look.slots =
      static_cast<int>(std::clamp(number_of(*settings, "total_slots", 1), 1LL, kMaxServerSlots));
  return look;
}

ServerPool::ServerPool(const std::vector<std::string>& shared,
                       const std::vector<std::string>& named, int min_slots, Look look,
                       const Clock& clock)
    : min_slots_(min_slots), look_(std::move(look)), clock_(clock) {
  for (const std::string& url : shared) add(url, true);
  for (const std::string& url : named) add(url, false);
}

void ServerPool::add(const std::string& url, bool shared) {
  const std::string name = public_url(url);
  const bool known = std::any_of(servers_.begin(), servers_.end(),
                                 [&](const Server& server) { return server.name == name; });
  if (known) return;
  servers_.push_back(
      {.url = url, .name = name, .shared = shared, .answered_ms = clock_.ticks_ms()});
  look_again(servers_.back());
}

bool ServerPool::may_run(const Server& server, std::string_view only) {
  return only.empty() ? server.shared : server.name == only;
}

void ServerPool::look_again(Server& server) {
  const bool answered = server.look.answers;
  server.look = look_(server.url);
  server.looked_ms = clock_.ticks_ms();
  // Nobody looked between the last answer and the first failure.
  if (server.look.answers || answered) server.answered_ms = server.looked_ms;
}

// A job that runs its checks has an idle slot, which stays its own.
int ServerPool::free_slots(const Server& server) const {
  if (!server.look.answers || server.look.loads) return 0;
  return std::max(server.look.slots, min_slots_) - std::max(server.jobs, server.look.busy_slots);
}

std::optional<std::size_t> ServerPool::place_for(std::string_view before, std::string_view only) {
  const long long now = clock_.ticks_ms();
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    Server& server = servers_[i];
    if (!may_run(server, only)) continue;
    const long long pause = server.look.answers ? kLookEvery_ms : kLookForGoneEvery_ms;
    if (now - server.looked_ms >= pause) look_again(server);
    if (server.name == before && server.look.answers) {
      return free_slots(server) > 0 ? std::optional(i) : std::nullopt;
    }
    if (free_slots(server) <= 0) continue;
    if (!best || free_slots(server) > free_slots(servers_[*best])) best = i;
  }
  return best;
}

bool ServerPool::gone_for(long long ms, std::string_view only) const {
  const long long now = clock_.ticks_ms();
  return std::all_of(servers_.begin(), servers_.end(), [&](const Server& server) {
    if (!may_run(server, only)) return true;
    return !server.look.answers && now - server.answered_ms >= ms;
  });
}

bool ServerPool::is_gone(std::size_t server) {
  look_again(servers_[server]);
  return !servers_[server].look.answers;
}

std::size_t ServerPool::answering() const {
  return static_cast<std::size_t>(std::count_if(
      servers_.begin(), servers_.end(), [](const Server& server) { return server.look.answers; }));
}

int ServerPool::capacity() const {
  int sum = 0;
  for (const Server& server : servers_) {
    if (server.look.answers && !server.look.loads) {
      sum += std::max(server.look.slots, min_slots_);
    }
  }
  return sum;
}

}  // namespace pedro
