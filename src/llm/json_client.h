#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/trace.h"
#include "llm/server_refusal.h"
#include "sys/http.h"

namespace pedro {

/// How to reach a server.
struct ServerOptions {
  std::string url = "http://127.0.0.1:8080";  ///< without a path, or with what is before its routes
  std::string api_key;                        ///< never shown
  std::string key_variable = "PEDROCLI_API_KEY";  ///< where the key comes from, for messages
  std::string model;  ///< for a server with several; empty: the one that it has
  double idle_timeout_s = 300;
  /// For the whole of what the server answers without a model's work: also one that sends a byte
  /// now and then comes to an end.
  double answer_timeout_s = 60;
  /// The most that is read of one reply, as it comes over the wire: with what stands around each
  /// token of a stream.
  std::size_t max_reply_bytes = 16U << 20U;
  RetryPolicy retry;
  Trace trace;
  std::function<void(std::string_view message)> on_retry;   ///< what went wrong, and what now
  std::function<void(std::string_view message)> on_notice;  ///< what is waited for
};

/// What one API has, and another has not.
struct ApiManners {
  std::string_view key_header = "Authorization: Bearer ";  ///< what stands in front of the key
  std::vector<std::string> headers = {};                   ///< of all requests
  std::string_view not_found = {};                         ///< see RefusalWords
};

/// A server that is asked in JSON: one function an exchange, each tried again as send_with_retry()
/// says. Errors are kModel and say what the server said; kLimit where a conversation is too long
/// for the model; kInterrupted. Borrows `http` and `cancel`; belongs to one thread.
class JsonClient {
 public:
  JsonClient(Http& http, ServerOptions options, ApiManners manners, const CancelToken& cancel);

  // Timeout of get() and post(). Long answers are streamed.

  /// GET; the JSON of a 200.
  Result<Json> get(const std::string& path);
  /// The first request of all: a refused connection is tried for only a moment, as most often there
  /// is no server.
  Result<Json> get_first(const std::string& path);
  /// POST of a JSON body; the JSON of a 200.
  Result<Json> post(const std::string& path, const Json& body);
  /// POST with a streamed answer: `on_event` sees the data of each server-sent event; its Error
  /// hangs up and is what comes back, behind the address. `body` is taken for the time of the call
  /// and given back, for it can be long. Silence for idle_timeout_s is an Error; once something has
  /// come nothing is tried again.
  Status stream(const std::string& path, std::string& body,
                const std::function<Status(std::string_view data)>& on_event);

  /// Of the last exchange: why it was no 200. Its status is 0 where it was one, or where there was
  /// no answer.
  const ServerRefusal& refusal() const { return refusal_; }
  /// The last exchange began well, and then the answer broke off or could not be read: the same
  /// request may have a better one. Not so where the answer is too long or the server fell silent.
  bool is_spoiled() const { return is_spoiled_; }
  /// Before the same is asked once more: tells why, and waits. False where nothing is to be tried
  /// again, or somebody has cancelled.
  bool prepare_retry(std::string_view why);
  /// It was refused as a route or a thing that the server does not have: 404, 405, 501.
  bool is_not_there() const;

  const ServerOptions& options() const { return options_; }

 protected:
  /// What a server refuses in the midst of a stream.
  void note_refusal(ServerRefusal refusal) { refusal_ = std::move(refusal); }

 private:
  HttpRequest request(std::string method, const std::string& path) const;
  Result<HttpResponse> send(HttpRequest& request, const BodySink& sink);
  /// A server may say in its answer what it was sent.
  std::string without_key(std::string_view text) const;
  Result<Json> exchange(HttpRequest& request);

  Http* http_;
  ServerOptions options_;
  ApiManners manners_;
  const CancelToken* cancel_;
  ServerRefusal refusal_;
  bool is_spoiled_ = false;
};

}  // namespace pedro
