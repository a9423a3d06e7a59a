#include "llm/llama_client.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "chat_format/write_chat_request.h"
#include "llm/model_loading.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::string_view kNotFound = "is this a recent llama-server?";

}  // namespace

LlamaClient::LlamaClient(Http& http, ServerOptions options, const CancelToken& cancel)
    : JsonClient(http, std::move(options), {.not_found = kNotFound}, cancel) {}

Status LlamaClient::stream_json(const std::string& path, std::string& body,
                                const std::function<bool(const Json& event)>& on_event) {
  bool hung_up = false;
  const Status sent = stream(path, body, [&](std::string_view data) -> Status {
    if (data == "[DONE]") return {};
    const Result<Json> event = parse_json(data);
    if (!event) {
      return Error{ErrorKind::kModel, "not a JSON event: " + event.error().message};
    }
    const Json& error = member(*event, "error");
    if (error.is_object()) {
      const int status = static_cast<int>(number_of(error, "code", 500));
      note_refusal(read_refusal(status, data));
      return to_error(refusal(), {options().key_variable, kNotFound});
    }
    hung_up = !on_event(*event);
    return hung_up ? Status(Error{ErrorKind::kModel, "hung up"}) : Status();
  });
  return hung_up ? Status() : sent;
}

Status LlamaClient::wait_until_ready() {
  const Result<Json> health = get_first("/health");
  return health ? Status() : Status(health.error());
}

Result<Json> LlamaClient::props() {
  Result<Json> props = get("/props");
  if (!props || text_of(*props, "role") != "router") return props;
  PEDRO_TRY(ListedModel chosen, choose_model(*this, "/v1/models"));
  // A request would load the model too, but without progress and within its own time limit.
  if (!chosen.state.empty()) {
    PEDRO_RETURN_IF_ERROR(load_model(*this, chosen, [&](const ModelProgress& progress) {
      if (progress.state == "loaded" || !options().on_notice) return;
      options().on_notice(
          fmt::format("model {}: {}", make_printable(chosen.id), to_text(progress)));
    }));
  }
  use_model(std::move(chosen.id));
  return get_of_model("/props");
}

Result<Json> LlamaClient::get_of_model(const std::string& path) {
  const std::string& model = options().model;
  return get(model.empty() ? path : path + "?model=" + encode_query(model));
}

Result<std::optional<std::vector<int>>> LlamaClient::idle_slots() {
  const Result<Json> list = get_of_model("/slots");
  if (!list && list.error().kind == ErrorKind::kInterrupted) return list.error();
  if (!list || !list->is_array()) return std::optional<std::vector<int>>();
  std::vector<int> idle;
  for (const Json& slot : *list) {
    if (!truth_of(slot, "is_processing")) idle.push_back(static_cast<int>(number_of(slot, "id")));
  }
  return std::optional(std::move(idle));
}

PostJson LlamaClient::poster() {
  return [this](const std::string& path, const Json& body) {
    if (options().model.empty()) return post(path, body);
    Json named = body;  // a router requires the model's name
    named["model"] = options().model;
    return post(path, named);
  };
}

Result<std::string> LlamaClient::apply_template(const ChatRequest& request,
                                                const TemplateMode& mode) {
  Json body = write_chat_request(request);
  body["model"] = options().model;
  body["add_generation_prompt"] = mode.opens_reply;
  body["chat_template_kwargs"] = {{"enable_thinking", mode.thinks}};
  const Result<Json> answer = post("/apply-template", body);
  if (answer) return text_of(*answer, "prompt");
  Error error = answer.error();
  // Both statuses can mean that the template raised an exception.
  if (refusal().status == 400 || refusal().status == 500) error.kind = ErrorKind::kUsage;
  return error;
}

}  // namespace pedro
