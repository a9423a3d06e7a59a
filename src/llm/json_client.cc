#include "llm/json_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "llm/accepted_messages.h"
#include "llm/length_refusal.h"
#include "messages_api/reply_json.h"
#include "messages_api/reply_readers.h"
#include "secrets/secret_mask.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMostIds = 64;
constexpr std::size_t kIdsAtEnds = 24;
constexpr std::size_t kMostFileBytes = 4096;
constexpr std::size_t kFileBytesAtEnds = 64;

// Returns the end of the string that begins at `at` with a quote.
std::size_t end_of_string(std::string_view body, std::size_t at) {
  for (++at; at < body.size() && body[at] != '"'; ++at) {
    if (body[at] == '\\') ++at;
  }
  return std::min(at + 1, body.size());
}

// Returns "[1,2,… 900 ids …,8,9]" for the inside of a long list.
std::string cut_ids(std::string_view ids) {
  const std::vector<std::string_view> all = split(ids, ',');
  if (all.size() <= kMostIds) return std::string(ids);
  const auto text_of = [&](std::size_t from) {
    std::string out;
    for (std::size_t i = from; i < from + kIdsAtEnds; ++i) {
      out += (i == from ? "" : ",") + std::string(all[i]);
    }
    return out;
  };
  return fmt::format("{}, … {} ids …, {}", text_of(0), all.size() - 2 * kIdsAtEnds,
                     text_of(all.size() - kIdsAtEnds));
}

constexpr std::string_view kApiVersion = "/v1";
constexpr int kOk = 200;
constexpr int kBadRequest = 400;
constexpr int kServerError = 500;
constexpr std::size_t kTracedBytes = 64u << 10;     // of an answer
constexpr std::size_t kMaxAnswerBytes = 32u << 20;  // fits all pieces of the largest vocabulary
constexpr double kEndWait_s = 0.5;                  // for the end of a connection after [DONE]
constexpr std::size_t kMaxPlainBytes = 1u << 20;    // of an answer in place of a stream

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

// Returns a text without its byte order mark.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return trim(text);
}

// Returns true for the last event of a stream: OpenAI's or Anthropic's.
bool ends_stream(std::string_view data) {
  constexpr std::size_t kMaxEndBytes = 200;
  const std::string_view event = trim(data);
  if (ends_openai_stream(event)) return true;
  if (event.size() > kMaxEndBytes || event.find("message_stop") == event.npos) return false;
  const Result<Json> json = parse_json(event);
  return json && text_of(*json, "type") == "message_stop";
}

/// A status that other servers give to a refusal with these words.
struct UsualStatus {
  int status;
  std::string_view words;
  int usual;
};

constexpr UsualStatus kUsualStatuses[] = {
    {429, "insufficient_quota", 402}, {429, "insufficient balance", 402},
    {429, "credit balance", 402},     {400, "api key not valid", 401},
    {400, "api_key_invalid", 401},    {400, "invalid api key", 401},
    {400, "invalid_api_key", 401},    {400, "incorrect api key", 401},
    {400, "api key is invalid", 401}, {400, "missing api key", 401},
    {400, "api key is missing", 401},
};

int usual_status(int status, std::string_view body) {
  const ServerRefusal refusal = read_refusal(kBadRequest, body);
  // KoboldCpp's 503 would be retried.
  if (status >= 500 && read_length_refusal(refusal)) return kBadRequest;
  const std::string said = to_lower(refusal.code + " " + refusal.type + " " + refusal.message);
  for (const UsualStatus& row : kUsualStatuses) {
    if (row.status == status && said.find(row.words) != said.npos) return row.usual;
  }
  return status;
}

/// Corrects the status of refusals.
class UsualHttp : public Http {
 public:
  explicit UsualHttp(Http& http) : http_(http) {}
  Result<HttpResponse> send(const HttpRequest& request, const BodySink& sink,
                            const CancelToken& cancel) override {
    Result<HttpResponse> response = http_.send(request, sink, cancel);
    if (response && response->status >= kBadRequest) {
      response->status = usual_status(response->status, response->body);
    }
    return response;
  }

 private:
  Http& http_;
};

// Returns a string with its quotes, without the inside of a long file in base64.
std::string cut_file(std::string_view text) {
  const bool is_file = text.size() > kMostFileBytes && text.find_first_of(" \\") == text.npos &&
                       (text.starts_with("\"data:image/") || text.find(',') == text.npos);
  if (!is_file) return std::string(text);
  return fmt::format("{}… {} bytes …{}", text.substr(0, kFileBytesAtEnds),
                     text.size() - 2 * kFileBytesAtEnds,
                     text.substr(text.size() - kFileBytesAtEnds));
}

// Returns true for a deployment at Azure, which has its key in a header of its own.
bool is_azure(std::string_view url) {
  return url.find("/openai/deployments/") != url.npos;
}

