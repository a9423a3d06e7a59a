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

struct ListedModel;

/// The access to a server.
struct ServerOptions {
  std::string url = "http://127.0.0.1:8080";  ///< without a path, or with a prefix of all routes
  std::string query = {};                     ///< added to all routes: "api-version=2024-10-21"
  bool has_version = true;  ///< routes begin with "/v1"; false: the url has a version
  std::string api_key;      ///< never shown
  std::string key_variable = "PEDROCLI_API_KEY";  ///< the variable of the key, for messages
  std::string model;  ///< for a server with several models; empty: its only model
  /// Asks the user for one of a server's models. Returns its id; "" for none. Null: no terminal.
  std::function<Result<std::string>(const std::vector<ListedModel>& models)> ask_model;
  double idle_timeout_s = 300;
  /// Limit of complete answers that need no inference. Also ends answers that arrive byte by byte.
  double answer_timeout_s = 60;
  /// Limit of one reply, in bytes on the wire, including the JSON around each token of a stream.
  std::size_t max_reply_bytes = 16U << 20U;
  RetryPolicy retry;
  Trace trace;
  std::function<void(std::string_view message)> on_retry;   ///< the failure and the next step
  std::function<void(std::string_view message)> on_notice;  ///< the reason for waiting
};

/// Returns options for a server with messages: its address without "/v1" and without the query, and
/// more retries. An address with another version gets routes without "/v1".
ServerOptions for_messages(ServerOptions options);

/// The differences between APIs.
struct ApiManners {
  std::string_view key_header = "Authorization: Bearer ";  ///< the text before the key
  std::vector<std::string> headers = {};                   ///< sent with all requests
  std::string_view not_found = {};                         ///< see RefusalWords
};

/// A client for servers with JSON APIs. Each function is one exchange and retries like
/// send_with_retry(). Errors: kModel with the server's message; kLimit for a conversation that
/// exceeds the model's context; kInterrupted. Borrows `http` and `cancel`. Belongs to one thread.
class JsonClient {
 public:
  JsonClient(Http& http, ServerOptions options, ApiManners manners, const CancelToken& cancel);

  // The timeout of get() and post() is answer_timeout_s. Long answers are streamed.

  /// Sends a GET. Returns the JSON of a 200.
  Result<Json> get(const std::string& path);
  /// Sends the first request to a server. Retries a refused connection only briefly, as the usual
  /// cause is a missing server.
  Result<Json> get_first(const std::string& path);
  /// Sends a GET to a route that the server may lack, without retries. Returns null for any refusal
  /// and for an answer that is not JSON.
  Result<Json> get_optional(const std::string& path);
  /// Sends a POST with a JSON body. Returns the JSON of a 200.
  Result<Json> post(const std::string& path, const Json& body);
  /// Sends a POST with a streamed answer. `on_event` receives the data of each server-sent event.
  /// If it returns an Error, the client closes the connection and returns that Error, with the
  /// address prepended. `body` can be long: it is moved during the call and restored afterwards.
  /// Silence for idle_timeout_s is an Error, unless the last event has arrived. No retries after
  /// the first byte of an answer. An event or a whole answer that refuses the prompt's length is
  /// the same Error as such a response.
  Status stream(const std::string& path, std::string& body,
                const std::function<Status(std::string_view data)>& on_event);

  /// Sends a GET and receives its server-sent events. Ends without an Error if `on_event` returns
  /// false, the server ends the stream, or `seconds` have passed.
  Status watch(const std::string& path, double seconds,
               const std::function<bool(std::string_view data)>& on_event);

  /// Returns the name of the event that stream() reports; "" without one.
  const std::string& event_name() const { return event_name_; }

  /// Limits the attempts of each later exchange; 0: the policy's own limit.
  void limit_attempts(int most) { most_attempts_ = most; }

  /// Returns the refusal of the last exchange. Its status is 0 after a 200, or without an answer.
  const ServerRefusal& refusal() const { return refusal_; }
  /// Returns the refusal inside the last stream, which began with status 200. LM Studio reports a
  /// failing chat template in this way. Its status is 0 if there was none.
  const ServerRefusal& refusal_in_stream() const { return refusal_in_stream_; }
  /// Returns true if the last exchange began successfully, but its answer broke off or was
  /// malformed. The same request may succeed then. Returns false for answers that are too long and
  /// for silence.
  bool is_spoiled() const { return is_spoiled_; }
  /// Reports `why` and waits before a request is repeated for the `time`-th time, at most 8 s.
  /// Returns false if retries are disabled or the job is cancelled.
  bool prepare_retry(std::string_view why, int time = 1);
  /// Waits, or returns early if the job is cancelled.
  void pause(double seconds) { options_.retry.wait(seconds, *cancel_); }
  /// Returns true if the server lacks the route or the resource: 404, 405, 501.
  bool is_not_there() const;

  const ServerOptions& options() const { return options_; }

 protected:
  /// Sets options().model to the chosen one of several models.
  void use_model(std::string id) { options_.model = std::move(id); }
  /// Records a refusal in the middle of a stream.
  void note_refusal(ServerRefusal refusal) { refusal_ = std::move(refusal); }

 private:
  HttpRequest request(std::string method, const std::string& path) const;
  Result<HttpResponse> send(HttpRequest& request, const BodySink& sink);
  /// Masks the key: a server may quote the request in its answer.
  std::string without_key(std::string_view text) const;
  Result<Json> exchange(HttpRequest& request);
  void find_length_refusal(std::string_view text, Status& outcome, ServerRefusal& refused) const;

  Http* http_;
  ServerOptions options_;
  ApiManners manners_;
  const CancelToken* cancel_;
  ServerRefusal refusal_;
  ServerRefusal refusal_in_stream_;
  std::string event_name_;
  bool is_spoiled_ = false;
  int most_attempts_ = 0;  // 0: those of the policy
};

/// Returns a JSON body for a trace. Keeps only the first and the last ids of each long list of
/// token ids. The number of the omitted ones is between them. The rest is whole. Accepts any bytes.
/// Takes linear time.
std::string traced_body(std::string_view body);

}  // namespace pedro
