#include "llm/server_refusal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "llm/length_refusal.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxMessageBytes = 400;
constexpr std::size_t kMaxPageBytes = 200;
constexpr std::size_t kMaxWordBytes = 80;

std::string shown(std::string_view text, std::size_t max_bytes) {
  return make_printable(truncate_utf8(trim(text), max_bytes));
}

// Returns the first element of an array, as Gemini answers, else the body itself.
const Json& refusal_in(const Json& body) {
  return body.is_array() && !body.empty() ? body.front() : body;
}

// Returns the object that describes the error. Older versions of vLLM do not nest it in "error".
const Json& error_in(const Json& body) {
  const Json& error = member(body, "error");
  return error.is_object() ? error : body;
}

// Returns FastAPI's detail, or the first of them: {"loc": ["body", …], "msg": …}.
const Json& detail_in(const Json& object) {
  const Json& message = member(object, "message");
  const Json& detail = member(message.is_object() ? message : object, "detail");
  if (detail.is_object()) return detail;
  return detail.is_array() && !detail.empty() ? detail.front() : member(object, "");
}

// Returns the place of a detail: "messages.2.content".
std::string place_in(const Json& detail) {
  std::string place;
  for (const Json& step : member(detail, "loc")) {
    if (step == "body") continue;
    if (!place.empty()) place += ".";
    place += step.is_string() ? step.get<std::string>() : to_line(step);
  }
  return place;
}

// Returns a text of the object.
std::string text_in(const Json& object) {
  for (const char* key : {"message", "error", "detail", "msg"}) {
    std::string text = text_of(object, key);
    if (!text.empty()) return text;
  }
  if (object.contains("error_code")) return text_of(object, "text");  // FastChat
  const Json& detail = detail_in(object);
  const std::string place = place_in(detail);
  const std::string text = text_of(detail, "msg");
  return place.empty() || text.empty() ? text : place + ": " + text;
}

// Returns the server's text. A proxy may add the original one as `metadata.raw`.
std::string said_in(const Json& body) {
  const Json& error = error_in(body);
  std::string text = text_in(error);
  if (text.empty()) text = text_in(body);
  const std::string raw = text_of(member(error, "metadata"), "raw");
  return raw.empty() ? text : fmt::format("{}: {}", text, raw);
}

// Returns a string, or a number as text.
std::string code_in(const Json& error) {
  const Json& code = member(error, "code");
  return code.is_number_integer() ? std::to_string(number_of(error, "code"))
                                  : text_of(error, "code");
}

bool says(const ServerRefusal& refusal, std::string_view words) {
  return to_lower(refusal.message).find(words) != std::string::npos;
}

std::string advice_for(const ServerRefusal& refusal, const RefusalWords& words) {
  if (is_unread_grammar(refusal)) {
    return "; it cannot read the grammar of calls: use a newer server, or set model.mode to "
           "hybrid, which then continues with free text";
  }
  if (is_sampling_failure(refusal)) {
    return "; set model.logit_bias to {}, or model.mode to unconstrained, and see the server's log";
  }
  switch (refusal.status) {
    case 402:
      return "; the account has no credit left";
    case 401:
    case 403:
      return fmt::format("; put the server's key into {}", words.key_variable);
    case 404:
    case 405:
      return fmt::format("; {}", words.not_found);
    case 429:
      return "; too many requests, or the quota is used up: try again later";
    case 501:
      return "; the server was started without this route";
    case 529:
      return "; the server is overloaded: try again later";
    default:
      return "";
  }
}

// Returns kConfig if repetition is useless: the request or the server's options must change.
ErrorKind kind_of(int status) {
  constexpr int kOfConfiguration[] = {401, 403, 404, 405, 501};
  return std::find(std::begin(kOfConfiguration), std::end(kOfConfiguration), status) !=
                 std::end(kOfConfiguration)
             ? ErrorKind::kConfig
             : ErrorKind::kModel;
}

}  // namespace

