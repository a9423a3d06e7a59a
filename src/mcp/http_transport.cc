#include "mcp/http_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "mcp/header_parameters.h"
#include "mcp/oauth_login.h"
#include "mcp/protocol.h"
#include "sys/sleep.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

constexpr Patience kShort{.idle_s = 10, .total_s = 10};
constexpr std::size_t kMaxStreamBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxSessionBytes = 1024;
constexpr std::size_t kMaxEventIdBytes = 1024;
constexpr long long kUsualRetry_ms = 1000;
constexpr double kMinRetry_s = 0.1;
constexpr int kMaxLostStreams = 5;  // in a row, without a new event

bool is_success(int status) {
  return status >= 200 && status < 300;
}

// Hints at the flag of another program do not help here.
Error without_flag_hint(const Error& error) {
  return Error{error.kind, replace_all(error.message, " or give -model-url", "")};
}

// The body of an answer as it arrives: JSON, or a stream of events, whose form the first byte
// tells.
class Answer {
 public:
  Answer(const OnMessage& on_message, Http& replies, std::function<HttpRequest(const Json&)> post,
         const CancelToken& cancel)
      : on_message_(on_message), replies_(replies), post_(std::move(post)), cancel_(cancel) {
    events_.max_event_bytes = kMessageLimits.max_bytes;
  }

  // Returns false if nothing more is needed.
  bool feed(std::string_view bytes) {
    if (form_ != Form::kEvents) body_ += bytes;
    if (form_ == Form::kUnknown) {
      const std::string_view begin = trim(body_);
      if (begin.empty()) return body_.size() < kMessageLimits.max_bytes;
      form_ = begin[0] == '{' || begin[0] == '[' ? Form::kJson : Form::kEvents;
      if (form_ == Form::kEvents) return feed(std::exchange(body_, ""));
    }
    if (form_ == Form::kJson) return body_.size() <= kMessageLimits.max_bytes;
    const bool fits = events_.feed(bytes, [this](std::string_view data) { take(data); });
    if (!fits && problem_) problem_ = too_long();
    if (!events_.last_id().empty()) last_id_ = events_.last_id();
    if (events_.retry_ms() >= 0) retry_ms_ = events_.retry_ms();
    return fits && problem_ && !is_done_;
  }

  // Begins anew after the last complete event of a stream that broke.
  void reopen() {
    events_ = SseParser();
    events_.max_event_bytes = kMessageLimits.max_bytes;
    form_ = Form::kUnknown;
    body_.clear();
  }

  // Returns true if the stream broke off and a request can continue it.
  bool is_broken() const {
    return problem_ && !is_done_ && !last_id_.empty() && last_id_.size() <= kMaxEventIdBytes;
  }

  // Returns the error of the answer, if any, after its end.
  Status finish() {
    if (form_ == Form::kEvents) events_.finish([this](std::string_view data) { take(data); });
    if (form_ == Form::kJson) {
      if (body_.size() > kMessageLimits.max_bytes) return too_long();
      take(std::exchange(body_, ""));  // once, if the answer is finished again
    }
    return problem_;
  }

  bool is_done() const { return is_done_; }
  const std::string& last_id() const { return last_id_; }
  double retry_s() const { return static_cast<double>(retry_ms_) / 1000; }

 private:
  enum class Form { kUnknown, kJson, kEvents };

  static Error too_long() {
    return Error{ErrorKind::kModel,
                 fmt::format("sent a message of more than {} MiB", kMessageLimits.max_bytes >> 20)};
  }

  void take(std::string_view data) {
    if (!problem_ || is_done_ || trim(data).empty()) return;
    problem_ = take_messages(data);
  }

  Status take_messages(std::string_view data) {
    PEDRO_TRY(const Json messages, messages_in(data));
    for (const Json& one : messages) {
      PEDRO_TRY(const Heard heard, on_message_(one));
      if (!heard.reply.is_null()) {
        PEDRO_RETURN_IF_ERROR(replies_.send(post_(heard.reply), nullptr, cancel_));
      }
      is_done_ = is_done_ || heard.is_done;
    }
    return {};
  }

  const OnMessage& on_message_;
  Http& replies_;
  std::function<HttpRequest(const Json&)> post_;
  const CancelToken& cancel_;
  Form form_ = Form::kUnknown;
  std::string body_;
  SseParser events_;
  std::string last_id_;  // of an event
  long long retry_ms_ = kUsualRetry_ms;
  Status problem_;
  bool is_done_ = false;
};

// Continues a broken stream until it is complete or the server refuses (protocol 2025-11-25).
// `get` requests the rest after the event with an id.
Result<HttpResponse> continue_stream(
    Answer& answer, Result<HttpResponse> response,
    const std::function<Result<HttpResponse>(const std::string& event_id)>& get,
    const CancelToken& cancel) {
  for (int lost = 0; lost < kMaxLostStreams; ++lost) {
    if (response) (void)answer.finish();  // whose error is_broken() reports
    const bool broke =
        response || response.error().message.find(kConnectionBroke) != std::string::npos;
    if (!broke || !answer.is_broken()) break;
    sleep_unless_cancelled(std::max(answer.retry_s(), kMinRetry_s), cancel);
    if (cancel.cancelled()) return Error{ErrorKind::kInterrupted, "interrupted"};
    const std::string before = answer.last_id();
    answer.reopen();
    response = get(before);
    if (response && !is_success(response->status)) break;
    if (answer.last_id() != before) lost = -1;
  }
  return response;
}

}  // namespace

HttpTransport::~HttpTransport() {
  if (session_.empty()) return;
  HttpRequest request = request_for(Json(), kShort);
  request.method = "DELETE";
  request.body.clear();
  (void)http_.send(request, nullptr, CancelToken());  // the server may refuse it
}