// Returns true for an address that ends with a version, as ".../v4" or Gemini's "/v1beta/openai",
// or has Azure's form.
bool has_other_version(std::string_view url) {
  if (is_azure(url)) return true;
  if (url.ends_with("/openai")) url.remove_suffix(std::string_view("/openai").size());
  const std::size_t slash = url.rfind('/');
  if (slash == url.npos || slash == 0 || url[slash - 1] == '/') return false;  // only a host
  const std::string_view last = url.substr(slash + 1);
  return last.size() >= 2 && last.front() == 'v' && is_digit(last[1]) && last != "v1";
}

}  // namespace

ServerOptions for_messages(ServerOptions options) {
  const std::size_t query = std::min(options.url.find('?'), options.url.size());
  if (query < options.url.size()) options.query = options.url.substr(query + 1);
  options.url.resize(query);
  while (options.url.ends_with('/')) options.url.pop_back();
  options.has_version = !has_other_version(options.url);
  if (options.url.ends_with("/v1")) options.url.resize(options.url.size() - 3);
  options.retry.is_temporary = [](const HttpResponse& failure) {
    return failure.status != kServerError ||
           !suggests_form(read_refusal(failure.status, failure.body));
  };
  return options;
}

std::string traced_body(std::string_view body) {
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    std::size_t end = at + 1;
    if (body[at] == '"') end = end_of_string(body, at);
    out += cut_file(body.substr(at, end - at));
    if (body[at] == '[') {
      const std::size_t close = std::min(body.find_first_not_of("0123456789, ", end), body.size());
      const bool is_list = close < body.size() && body[close] == ']';
      out += is_list ? cut_ids(body.substr(end, close - end))
                     : std::string(body.substr(end, close - end));
      end = close;
    }
    at = end;
  }
  return out;
}

JsonClient::JsonClient(Http& http, ServerOptions options, ApiManners manners,
                       const CancelToken& cancel)
    : http_(&http), options_(std::move(options)), manners_(std::move(manners)), cancel_(&cancel) {
  options_.url = without_slash(options_.url);
}

HttpRequest JsonClient::request(std::string method, const std::string& path) const {
  HttpRequest request;
  request.method = std::move(method);
  const bool drops = !options_.has_version && path.starts_with(kApiVersion);
  request.url = url_of_route(options_.url, path.substr(drops ? kApiVersion.size() : 0));
  if (!options_.query.empty()) {
    request.url += (path.find('?') == path.npos ? "?" : "&") + options_.query;
  }
  request.idle_timeout_s = options_.idle_timeout_s;
  request.max_response_bytes = kMaxAnswerBytes;
  request.wanted_header = "location";
  request.headers = manners_.headers;
  if (request.method == "POST") request.headers.emplace_back("Content-Type: application/json");
  if (!options_.api_key.empty()) {
    const std::string_view header = is_azure(options_.url) ? "api-key: " : manners_.key_header;
    request.headers.push_back(std::string(header) + options_.api_key);
  }
  return request;
}

// Converts any status except 200 to an Error.
Result<HttpResponse> JsonClient::send(HttpRequest& request, const BodySink& sink) {
  refusal_ = {};
  refusal_in_stream_ = {};
  is_spoiled_ = false;
  const std::string place = public_url(request.url);
  const Trace& trace = options_.trace;
  const bool tracing = trace.wants(TraceTopic::kHttp);
  if (tracing) {
    trace.sink(TraceTopic::kHttp,
               fmt::format("{} {} {}", request.method, place, traced_body(request.body)));
  }
  UsualHttp http(*http_);
  RetryPolicy retry = options_.retry;
  if (most_attempts_ > 0) retry.max_attempts = std::min(retry.max_attempts, most_attempts_);
  Result<HttpResponse> response = send_with_retry(
      http, request, sink, retry, *cancel_, [this](std::string_view why, double delay_s) {
        const auto& tell = why == kModelLoads ? options_.on_notice : options_.on_retry;
        if (tell) tell(fmt::format("{}; trying again in {:.1f} s", without_key(why), delay_s));
      });
  if (!response) return response;
  if (tracing) {
    trace.sink(TraceTopic::kHttp,
               fmt::format("{} {}", response->status,
                           truncate_utf8(traced_body(response->body), kTracedBytes)));
  }
  if (response->status == kOk) return response;
  refusal_ = read_refusal(response->status, without_key(response->body));
  if (!response->header.empty()) {
    refusal_.message += "the address moved to " + public_url(truncate_utf8(response->header, 200));
  }
  return to_error(refusal_, {options_.key_variable, manners_.not_found}).at(place);
}

std::string JsonClient::without_key(std::string_view text) const {
  if (options_.api_key.size() < SecretMask::kMinKeyBytes) return std::string(text);
  return replace_all(text, options_.api_key, fmt::format("{}the server's key]", kMaskedSecret));
}

Result<Json> JsonClient::exchange(HttpRequest& request) {
  PEDRO_TRY(const HttpResponse response, send(request, {}));
  Result<Json> json = parse_json(response.body);
  is_spoiled_ = !json;
  if (!json) return Error{ErrorKind::kModel, json.error().message}.at(public_url(request.url));
  return json;
}

