#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/sleep.h"

namespace pedro {

struct HttpRequest {
  std::string method = "GET";
  std::string url = {};                   ///< http:// or https:// only
  std::vector<std::string> headers = {};  ///< "Name: value"
  std::string body = {};
  double connect_timeout_s = 10;
  /// The request fails when nothing arrives for this long. 0: no such limit.
  double idle_timeout_s = 300;
  /// A deadline for the whole; 0: none, so that a slow prefill may take its time as long as the
  /// server shows life.
  double timeout_s = 0;
  /// More is an error. Of an answer that is no 2xx at most the first MiB is read.
  std::size_t max_response_bytes = 64u << 20;
};

struct HttpResponse {
  int status = 0;
  std::string body = {};  ///< empty where a sink took it
  std::string content_type = {};
  double retry_after_s = 0;  ///< from Retry-After in seconds, 0 where not given
};

/// Sees the body of a 2xx answer as it arrives; returning false ends the transfer (the response is
/// then what had come, no error).
using BodySink = std::function<bool(std::string_view bytes)>;

/// Stands in the message of the error where nothing listens at the address: what send_with_retry
/// tries again.
inline constexpr std::string_view kConnectionRefused = "connection refused";
/// The same where the connection ended before the answer did.
inline constexpr std::string_view kConnectionBroke = "the connection broke";
/// Why a request waits that nothing is wrong with.
inline constexpr std::string_view kModelLoads = "the model is loading";

/// HTTP. Errors are kModel, "URL: what happened; what to do", never with headers, the URL without
/// its user and query (they hold keys); kInterrupted where `cancel` was set. One instance belongs
/// to one thread.
class Http {
 public:
  virtual ~Http() = default;
  /// One exchange, no retry. Any status is a response, not an Error. Redirects are not followed.
  virtual Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                                    const CancelToken& cancel) = 0;
};

/// libcurl's multi interface. The library is loaded at the first request: its thirty dependencies
/// cost a start-up 4 ms that most commands have no use for. Connections are kept open between
/// requests. Proxies are those of the environment, except for this machine itself.
class CurlHttp : public Http {
 public:
  CurlHttp();
  ~CurlHttp() override;
  Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                            const CancelToken& cancel) override;

 private:
  struct Session;
  std::unique_ptr<Session> session_;  // libcurl's types stay in the source
};

struct RetryPolicy {
  int max_attempts = 6;             ///< in all; 1 means no retry
  double first_delay_s = 0.5;       ///< doubled each time, at most 8 s
  double max_loading_wait_s = 300;  ///< how long 503 "Loading model" is waited for
  /// 500, 502, 504 and 529 are tried again like a 503: of servers where they come and go. Of others
  /// a 500 may be the answer to this very request.
  bool retries_failures = false;
  /// How the delays pass; a test puts something faster here.
  std::function<void(double seconds, const CancelToken& cancel)> wait = sleep_unless_cancelled;
};

/// Sends until it works or retrying is pointless: a refused connection, 429 and 503 are tried
/// again (Retry-After is obeyed, at most 60 s), with `retries_failures` some more, a connection
/// that broke once (the server may have been started anew; or it is this request that ends it);
/// everything else is final. 503 "Loading model" is asked about every second and does not count as
/// an attempt. The last answer is returned, also where it is still a 429. `on_wait` hears why and
/// how long. Once `sink` has seen a byte nothing is retried.
Result<HttpResponse> send_with_retry(
    Http& http, const HttpRequest& request, const BodySink& sink, const RetryPolicy& policy,
    const CancelToken& cancel,
    const std::function<void(std::string_view why, double delay_s)>& on_wait);

/// Splits a stream of server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html) into the `data:` payloads,
/// whatever the chunks are. Comments and other fields are skipped. `on_event` must not call back
/// into the parser.
class SseParser {
 public:
  /// False once one event has grown past `max_event_bytes`; the parser is then dead.
  bool feed(std::string_view bytes, const std::function<void(std::string_view data)>& on_event);
  /// The end of the stream: delivers an event whose closing blank line is missing.
  void finish(const std::function<void(std::string_view data)>& on_event);

  std::size_t max_event_bytes = 16u << 20;

 private:
  void end_line(const std::function<void(std::string_view data)>& on_event);

  std::string line_;
  std::string data_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool first_line_ = true;
  bool dead_ = false;
};

}  // namespace pedro