HttpRequest HttpTransport::request_for(const Json& message, const Patience& patience) const {
  HttpRequest request;
  request.method = "POST";
  request.url = address_.url;
  request.headers = address_.headers;
  request.headers.emplace_back("Content-Type: application/json");
  request.headers.emplace_back("Accept: application/json, text/event-stream");
  if (!bearer_.empty()) request.headers.push_back("Authorization: Bearer " + bearer_);
  if (!version_.empty()) request.headers.push_back("MCP-Protocol-Version: " + version_);
  if (!session_.empty()) request.headers.push_back("Mcp-Session-Id: " + session_);
  const std::string method = text_of(message, "method");
  if (version_ == kStatelessVersion && !method.empty()) {
    request.headers.push_back("Mcp-Method: " + header_value(method));
    const Json& params = member(message, "params");
    const std::string name = text_of(params, "name", text_of(params, "uri"));
    if (!name.empty()) request.headers.push_back("Mcp-Name: " + header_value(name));
    if (method == "tools/call")
      std::ranges::copy(call_headers_, std::back_inserter(request.headers));
  }
  request.body = to_line(message);
  request.idle_timeout_s = patience.idle_s;
  request.timeout_s = patience.total_s;
  request.max_response_bytes = kMaxStreamBytes;
  // Only the first answer assigns a session.
  request.wanted_header = method == "initialize" ? "mcp-session-id" : "www-authenticate";
  return request;
}

// Passes on the JSON-RPC error in a response. Other refusals are errors.
Status HttpTransport::take_refusal(const HttpResponse& response, const Json& id,
                                   const OnMessage& on_message) {
  Result<Json> json = parse_json(response.body, kMessageLimits);
  if (json && member(*json, "error").is_object()) {
    (*json)["id"] = id;
    const Result<Heard> heard = on_message(*json);
    return heard ? Status() : Status(heard.error());
  }
  std::string hint;
  const Challenge challenge = parse_challenge(response.header);
  if (challenge.error == "insufficient_scope" && !challenge.scope.empty()) {
    hint = fmt::format("; its token lacks a scope; run 'pedrocli mcp login SERVER -scope \"{}\"'",
                       make_printable(challenge.scope));
  } else if (response.status == 401 || response.status == 403) {
    hint = "; run 'pedrocli mcp login SERVER', or put its token in \"headers\" of its settings";
  } else if (response.status == 404 && !session_.empty()) {
    hint = "; it has ended the session";
  } else if (response.status == 404 || response.status == 405) {
    hint = "; check the path in \"url\" of its settings";
  }
  return Error{ErrorKind::kModel, fmt::format("{}: HTTP status {}{}", public_url(address_.url),
                                              response.status, hint)};
}

// Sends a request with the token. Renews a refused token, and sends once more.
Result<HttpResponse> HttpTransport::send(const Json& message, const Patience& patience,
                                         const BodySink& sink, const CancelToken& cancel) {
  if (token_ != nullptr) {
    PEDRO_TRY(bearer_, token_->get(cancel));
  }
  auto response = http_.send(request_for(message, patience), sink, cancel);
  const bool is_refused = response && response->status == 401 && token_ != nullptr;
  if (!is_refused || bearer_.empty()) return response;
  PEDRO_TRY(const bool is_new, token_->renew(cancel));
  if (!is_new) return response;
  PEDRO_TRY(bearer_, token_->get(cancel));
  return http_.send(request_for(message, patience), sink, cancel);
}

// Returns a request for the rest of a stream, after its last event.
HttpRequest HttpTransport::request_after(const std::string& event_id,
                                         const Patience& patience) const {
  HttpRequest request = request_for(Json(), patience);
  request.method = "GET";
  request.body.clear();
  request.headers.push_back("Last-Event-ID: " + event_id);
  return request;
}

Status HttpTransport::exchange(const Json& message, const Patience& patience,
                               const OnMessage& on_message, const CancelToken& cancel) {
  const auto post = [this](const Json& reply) { return request_for(reply, kShort); };
  Answer answer(on_message, replies_, post, cancel);
  auto response = send(
      message, patience, [&answer](std::string_view bytes) { return answer.feed(bytes); }, cancel);
  if (response && !is_success(response->status)) {
    return take_refusal(*response, member(message, "id"), on_message);
  }
  const bool begins = text_of(message, "method") == "initialize";
  if (response && begins && response->header.size() <= kMaxSessionBytes) {
    session_ = response->header;
  }
  if (version_ != kStatelessVersion) {
    const auto get = [&](const std::string& event_id) {
      return http_.send(
          request_after(event_id, patience),
          [&answer](std::string_view bytes) { return answer.feed(bytes); }, cancel);
    };
    response = continue_stream(answer, std::move(response), get, cancel);
  }
  if (!response && !answer.is_done()) {
    const Status before = answer.finish();
    return before ? Status(without_flag_hint(response.error())) : before;
  }
  PEDRO_RETURN_IF_ERROR(answer.finish());
  if (answer.is_done()) return {};
  return Error{ErrorKind::kModel,
               fmt::format("{}: the response ended without an answer", public_url(address_.url))};
}

Status HttpTransport::notify(const Json& message, const CancelToken& cancel) {
  // Without a session, the closed connection is the cancellation.
  const bool cancels = text_of(message, "method") == "notifications/cancelled";
  if (cancels && version_ == kStatelessVersion) return {};
  const auto response = http_.send(request_for(message, kShort), nullptr, cancel);
  if (!response) return without_flag_hint(response.error());
  return {};  // a server may refuse a notification; that changes nothing
}

}  // namespace pedro::mcp
