#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "sys/http.h"
#include "sys/interrupted.h"

namespace pedro {
namespace {

constexpr double kMaxBackoff_s = 8;
constexpr double kMaxRetryAfter_s = 60;
constexpr double kLoadingPoll_s = 1;

enum class Cause { kFinal, kRefused, kBroke, kTooMany, kUnavailable, kLoading, kFailure };

/// Returns true for the response of a llama-server that loads its weights. The order of its keys
/// varies.
bool is_loading(const HttpResponse& response) {
  const Result<Json> body = parse_json(response.body, {.max_bytes = 64u << 10, .max_depth = 16});
  return body && text_of(member(*body, "error"), "message") == "Loading model";
}

/// Returns true for failures that pass: time-outs, conflicts, missing capacity, and a proxy without
/// its server (520 to 524).
bool is_failure(int status) {
  constexpr int kPassing[] = {408, 409, 425, 498, 500, 502, 504, 529};
  return std::find(std::begin(kPassing), std::end(kPassing), status) != std::end(kPassing) ||
         (status >= 520 && status <= 524);
}

Cause cause_of(const Result<HttpResponse>& result, const RetryPolicy& policy) {
  if (!result) {
    const Error& error = result.error();
    if (error.kind != ErrorKind::kModel) return Cause::kFinal;
    if (error.message.find(kConnectionRefused) != std::string::npos) return Cause::kRefused;
    return error.message.find(kConnectionBroke) != std::string::npos ? Cause::kBroke
                                                                     : Cause::kFinal;
  }
  if (result->status == 429) return Cause::kTooMany;
  if (is_failure(result->status) && policy.is_temporary && policy.is_temporary(*result)) {
    return Cause::kFailure;
  }
  if (result->status != 503) return Cause::kFinal;
  return is_loading(*result) ? Cause::kLoading : Cause::kUnavailable;
}

std::string_view words_for(Cause cause) {
  switch (cause) {
    case Cause::kRefused:
      return kConnectionRefused;
    case Cause::kBroke:
      return kConnectionBroke;
    case Cause::kTooMany:
      return "429 Too Many Requests";
    case Cause::kUnavailable:
      return "503 Service Unavailable";
    case Cause::kLoading:
      return kModelLoads;
    case Cause::kFailure:
      return "the server failed";
    case Cause::kFinal:
      break;
  }
  return "";
}

/// Computes the delay before the next attempt, in seconds; negative if there is none.
class Backoff {
 public:
  explicit Backoff(const RetryPolicy& policy)
      : policy_(policy), delay_s_(std::min(policy.first_delay_s, kMaxBackoff_s)) {}

  double next(Cause cause, double retry_after_s) {
    if (cause == Cause::kFinal) return -1;
    if (cause == Cause::kLoading) return next_loading();
    if (cause == Cause::kBroke && std::exchange(has_broken_, true)) return -1;
    if (++attempts_ >= policy_.max_attempts) return -1;
    const double backoff_s = delay_s_;
    delay_s_ = std::min(delay_s_ * 2, kMaxBackoff_s);
    return retry_after_s > 0 ? std::min(retry_after_s, kMaxRetryAfter_s) : backoff_s;
  }

 private:
  double next_loading() {
    if (loading_s_ >= policy_.max_loading_wait_s) return -1;
    const double delay_s = std::min(kLoadingPoll_s, policy_.max_loading_wait_s - loading_s_);
    loading_s_ += delay_s;
    return delay_s;
  }

  const RetryPolicy& policy_;
  double delay_s_;
  double loading_s_ = 0;
  int attempts_ = 0;
  bool has_broken_ = false;
};

}  // namespace

Result<HttpResponse> send_with_retry(
    Http& http, const HttpRequest& request, const BodySink& sink, const RetryPolicy& policy,
    const CancelToken& cancel,
    const std::function<void(std::string_view why, double delay_s)>& on_wait) {
  bool sink_used = false;
  BodySink watched;
  if (sink) {
    watched = [&](std::string_view bytes) {
      sink_used = true;
      return sink(bytes);
    };
  }
  Backoff backoff(policy);
  for (;;) {
    Result<HttpResponse> result = http.send(request, watched, cancel);
    const Cause cause = sink_used ? Cause::kFinal : cause_of(result, policy);
    const double delay_s = backoff.next(cause, result.ok() ? result->retry_after_s : 0);
    if (delay_s < 0) return result;
    if (on_wait) on_wait(words_for(cause), delay_s);
    policy.wait(delay_s, cancel);
    if (cancel.cancelled()) return interrupted(cancel);
  }
}

}  // namespace pedro
