#include "support/fault_proxy.h"

#include <algorithm>
#include <csignal>

#include "base/text.h"
#include "sys/http.h"

namespace pedro {
namespace {

std::string path_of(const LoopbackRequest& request) {
  return request.target.substr(0, request.target.find('?'));
}

bool concerns(const FaultRule& rule, const LoopbackRequest& request) {
  return (rule.path.empty() || rule.path == path_of(request)) &&
         (rule.has.empty() || request.body.find(rule.has) != std::string::npos);
}

std::string changed(const std::string& body, const Json& with) {
  Result<Json> json = parse_json(body);
  if (!with.is_object() || !json || !json->is_object()) return body;
  for (const auto& [key, value] : with.items()) {
    if (value.is_null()) {
      json->erase(key);
    } else {
      (*json)[key] = value;
    }
  }
  return to_line(*json);
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

LoopbackReply own_answer(const FaultRule::Answer& answer) {
  LoopbackReply reply{.status = answer.status, .headers = answer.headers, .body = answer.body};
  reply.body.reserve(answer.fill.size() * answer.fill_times + answer.tail.size());
  for (std::size_t i = 0; i < answer.fill_times; ++i) reply.body += answer.fill;
  reply.body += answer.tail;
  return reply;
}

void put(const FaultRule& rule, std::string& body) {
  if (rule.put_hex.empty()) return;
  const std::size_t at = body.find(rule.behind);
  if (at != std::string::npos) body.insert(at + rule.behind.size(), bytes_of_hex(rule.put_hex));
}

// The bytes of a cut reply. Announces the length that the body had before the cut.
std::string cut_answer(const LoopbackReply& reply, std::size_t announced) {
  std::string bytes = "HTTP/1.1 " + std::to_string(reply.status) + " Said so\r\n";
  for (const std::string& header : reply.headers) bytes += header + "\r\n";
  return bytes + "Content-Length: " + std::to_string(announced) + "\r\n\r\n" + reply.body;
}

void spoil(const FaultRule& rule, LoopbackReply& reply) {
  put(rule, reply.body);
  const std::size_t whole = reply.body.size();
  if (rule.cut) reply.body.resize(std::min(*rule.cut, whole));
  switch (rule.then) {
    case FaultRule::Then::kEnd:
      return;
    case FaultRule::Then::kClose:
      reply.raw = cut_answer(reply, whole);
      reply.after = AfterReply::kClose;
      return;
    case FaultRule::Then::kReset:
      reply.after = AfterReply::kReset;
      return;
    case FaultRule::Then::kStall:
      reply.after = AfterReply::kStall;
      return;
    case FaultRule::Then::kRepeat:
      reply.chunks = {reply.body};
      reply.after = AfterReply::kRepeat;
      return;
    case FaultRule::Then::kDown:
      reply.after = AfterReply::kDown;
      reply.down_s = rule.down_s;
      return;
  }
}

}  // namespace

FaultProxy::FaultProxy(std::vector<FaultRule> rules, std::string upstream)
    : rules_(std::move(rules)),
      upstream_(std::move(upstream)),
      uses_(rules_.size()),
      server_([this](const LoopbackRequest& request) { return reply_to(request); }) {}

FaultProxy::~FaultProxy() {
  cancel_.cancel(SIGTERM);
}

int FaultProxy::applied(std::size_t rule) const {
  const std::lock_guard lock(mutex_);
  return uses_[rule].applied;
}

const FaultRule* FaultProxy::rule_for(const LoopbackRequest& request) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const FaultRule& rule = rules_[i];
    Use& use = uses_[i];
    if (!concerns(rule, request)) continue;
    if (use.wanted++ < rule.skip) continue;
    if (rule.times && use.applied >= *rule.times) continue;
    if (!use.first) use.first = now;
    if (rule.for_s && now - *use.first > std::chrono::duration<double>(*rule.for_s)) continue;
    ++use.applied;
    return &rule;
  }
  return nullptr;
}

LoopbackReply FaultProxy::forward(const LoopbackRequest& request, const Json& with) const {
  HttpRequest onward;
  onward.method = request.method;
  onward.url = upstream_ + request.target;
  for (const char* name : {"content-type", "authorization", "x-api-key", "anthropic-version"}) {
    const auto found = request.headers.find(name);
    if (found != request.headers.end())
      onward.headers.push_back(found->first + ": " + found->second);
  }
  onward.body = changed(request.body, with);
  CurlHttp http;  // used by this thread only
  const Result<HttpResponse> answer = http.send(onward, {}, cancel_);
  if (!answer) return {.status = 502, .body = answer.error().message};
  return {.status = answer->status,
          .headers = {"Content-Type: " + answer->content_type},
          .body = answer->body};
}

LoopbackReply FaultProxy::reply_to(const LoopbackRequest& request) {
  const FaultRule* rule = rule_for(request);
  if (rule == nullptr) return forward(request, {});
  LoopbackReply reply;
  if (rule->answer) {
    reply = own_answer(*rule->answer);
  } else if (rule->then != FaultRule::Then::kDown) {
    reply = forward(request, rule->with);
  }
  spoil(*rule, reply);
  return reply;
}

}  // namespace pedro