Result<Json> JsonClient::get(const std::string& path) {
  HttpRequest get = request("GET", path);
  get.timeout_s = options_.answer_timeout_s;
  return exchange(get);
}

Result<Json> JsonClient::get_first(const std::string& path) {
  constexpr int kFirstAttempts = 2;
  limit_attempts(kFirstAttempts);
  Result<Json> answer = get(path);
  limit_attempts(0);
  return answer;
}

Result<Json> JsonClient::get_optional(const std::string& path) {
  limit_attempts(1);
  Result<Json> answer = get(path);
  limit_attempts(0);
  const bool is_answered = refusal_.status != 0 || is_spoiled_;
  return is_answered ? Json() : answer;
}

Result<Json> JsonClient::post(const std::string& path, const Json& body) {
  HttpRequest post = request("POST", path);
  post.timeout_s = options_.answer_timeout_s;
  post.body = to_line(body);
  return exchange(post);
}

Status JsonClient::stream(const std::string& path, std::string& body,
                          const std::function<Status(std::string_view data)>& on_event) {
  HttpRequest post = request("POST", path);
  post.max_response_bytes = options_.max_reply_bytes;
  post.body.swap(body);
  bool has_begun = false;
  bool has_events = false;
  bool is_over = false;  // the last event has arrived
  std::string plain;     // the start of an answer without events: one answer, or a line for each
  Status outcome;
  ServerRefusal refused;
  const auto find_refusals = [&](std::string_view text) {
    if (auto found = find_refusal(kOk, text)) refusal_in_stream_ = *std::move(found);
    find_length_refusal(text, outcome, refused);
  };
  SseParser events;
  const auto take_event = [&](std::string_view data) {
    if (!outcome.ok()) return;
    event_name_ = events.event_name();
    has_events = has_events || trim(data).starts_with('{');
    outcome = on_event(data);
    is_over = is_over || ends_stream(data);
    if (!outcome.ok()) find_refusals(data);
  };
  const BodySink sink = [&](std::string_view bytes) {
    has_begun = true;
    const bool was_over = is_over;
    if (!has_events) plain += bytes.substr(0, kMaxPlainBytes - plain.size());
    const bool fits = events.feed(bytes, take_event);
    if (!fits && outcome.ok()) {
      outcome = Error{ErrorKind::kModel, "one event of the answer is too long"};
    }
    if (is_over) post.idle_timeout_s = kEndWait_s;
    return outcome.ok() && !was_over;
  };
  const Result<HttpResponse> response = send(post, sink);
  post.body.swap(body);
  const bool broke =
      !response && response.error().message.find(kConnectionBroke) != std::string::npos;
  is_spoiled_ = response.ok() || (has_begun && (broke || is_over));
  const bool interrupted = !response && response.error().kind == ErrorKind::kInterrupted;
  if (!response && (interrupted || !is_over)) return response.error();
  if (outcome.ok()) events.finish(take_event);
  if (!has_events && outcome.ok() && plain.size() < kMaxPlainBytes) {
    const std::string_view answer = without_mark(plain);
    if (parse_json(answer) || events_in(answer).size() > 1) take_event(answer);
  }
  if (!has_events) find_refusals(plain);
  if (refused.status != 0) refusal_ = std::move(refused);
  return outcome.ok() ? outcome : Status(outcome.error().at(public_url(post.url)));
}

Status JsonClient::watch(const std::string& path, double seconds,
                         const std::function<bool(std::string_view data)>& on_event) {
  HttpRequest get = request("GET", path);
  get.timeout_s = seconds;
  bool goes_on = true;
  SseParser events;
  const BodySink sink = [&](std::string_view bytes) {
    const bool fits =
        events.feed(bytes, [&](std::string_view data) { goes_on = goes_on && on_event(data); });
    return fits && goes_on;
  };
  const Result<HttpResponse> response = send(get, sink);
  const bool is_over =
      !response && response.error().message.find(kNotComplete) != std::string::npos;
  return response || is_over ? Status() : Status(response.error());
}

// Replaces the outcome if a successful response contains a refusal of the prompt's length.
void JsonClient::find_length_refusal(std::string_view text, Status& outcome,
                                     ServerRefusal& refused) const {
  ServerRefusal found = read_refusal(kOk, without_key(text));
  Error error = to_error(found, {options_.key_variable, manners_.not_found});
  if (!error.overflow) return;
  outcome = std::move(error);
  refused = std::move(found);
}

bool JsonClient::prepare_retry(std::string_view why, int time) {
  constexpr double kMaxDelay_s = 8;
  if (options_.retry.max_attempts <= 1 || cancel_->cancelled()) return false;
  if (options_.on_retry) options_.on_retry(why);
  const double delay_s = options_.retry.first_delay_s * std::pow(2, time - 1);
  options_.retry.wait(std::min(delay_s, kMaxDelay_s), *cancel_);
  return !cancel_->cancelled();
}

bool JsonClient::is_not_there() const {
  return refusal_.status == 404 || refusal_.status == 405 || refusal_.status == 501;
}

}  // namespace pedro
