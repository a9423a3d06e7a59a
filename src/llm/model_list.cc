#include "llm/model_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/file_system.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMostNames = 12;

// Keys of vLLM, Anthropic and several hosts of many models. Some write the number as a text.
long long context_in(const Json& row) {
  for (const char* key : {"max_model_len", "max_input_tokens", "context_length", "context_window",
                          "max_context_length"}) {
    const std::string text = text_of(row, key);
    const long long tokens = number_of(row, key, number_from<long long>(text).value_or(0));
    if (tokens > 0) return tokens;
  }
  return number_of(member(row, "top_provider"), "context_length");
}

// Returns the rows of a list of models: "data", "models", "result", or the list itself. The only
// model may have no list.
Json rows_of(const Json& list) {
  for (const char* key : {"data", "models", "result"}) {
    const Json& rows = member(list, key);
    if (rows.is_array()) return rows;
    if (rows.is_object() && rows.contains("id")) return Json::array({rows});
  }
  return list.is_array() ? list : Json();
}

std::string id_in(const Json& row) {
  if (row.is_string()) return row.get<std::string>();
  for (const char* key : {"id", "name", "key", "model"}) {
    std::string id = text_of(row, key);
    if (!id.empty()) return id;
  }
  return "";
}

// Returns the file in the command line of a router's process.
std::string path_in(const Json& status) {
  const Json& args = member(status, "args");
  if (!args.is_array()) return "";
  const auto flag = std::find(args.begin(), args.end(), Json("--model"));
  if (flag == args.end() || flag + 1 == args.end() || !(flag + 1)->is_string()) return "";
  return (flag + 1)->get<std::string>();
}

bool names_any(const Json& list, std::initializer_list<std::string_view> words) {
  return list.is_array() && std::any_of(list.begin(), list.end(), [&](const Json& one) {
           return one.is_string() && std::find(words.begin(), words.end(),
                                               one.get_ref<const std::string&>()) != words.end();
         });
}

// Reads the forms of llama-server and its router, LM Studio, Mistral and hosts of many models.
std::optional<bool> takes_images_by(const Json& row) {
  const Json& modalities = member(member(row, "architecture"), "input_modalities");
  const Json& capabilities = member(row, "capabilities");
  const Json& args = member(member(row, "status"), "args");
  const bool takes = names_any(modalities, {"image"}) ||
                     names_any(capabilities, {"vision", "multimodal"}) ||
                     names_any(args, {"--mmproj", "-mm", "--mmproj-url"}) ||
                     truth_of(capabilities, "vision") || text_of(row, "type") == "vlm";
  const bool is_told = modalities.is_array() || capabilities.is_array() ||
                       capabilities.contains("vision") || text_of(row, "type") == "llm";
  return takes || is_told ? std::optional(takes) : std::nullopt;
}

ListedModel read_row(std::string id, const Json& row) {
  const Json& status = member(row, "status");
  ListedModel model{std::move(id), context_in(row), text_of(row, "owned_by"),
                    text_of(status, "value")};
  for (const Json& alias : member(row, "aliases")) {
    if (alias.is_string()) model.aliases.push_back(alias.get<std::string>());
  }
  model.bytes = number_of(member(row, "meta"), "size");
  model.total_tokens = number_of(member(row, "meta"), "n_ctx");
  model.path = path_in(status);
  model.takes_images = takes_images_by(row);
  if (truth_of(status, "failed")) model.failed_with = number_of(status, "exit_code", 1);
  return model;
}

bool means(const ListedModel& model, const std::string& wanted) {
  const std::string& id = model.id;
  const bool is_file = id.starts_with('/') && base_name(id) == wanted;
  const bool is_alias =
      std::find(model.aliases.begin(), model.aliases.end(), wanted) != model.aliases.end();
  return id == wanted || id == wanted + ":latest" || is_file || is_alias;
}

std::string names_of(const std::vector<ListedModel>& models) {
  std::vector<std::string> shown;
  for (const ListedModel& model : models) {
    if (shown.size() == kMostNames) break;
    shown.push_back(make_printable(truncate_utf8(model.id, 100)));
    if (!model.state.empty()) shown.back() += fmt::format(" ({})", state_text(model));
  }
  std::string text = join(shown, ", ");
  if (models.size() > shown.size())
    text += fmt::format(" and {} more", models.size() - shown.size());
  return text;
}

bool is_running(const ListedModel& model) {
  return model.is_ready() || model.state == "loading";
}

// Returns true unless the name says that the model does not chat.
bool may_chat(const ListedModel& model) {
  constexpr std::string_view kOthers[] = {"embed", "rerank", "bge-", "whisper", "moderation"};
  const std::string id = to_lower(model.id);
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view word) { return id.find(word) != id.npos; });
}

