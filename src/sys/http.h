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
  /// The request fails if nothing arrives for this long. 0: no limit. A sink may change it.
  double idle_timeout_s = 300;
  /// Deadline of the whole exchange; 0: none. A slow prefill may take as long as the server shows
  /// activity.
  double timeout_s = 0;
  /// A longer body is an error. At most 1 MiB is read of a response other than 2xx.
  std::size_t max_response_bytes = 64u << 20;
  std::string wanted_header = {};  ///< name of a header of the response to keep, in lower case
};

struct HttpResponse {
  int status = 0;
  std::string body = {};  ///< empty if a sink received it
  std::string content_type = {};
  double retry_after_s = 0;  ///< from Retry-After; 0 if absent
  std::string header = {};   ///< value of HttpRequest::wanted_header, trimmed; "" if absent
};

/// Receives the body of a 2xx response as it arrives. Returning false ends the transfer without an
/// error; the response then has the status and headers.
using BodySink = std::function<bool(std::string_view bytes)>;

/// Part of the error message if no server listens at the address. send_with_retry() retries it.
inline constexpr std::string_view kConnectionRefused = "connection refused";
/// Part of the error message if the connection ended before the response did.
inline constexpr std::string_view kConnectionBroke = "the connection broke";
/// Part of the error message if HttpRequest::timeout_s passed.
inline constexpr std::string_view kNotComplete = "no complete answer within";
/// The reason for a wait while the server loads its model.
inline constexpr std::string_view kModelLoads = "the model is loading";

/// An HTTP client. Errors: kModel, "URL: what happened; what to do"; kInterrupted if `cancel` was
/// set. Messages never contain headers, nor the user and query of the URL, which may hold keys. Use
/// each instance in one thread.
class Http {
 public:
  virtual ~Http() = default;
  /// Makes one exchange without a retry. Any status is a response, not an error. Redirects are not
  /// followed.
  virtual Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                                    const CancelToken& cancel) = 0;
};

/// Uses libcurl's multi interface. Loads the library on the first request: loading its thirty
/// dependencies takes 4 ms, which most commands can save. Keeps connections open between requests.
/// Takes proxies from the environment, except for this machine.
class CurlHttp : public Http {
 public:
  CurlHttp();
  ~CurlHttp() override;
  Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                            const CancelToken& cancel) override;

 private:
  struct Session;
  std::unique_ptr<Session> session_;  // keeps libcurl's types out of this header
};

struct RetryPolicy {
  int max_attempts = 6;             ///< in total; 1: no retry
  double first_delay_s = 0.5;       ///< doubled each time, at most 8 s
  double max_loading_wait_s = 300;  ///< limit for 503 "Loading model"
  /// Returns true for a temporary failure, which is retried like 503. Asked for 408, 409, 425, 498,
  /// 500, 502, 504, 520 to 524 and 529. Null: none is temporary.
  std::function<bool(const HttpResponse& failure)> is_temporary = nullptr;
  /// Waits between attempts. Tests replace it.
  std::function<void(double seconds, const CancelToken& cancel)> wait = sleep_unless_cancelled;
};

/// Sends a request, and retries temporary failures: a refused connection, 429 and 503 (and more
/// with `is_temporary`). Obeys Retry-After up to 60 s. Retries a broken connection once: the
/// server may have restarted, or this request may crash it. Asks again every second during 503
/// "Loading model", which does not count as an attempt. Returns the last response, even if it is
/// still a 429. Reports the reason and the delay to `on_wait`. Never retries after `sink` has
/// received a byte.
Result<HttpResponse> send_with_retry(
    Http& http, const HttpRequest& request, const BodySink& sink, const RetryPolicy& policy,
    const CancelToken& cancel,
    const std::function<void(std::string_view why, double delay_s)>& on_wait);

/// Splits a stream of server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html) into `data:` payloads,
/// regardless of chunk boundaries. Skips comments and unknown fields. `on_event` must not call the
/// parser.
class SseParser {
 public:
  /// Returns false once an event exceeds `max_event_bytes`; the parser then accepts no more input.
  bool feed(std::string_view bytes, const std::function<void(std::string_view data)>& on_event);
  /// Ends the stream: delivers an event whose closing blank line is missing.
  void finish(const std::function<void(std::string_view data)>& on_event);

  /// The name of the event that on_event receives; "" without one.
  std::string_view event_name() const { return name_; }
  /// The id of the last complete event that has one; "" without one.
  const std::string& last_id() const { return last_id_; }
  /// The server's delay before a new connection, in ms; negative if it named none.
  long long retry_ms() const { return retry_ms_; }

  std::size_t max_event_bytes = 16u << 20;

 private:
  void end_line(const std::function<void(std::string_view data)>& on_event);

  std::string name_;
  std::string line_;
  std::string data_;
  std::string id_;
  std::string last_id_;
  long long retry_ms_ = -1;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool first_line_ = true;
  bool dead_ = false;
};

/// Returns the file of certificates that https trusts: `chosen` (SSL_CERT_FILE) unless empty, else
/// the first file in `usual`. "" if there is none.
std::string certificate_file(const std::string& chosen, const std::vector<std::string>& usual);

}  // namespace pedro
