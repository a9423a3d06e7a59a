#include "mcp/http_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "mcp/oauth_login.h"
#include "mcp/protocol.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

constexpr Patience kShort{.idle_s = 10, .total_s = 10};
constexpr std::size_t kMaxStreamBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxSessionBytes = 1024;

bool is_success(int status) {
  return status >= 200 && status < 300;
}

// Returns a value for a header. One that is no plain ASCII text is in base64.
std::string header_value(const std::string& value) {
  const bool plain =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
  const bool trimmed = trim(value) == value;
  if (plain && trimmed && !value.starts_with("=?base64?")) return value;
  return fmt::format("=?base64?{}?=", to_base64(value));
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
    return fits && problem_ && !is_done_;
  }

  // Returns the error of the answer, if any, after its end.
  Status finish() {
    if (form_ == Form::kEvents) events_.finish([this](std::string_view data) { take(data); });
    if (form_ == Form::kJson) {
      if (body_.size() > kMessageLimits.max_bytes) return too_long();
      take(body_);
    }
    return problem_;
  }

  bool is_done() const { return is_done_; }

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
  Status problem_;
  bool is_done_ = false;
};

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

Status HttpTransport::exchange(const Json& message, const Patience& patience,
                               const OnMessage& on_message, const CancelToken& cancel) {
  const auto post = [this](const Json& reply) { return request_for(reply, kShort); };
  Answer answer(on_message, replies_, post, cancel);
  const auto response = send(
      message, patience, [&answer](std::string_view bytes) { return answer.feed(bytes); }, cancel);
  if (!response && !answer.is_done()) {
    const Status before = answer.finish();
    return before ? Status(without_flag_hint(response.error())) : before;
  }
  if (response && !is_success(response->status)) {
    return take_refusal(*response, member(message, "id"), on_message);
  }
  const bool begins = text_of(message, "method") == "initialize";
  if (response && begins && response->header.size() <= kMaxSessionBytes) {
    session_ = response->header;
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