ServerRefusal read_refusal(int status, std::string_view body) {
  if (std::optional<ServerRefusal> refusal = find_refusal(status, body)) return *refusal;
  ServerRefusal refusal;
  refusal.status = status;
  refusal.message = shown(body, kMaxPageBytes);
  return refusal;
}

std::optional<ServerRefusal> find_refusal(int status, std::string_view body) {
  const Result<Json> json = parse_json(body, {.max_bytes = 1U << 20U, .max_depth = 32});
  if (!json) return std::nullopt;
  const Json& answer = refusal_in(*json);
  const std::string said = said_in(answer);
  if (said.empty()) return std::nullopt;
  const Json& error = error_in(answer);
  ServerRefusal refusal;
  refusal.status = status;
  refusal.message = shown(said, kMaxMessageBytes);
  refusal.type = shown(text_of(error, "type"), kMaxWordBytes);
  refusal.code = shown(code_in(error), kMaxWordBytes);
  refusal.parameter = shown(text_of(error, "param"), kMaxWordBytes);
  if (refusal.parameter.empty()) {
    refusal.parameter = shown(place_in(detail_in(error)), kMaxWordBytes);
  }
  refusal.prompt_tokens = number_of(error, "n_prompt_tokens");
  refusal.context_tokens = number_of(error, "n_ctx");
  return refusal;
}

bool is_unread_grammar(const ServerRefusal& refusal) {
  return says(refusal, "failed to parse grammar");
}

bool is_passing(const ServerRefusal& refusal) {
  const bool blames_request = refusal.status >= 400 && refusal.status < 500;
  if (blames_request && refusal.status != 408 && refusal.status != 429) return false;
  constexpr std::string_view kCodes[] = {"408", "429", "502", "503", "504", "529"};
  constexpr std::string_view kWords[] = {
      "overloaded",     "rate limit",  "rate_limit",  "ratelimit",         "too many requests",
      "unavailable",    "at capacity", "no capacity", "over capacity",     "try again later",
      "server is busy", "high demand", "throttl",     "resource_exhausted"};
  const std::string said = to_lower(refusal.type + " " + refusal.code + " " + refusal.message);
  return std::find(std::begin(kCodes), std::end(kCodes), refusal.code) != std::end(kCodes) ||
         std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return said.find(word) != said.npos; });
}

bool may_be_length(const ServerRefusal& refusal) {
  constexpr int kStatuses[] = {200, 400, 422, 500, 502};
  return !is_passing(refusal) && std::find(std::begin(kStatuses), std::end(kStatuses),
                                           refusal.status) != std::end(kStatuses);
}

bool is_malformed_output(const Error& error) {
  constexpr std::string_view kReasons[] = {"model produced output that does not match the expected",
                                           "Failed to parse input at pos"};
  return std::any_of(std::begin(kReasons), std::end(kReasons), [&](std::string_view reason) {
    return error.message.find(reason) != std::string::npos;
  });
}

bool is_sampling_failure(const ServerRefusal& refusal) {
  return says(refusal, "empty grammar stack") ||
         (says(refusal, "failed to initialize samplers") && !is_unread_grammar(refusal));
}

Error to_error(const ServerRefusal& refusal, const RefusalWords& words) {
  if (const std::optional<Overflow> overflow = read_length_refusal(refusal)) {
    const std::string what =
        refusal.context_tokens > 0
            ? fmt::format("the prompt has {} tokens, the window of the server's slot {}",
                          refusal.prompt_tokens, refusal.context_tokens)
            : fmt::format("the conversation is longer than the model's context: {}",
                          refusal.message);
    return {ErrorKind::kLimit, what + "; start the server with a larger one, or shorten the task",
            overflow};
  }
  return {kind_of(refusal.status), fmt::format("the server answered {}: {}{}", refusal.status,
                                               refusal.message, advice_for(refusal, words))};
}

}  // namespace pedro