// Returns the model that needs no name: the only one, the only running one, or the only one that
// chats. Null if several do.
const ListedModel* obvious_model(const std::vector<ListedModel>& models) {
  if (models.size() == 1) return &models.front();
  for (const auto is_meant : {&is_running, &may_chat}) {
    if (std::count_if(models.begin(), models.end(), is_meant) != 1) continue;
    return &*std::find_if(models.begin(), models.end(), is_meant);
  }
  return nullptr;
}

// Returns true if the list has all names of a form, as LiteLLM's "openai/*".
bool serves_all(const ListedModel& model, std::string_view wanted) {
  return model.id.ends_with('*') && wanted.starts_with(model.id.substr(0, model.id.size() - 1));
}

// Returns true if a name needs no escaping in a path.
bool fits_a_path(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alnum || std::string_view("-._:/").find(c) != std::string_view::npos;
  });
}

Error none_meant(const JsonClient& client, const std::vector<ListedModel>& models) {
  const std::string& wanted = client.options().model;
  std::vector<std::string> ids;
  for (const ListedModel& model : models) ids.push_back(model.id);
  const std::string there = models.empty() ? "it lists none" : "it has " + names_of(models);
  const std::string what = wanted.empty() ? "the server does not have exactly one model"
                                          : fmt::format("the server has no model '{}'{}", wanted,
                                                        did_you_mean(wanted, ids));
  return {ErrorKind::kModel, fmt::format("{}: {}: {}; name one with -model or model.model_name",
                                         public_url(client.options().url), what, there)};
}

// Adds the state "loaded" to the models that LM Studio or Ollama has loaded.
Status add_loaded(JsonClient& client, std::vector<ListedModel>& models) {
  for (const char* route : {"/api/v0/models", "/api/ps"}) {
    const Result<Json> list = client.get(route);
    if (!list && list.error().kind == ErrorKind::kInterrupted) return list.error();
    if (!list) continue;
    const Json rows = rows_of(*list);
    for (const Json& row : rows) {
      if (text_of(row, "state", "loaded") != "loaded" || text_of(row, "type") == "embeddings") {
        continue;
      }
      for (ListedModel& model : models) {
        if (model.id == id_in(row) || model.id == text_of(row, "model")) model.state = "loaded";
      }
    }
  }
  return {};
}

}  // namespace

std::string state_text(const ListedModel& model) {
  if (model.failed_with != 0) return fmt::format("failed with exit code {}", model.failed_with);
  return model.state == "unloaded" ? "on disk" : make_printable(model.state);
}

Result<std::vector<ListedModel>> list_models(JsonClient& client, const std::string& path) {
  PEDRO_TRY(const Json list, client.get_first(path));
  std::vector<ListedModel> models;
  const Json rows = rows_of(list);
  for (const Json& row : rows) models.push_back(read_row(id_in(row), row));
  std::map<std::string, long long> windows;
  for (const ListedModel& model : models) windows[model.id] = model.context_tokens;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto base = windows.find(text_of(rows[i], "parent"));  // vLLM: of an adapter
    const bool is_known = models[i].context_tokens > 0 || base == windows.end();
    if (!is_known) models[i].context_tokens = base->second;
  }
  return models;
}

Result<ListedModel> choose_model(JsonClient& client, const std::string& path) {
  const std::string& wanted = client.options().model;
  Result<std::vector<ListedModel>> models = list_models(client, path);
  const int status = client.refusal().status;
  const bool has_answered = (status != 0 && status != 401) || client.is_spoiled();
  if (!models && (wanted.empty() || !has_answered)) return models.error();
  if (!wanted.empty() && (!models || models->empty())) return ListedModel{wanted};
  for (const ListedModel& model : *models) {
    if (means(model, wanted)) return model;
  }
  if (wanted.empty()) {
    const bool has_states = std::any_of(models->begin(), models->end(),
                                        [](const auto& model) { return !model.state.empty(); });
    if (models->size() > 1 && !has_states) {
      if (Status added = add_loaded(client, *models); !added) return added.error();
    }
    if (const ListedModel* model = obvious_model(*models)) return *model;
    if (client.options().ask_model && !models->empty()) {
      PEDRO_TRY(const std::string asked, client.options().ask_model(*models));
      for (const ListedModel& model : *models) {
        if (model.id == asked) return model;
      }
    }
  }
  const bool is_served =
      !wanted.empty() && std::any_of(models->begin(), models->end(), [&](const ListedModel& model) {
        return serves_all(model, wanted);
      });
  if (is_served) return ListedModel{wanted};
  if (!wanted.empty() && fits_a_path(wanted)) {
    const Result<Json> row = client.get(path.substr(0, path.find('?')) + "/" + wanted);
    if (row && !text_of(*row, "id").empty()) return read_row(wanted, *row);
    if (!row && row.error().kind == ErrorKind::kInterrupted) return row.error();
  }
  return none_meant(client, *models);
}

}  // namespace pedro
