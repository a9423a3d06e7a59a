#include "llm/llama_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "format/write_chat_request.h"

namespace pedro {
namespace {

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

// What a failed exchange means and what to do about it. The body is {"error":{"message":…}}.
Error refused(const std::string& place, int status, std::string_view body) {
  const Result<Json> json = parse_json(body);
  const Json none;
  const Json& error = json ? member(*json, "error") : none;
  std::string said = text_of(error, "message");
  if (said.empty()) said = make_printable(truncate_utf8(body, 200));
  if (text_of(error, "type") == "exceed_context_size_error") {
    return Error{ErrorKind::kLimit,
                 fmt::format("the prompt has {} tokens, the window of the server's slot {}",
                             number_of(error, "n_prompt_tokens"), number_of(error, "n_ctx"))};
  }
  std::string_view advice;
  if (status == 401 || status == 403) {
    advice = "; put the server's key into PEDROCLI_API_KEY";
  } else if (status == 404) {
    advice = "; is this a llama-server, and a recent one?";
  } else if (status == 501) {
    advice = "; the server was started without this route";
  }
  return Error{ErrorKind::kModel,
               fmt::format("{}: the server answered {}: {}{}", place, status, said, advice)};
}

}  // namespace

LlamaClient::LlamaClient(Http& http, LlamaClientOptions options, const CancelToken& cancel)
    : http_(&http), options_(std::move(options)), cancel_(&cancel) {
  options_.url = without_slash(options_.url);
}

HttpRequest LlamaClient::request(std::string method, const std::string& path) const {
  HttpRequest request;
  request.method = std::move(method);
  request.url = options_.url + path;
  request.idle_timeout_s = options_.idle_timeout_s;
  if (request.method == "POST") request.headers.emplace_back("Content-Type: application/json");
  if (!options_.api_key.empty()) {
    request.headers.push_back("Authorization: Bearer " + options_.api_key);
  }
  return request;
}

Result<HttpResponse> LlamaClient::send(HttpRequest& request, const BodySink& sink) {
  const bool tracing = options_.trace.wants(TraceTopic::kHttp);
  if (tracing) {
    options_.trace.sink(TraceTopic::kHttp, fmt::format("{} {} {}", request.method, request.url,
                                                       truncate_utf8(request.body, 4000)));
  }
  Result<HttpResponse> response = send_with_retry(
      *http_, request, sink, options_.retry, *cancel_,
      [this](std::string_view why, double delay_s) {
        if (options_.on_notice) {
          options_.on_notice(fmt::format("{}; trying again in {:.1f} s", why, delay_s));
        }
      });
  if (tracing && response) {
    options_.trace.sink(TraceTopic::kHttp, fmt::format("{} {}", response->status,
                                                       truncate_utf8(response->body, 4000)));
  }
  return response;
}

Result<Json> LlamaClient::exchange(HttpRequest& request) {
  const Result<HttpResponse> response = send(request, {});
  if (!response) return response.error();
  if (response->status != 200) return refused(request.url, response->status, response->body);
  Result<Json> json = parse_json(response->body);
  if (!json) return Error{ErrorKind::kModel, json.error().message}.at(request.url);
  return json;
}

Result<Json> LlamaClient::get(const std::string& path) {
  HttpRequest get = request("GET", path);
  get.timeout_s = options_.answer_timeout_s;
  return exchange(get);
}

Result<Json> LlamaClient::post(const std::string& path, const Json& body) {
  HttpRequest post = request("POST", path);
  post.timeout_s = options_.answer_timeout_s;
  post.body = to_line(body);
  return exchange(post);
}

Result<Json> LlamaClient::post_watched(const std::string& path, std::string& body,
                                       const std::function<bool()>& on_wait) {
  HttpRequest post = request("POST", path);
  post.idle_timeout_s = 0;
  post.on_wait = on_wait;
  post.body.swap(body);
  Result<Json> answer = exchange(post);
  post.body.swap(body);
  return answer;
}

Status LlamaClient::stream(const std::string& path, std::string& body,
                           const std::function<bool(const Json& event)>& on_event) {
  HttpRequest post = request("POST", path);
  post.body.swap(body);
  Status outcome;
  bool listening = true;
  const auto take_event = [&](std::string_view data) {
    if (!listening || data == "[DONE]") return;
    const Result<Json> event = parse_json(data);
    if (!event) {
      outcome = Error{ErrorKind::kModel, "not a JSON event: " + event.error().message}.at(post.url);
    } else if (member(*event, "error").is_object()) {
      const long long code = number_of(member(*event, "error"), "code", 500);
      outcome = refused(post.url, static_cast<int>(code), data);
    }
    listening = outcome.ok() && on_event(*event);
  };
  SseParser events;
  const BodySink sink = [&](std::string_view bytes) {
    if (!events.feed(bytes, take_event)) {
      outcome = Error{ErrorKind::kModel, post.url + ": one event of the answer is too long"};
      listening = false;
    }
    return listening;
  };
  const Result<HttpResponse> response = send(post, sink);
  post.body.swap(body);
  if (!response) return response.error();
  if (response->status != 200) return refused(post.url, response->status, response->body);
  if (listening) events.finish(take_event);
  return outcome;
}

Status LlamaClient::wait_until_ready() {
  constexpr int kFirstAttempts = 2;
  const int usual = options_.retry.max_attempts;
  options_.retry.max_attempts = std::min(usual, kFirstAttempts);
  const Result<Json> health = get("/health");
  options_.retry.max_attempts = usual;
  return health ? Status() : Status(health.error());
}

Result<Json> LlamaClient::props() {
  Result<Json> props = get("/props");
  if (!props || text_of(*props, "role") != "router") return props;
  if (options_.model.empty()) {
    return Error{
        ErrorKind::kModel,
        options_.url + ": the server is a router; name one of its models in model.model_name"};
  }
  return get("/props?model=" + options_.model);
}

PostJson LlamaClient::poster() {
  return [this](const std::string& path, const Json& body) {
    if (options_.model.empty()) return post(path, body);
    Json named = body;  // a router asks which model is meant
    named["model"] = options_.model;
    return post(path, named);
  };
}

Result<std::string> LlamaClient::apply_template(const ChatRequest& request,
                                                const TemplateMode& mode) {
  HttpRequest post = this->request("POST", "/apply-template");
  post.timeout_s = options_.answer_timeout_s;
  Json body = write_chat_request(request);
  body["model"] = options_.model;
  body["add_generation_prompt"] = mode.opens_reply;
  body["chat_template_kwargs"] = {{"enable_thinking", mode.thinks}};
  post.body = to_line(body);
  const Result<HttpResponse> response = send(post, {});
  if (!response) return response.error();
  if (response->status != 200) {
    Error error = refused(post.url, response->status, response->body);
    // A template that raises an exception is either of them.
    if (response->status == 400 || response->status == 500) error.kind = ErrorKind::kUsage;
    return error;
  }
  const Result<Json> json = parse_json(response->body);
  if (!json) return Error{ErrorKind::kModel, json.error().message}.at(post.url);
  return text_of(*json, "prompt");
}

}  // namespace pedro
