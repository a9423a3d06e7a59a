// The probes and the context size of MessageModel::open().
#include <fmt/format.h>

#include "llm/message_model.h"
#include "llm/served_window.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr long long kProbeTokens = 100;
constexpr long long kRefusalTokens = 16;
constexpr std::string_view kProbeWord = "qzxjkv";

Json word_schema() {
  return {{"type", "object"},
          {"properties", {{"ready", {{"const", kProbeWord}}}}},
          {"required", {"ready"}},
          {"additionalProperties", false}};
}

ChatRequest question() {
  ChatRequest chat;
  chat.messages = {text_message(Role::kUser, "ready?")};
  return chat;
}

ChatRequest tool_probe() {
  ChatRequest chat = question();
  chat.tools = {{"ready", "", R"({"type":"object","properties":{}})"}};
  chat.tool_choice.kind = ToolChoice::Kind::kAny;
  return chat;
}

}  // namespace

// Returns null if the server is not a llama-server.
Result<Json> MessageModel::props_of_llama_server() {
  Result<Json> props = client_.get_optional("/props");
  if (props && text_of(*props, "role") == "router") {
    props = client_.get_optional("/props?model=" + encode_query(model_id_));
  }
  return props;
}

Result<ContextWindow> MessageModel::context_of_llama_server() {
  PEDRO_TRY(const Json props, props_of_llama_server());
  return ContextWindow{number_of(member(props, "default_generation_settings"), "n_ctx"),
                       "the server's /props"};
}

Result<ContextWindow> MessageModel::find_any_context() {
  Result<ContextWindow> window = context_of_llama_server();
  return !window || window->tokens > 0 ? window : find_served_window(client_, model_id_);
}

Result<ContextWindow> MessageModel::find_window(const ListedModel& model) {
  const KnownModel* row = settings_.find_row ? settings_.find_row(model_id_) : nullptr;
  const long long configured = settings_.context_tokens;
  const std::string source = "the server's list of models";
  Result<ContextWindow> served = ContextWindow{model.context_tokens, source};
  if (served->tokens == 0) served = find_context();
  if (served && served->tokens == 0) served = ContextWindow{model.total_tokens, source};
  if (!served) {
    const bool is_known = choose_window({}, configured, row).tokens > 0;
    if (!is_known || served.error().kind == ErrorKind::kInterrupted) return served;
    tell_once("the server does not report its context size: " + served.error().message);
    served = ContextWindow{};
  }
  ContextWindow window = choose_window(*std::move(served), configured, row);
  if (window.tokens > 0) return window;
  if (api_.usual_context > 0) {
    return ContextWindow{api_.usual_context,
                         "usual for such models; the server does not report it"};
  }
  return Error{ErrorKind::kModel,
               fmt::format("{}: the server does not report the context size of '{}'; set "
                           "model.context_size",
                           public_url(client_.options().url), model_id_)};
}

// Returns true if the server refused the probed feature. Servers word this in many ways, and some
// crash. These must answer `without` the feature.
bool MessageModel::is_refused(const Error& error, const ChatRequest& without) {
  const int status = client_.refusal().status;
  if (error.kind == ErrorKind::kInterrupted) return false;
  if (status == 400 || status == 422 || status == 500) return true;
  const bool has_answered = client_.is_not_there() || client_.is_spoiled();
  return has_answered && ask(without, {.temperature = 0, .max_tokens = kRefusalTokens}, {}).ok();
}

// Returns true if the server is a llama-server whose chat template ignores tools.
bool MessageModel::omits_tools() {
  if (!is_llama_server_) return false;
  const Result<Json> props = props_of_llama_server();
  return props && !truth_of(member(*props, "chat_template_caps"), "supports_tools", true);
}

Status MessageModel::probe_tools(ModelInfo& info) {
  info.has_tools = true;
  info.tools_why = "not tried: all models of this API have tools";
  const bool is_near = is_loopback_url(client_.options().url);
  if (!is_near && (api_.format != MessageFormat::kOpenAi || names_allowed_)) return {};
  ChatRequest chat = tool_probe();
  // Another machine may charge for tokens: only its refusal counts.
  if (!is_near) chat.tool_choice = {};
  const long long max_tokens = is_near ? kProbeTokens : kRefusalTokens;
  const Result<Received> received = ask(chat, {.temperature = 0, .max_tokens = max_tokens}, {});
  if (received) {
    const bool is_called = !received->reply.message.calls.empty();
    info.tools_why = !is_near    ? "accepted by the server"
                     : is_called ? "called when required"
                                 : "declared, but the model answered a required call with text";
    if (is_near && !is_called && omits_tools()) {
      info.has_tools = false;
      info.tools_why = "calls are text: the model's chat template has no tools";
    }
    return {};
  }
  const std::string said = last_refusal().message;
  if (!is_refused(received.error(), question())) return received.error();
  info.has_tools = false;
  info.tools_why = "calls are text: " + (said.empty() ? received.error().message : said);
  return {};
}

Status MessageModel::probe_schema(ModelInfo& info) {
  info.can.json_schema = true;
  if (!is_loopback_url(client_.options().url)) return {};
  const ChatRequest chat = question();
  const Json expected = {{"ready", kProbeWord}};
  const Result<Received> received =
      ask(chat, {.temperature = 0, .max_tokens = kProbeTokens, .schema = word_schema()}, {});
  if (!received && !is_refused(received.error(), chat)) return received.error();
  const std::string text = received ? text_of(received->reply.message) : "";
  // A model that thinks may reach the limit before its answer.
  if (received && received->reply.stop == StopCause::kLength && text.empty()) return {};
  const Result<Json> got = parse_json(text);
  info.can.json_schema = got && *got == expected;
  return {};
}

// Uses the server's calls if it supports tools. Uses JSON in text without tools, or under a schema.
Status MessageModel::probe(ModelInfo& info) {
  const bool wants_schema = api_.has_schemas && settings_.mode == GenerationMode::kSchema;
  if (wants_schema) {
    if (Status probed = probe_schema(info); !probed) return probed;
    info.tools_why = "none: the server constrains calls to a JSON schema";
    if (info.can.json_schema) return {};
  }
  if (Status probed = probe_tools(info); !probed) return probed;
  const bool is_free = settings_.mode == GenerationMode::kUnconstrained;
  if (info.has_tools || wants_schema || is_free || !api_.has_schemas) return {};
  return probe_schema(info);
}

}  // namespace pedro
