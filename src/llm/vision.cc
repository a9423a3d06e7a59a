#include "llm/vision.h"

#include <algorithm>

#include "base/embedded_file.h"
#include "base/text.h"
#include "sys/url.h"

namespace pedro {
extern const EmbeddedFile kDescribeImage[];
namespace {

constexpr double kDescriptionTemperature = 0.2;
constexpr long long kMaxDescriptionTokens = 800;

constexpr std::size_t kMostAsked = 20;

bool is_interrupted(const Result<Json>& answer) {
  return !answer && answer.error().kind == ErrorKind::kInterrupted;
}

Result<std::optional<bool>> by_props(JsonClient& client, const std::string& id) {
  const Result<Json> props = client.get("/props?autoload=false&model=" + encode_query(id));
  if (is_interrupted(props)) return props.error();
  const Json& vision = props ? member(member(*props, "modalities"), "vision") : Json();
  return vision.is_boolean() ? std::optional(vision.get<bool>()) : std::nullopt;
}

Result<std::optional<bool>> by_ollama(JsonClient& client, const std::string& id) {
  const Result<Json> shown = client.post("/api/show", {{"model", id}});
  if (is_interrupted(shown)) return shown.error();
  const Json& all = shown ? member(*shown, "capabilities") : Json();
  if (!all.is_array()) return std::optional<bool>();
  return std::optional(std::find(all.begin(), all.end(), Json("vision")) != all.end());
}

}  // namespace

Result<std::string> describe_image(Model& model, const std::string& mark) {
  ChatRequest chat;
  const std::string_view prompt = kDescribeImage[0].bytes;
  chat.messages = {text_message(Role::kUser, replace_all(prompt, "{{image}}", mark))};
  PEDRO_TRY(const Reply reply, model.generate({.chat = chat,
                                               .temperature = kDescriptionTemperature,
                                               .max_tokens = kMaxDescriptionTokens}));
  const std::string_view text = trim(reply.text);
  if (text.empty()) return Error{ErrorKind::kModel, "the model described the image with no word"};
  return std::string(text);
}

Result<std::optional<bool>> takes_images(JsonClient& client, MessageFormat format,
                                         const ListedModel& model) {
  if (format == MessageFormat::kAnthropic) return std::optional(true);
  if (model.takes_images) return model.takes_images;
  if (model.owner == "llamacpp") return by_props(client, model.id);
  // Ollama's name for the owner of all models.
  return model.owner == "library" ? by_ollama(client, model.id) : std::optional<bool>();
}

Result<std::vector<std::string>> models_with_vision(JsonClient& client) {
  PEDRO_TRY(std::vector<ListedModel> models, list_models(client, "/v1/models"));
  std::stable_sort(models.begin(), models.end(),
                   [](const auto& a, const auto& b) { return a.is_ready() && !b.is_ready(); });
  std::vector<std::string> found;
  std::size_t asked = 0;
  for (const ListedModel& model : models) {
    // A router would load a model to answer about it.
    std::optional<bool> takes = model.takes_images;
    if (!takes && !model.is_down() && asked++ < kMostAsked) {
      PEDRO_TRY(takes, takes_images(client, MessageFormat::kOpenAi, model));
    }
    if (takes.value_or(false)) found.push_back(model.id);
  }
  return found;
}

}  // namespace pedro
