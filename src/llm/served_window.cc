#include "llm/served_window.h"

#include <charconv>
#include <string_view>

#include "base/json.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr long long kOllamaContext = 4096;  // Ollama's default

/// A route with the window of the only model.
struct WindowRoute {
  const char* path;
  std::string_view object;  // that has the number; "" for the answer itself
  const char* key;
  const char* source;
};

constexpr WindowRoute kWindowRoutes[] = {
    {"/get_server_info", "", "context_length", "SGLang's server info"},
    {"/v1/model", "parameters", "max_seq_len", "TabbyAPI's model"},
    {"/api/extra/true_max_context_length", "", "value", "KoboldCpp's context length"},
    {"/info", "", "max_total_tokens", "TGI's info"},
};

// Parses lines such as "num_ctx                        8192". Returns 0 if `name` is missing.
long long parameter_in(std::string_view parameters, std::string_view name) {
  for (const std::string_view line : split_lines(parameters)) {
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos || line.substr(0, end) != name) continue;
    const std::string_view value = trim(line.substr(end));
    long long number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }
  return 0;
}

// Returns `answer`, the last one, or null if the server lacks the route. It may also answer 200
// with a page.
Result<Json> if_there(const JsonClient& client, Result<Json> answer) {
  const bool is_there = !client.is_not_there() && !client.is_spoiled();
  return answer || is_there ? answer : Json();
}

ContextWindow window_in_ps(const Json& list, const std::string& model) {
  for (const Json& row : member(list, "models")) {
    const long long tokens = number_of(row, "context_length");
    if (text_of(row, "model") == model && tokens > 0) return {tokens, "Ollama's ps"};
  }
  return {};
}

}  // namespace

// Prefers the context of the loaded model over the configured one.
Result<ContextWindow> window_of_ollama(JsonClient& client, const std::string& model) {
  PEDRO_TRY(const Json list, if_there(client, client.get("/api/ps")));
  ContextWindow loaded = window_in_ps(list, model);
  if (loaded.tokens > 0) return loaded;
  PEDRO_TRY(const Json shown, if_there(client, client.post("/api/show", {{"model", model}})));
  const long long told = parameter_in(text_of(shown, "parameters"), "num_ctx");
  if (told > 0) return ContextWindow{told, "num_ctx of the model"};
  return ContextWindow{kOllamaContext, "Ollama's default"};
}

Result<ContextWindow> window_of_lm_studio(JsonClient& client, const std::string& model) {
  PEDRO_TRY(const Json list, client.get_optional("/api/v0/models"));
  for (const Json& row : member(list, "data")) {
    if (text_of(row, "id") != model) continue;
    const long long loaded = number_of(row, "loaded_context_length");
    if (loaded > 0) return ContextWindow{loaded, "LM Studio's list, as loaded"};
    return ContextWindow{number_of(row, "max_context_length"), "LM Studio's list, maximum"};
  }
  PEDRO_TRY(const Json newer, client.get_optional("/api/v1/models"));
  for (const Json& row : member(newer, "models")) {
    if (text_of(row, "key") != model) continue;
    for (const Json& instance : member(row, "loaded_instances")) {
      const long long loaded = number_of(member(instance, "config"), "context_length");
      if (loaded > 0) return ContextWindow{loaded, "LM Studio's list, as loaded"};
    }
    return ContextWindow{number_of(row, "max_context_length"), "LM Studio's list, maximum"};
  }
  return ContextWindow{};
}

Result<ContextWindow> find_served_window(JsonClient& client, const std::string& model) {
  Result<ContextWindow> window = window_of_lm_studio(client, model);
  if (!window || window->tokens > 0) return window;
  PEDRO_TRY(const Json loaded, client.get_optional("/api/ps"));
  if (ContextWindow in_ps = window_in_ps(loaded, model); in_ps.tokens > 0) return in_ps;
  for (const WindowRoute& route : kWindowRoutes) {
    PEDRO_TRY(const Json answer, client.get_optional(route.path));
    const Json& object = route.object.empty() ? answer : member(answer, route.object);
    const long long tokens = number_of(object, route.key);
    if (tokens > 0) return ContextWindow{tokens, route.source};
  }
  return ContextWindow{};
}

}  // namespace pedro
