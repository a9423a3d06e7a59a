#include "llm/model_loading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr const char* kList = "/models";
constexpr const char* kEvents = "/models/sse";
// An event between a list and the next stream is lost, so that a stream must not be long.
constexpr double kWatch_s = 2;
constexpr double kPoll_s = 0.5;

// Returns the percentage of {"stages": ["text_model", …], "current": "text_model", "value": 0.5}.
int percent_of(const Json& progress) {
  if (!progress.is_object()) return -1;
  const Json& stages = member(progress, "stages");
  const double count =
      stages.is_array() && !stages.empty() ? static_cast<double>(stages.size()) : 1;
  double done = 0;
  if (stages.is_array()) {
    const auto current = std::find(stages.begin(), stages.end(), member(progress, "current"));
    if (current != stages.end()) done = static_cast<double>(current - stages.begin());
  }
  const double value = std::clamp(real_of(progress, "value"), 0.0, 1.0);
  return static_cast<int>((done + value) / count * 10) * 10;
}

// Waits for the states of one model of a router.
class ModelWatch {
 public:
  ModelWatch(JsonClient& client, std::string id, const OnModelProgress& on_progress)
      : client_(client), id_(std::move(id)), on_progress_(on_progress) {}

  Status wait_for(bool is_loaded) {
    const double limit_s = client_.options().idle_timeout_s;
    while (silent_s_ < limit_s) {
      PEDRO_TRY(const ListedModel model, look());
      report({model.state, -1});
      if (is_loaded ? model.is_ready() : model.is_down()) return {};
      if (is_loaded && model.is_down()) return not_loaded(model);
      PEDRO_RETURN_IF_ERROR(listen());
    }
    return failure(fmt::format("nothing changed for {} s", limit_s));
  }

 private:
  Result<ListedModel> look() {
    PEDRO_TRY(const std::vector<ListedModel> models, list_models(client_, kList));
    for (const ListedModel& model : models) {
      if (model.id == id_) return model;
    }
    return failure("the server no longer lists it");
  }

  void report(ModelProgress progress) {
    if (progress.state == last_.state && progress.percent <= last_.percent) return;
    silent_s_ = 0;
    last_ = std::move(progress);
    if (on_progress_) on_progress_(last_);
  }

  // Receives events until the state changes. Waits if the server has none.
  Status listen() {
    silent_s_ += has_events_ ? kWatch_s : kPoll_s;
    if (!has_events_) {
      client_.pause(kPoll_s);
      return {};
    }
    const Status watched =
        client_.watch(kEvents, kWatch_s, [this](std::string_view data) { return take(data); });
    if (watched || !client_.is_not_there()) return watched;
    has_events_ = false;
    return {};
  }

  // Returns false at an event that ends the wait, or could.
  bool take(std::string_view data) {
    const Result<Json> event = parse_json(data);
    if (!event || text_of(*event, "model") != id_) return true;
    const Json& change = member(*event, "data");
    const std::string state = text_of(change, "status");
    if (state.empty() || state == "loaded" || state == "unloaded") return state.empty();
    report({state, percent_of(member(change, "progress"))});
    return true;
  }

  Error not_loaded(const ListedModel& model) const {
    if (model.failed_with == 0) return failure("it was unloaded again");
    return failure(
        fmt::format("it did not load: its process ended with exit code {}; see the server's log",
                    model.failed_with));
  }

  Error failure(const std::string& what) const {
    return {ErrorKind::kModel, fmt::format("{}: model {}: {}", public_url(client_.options().url),
                                           make_printable(id_), what)};
  }

  JsonClient& client_;
  std::string id_;
  const OnModelProgress& on_progress_;
  ModelProgress last_;
  double silent_s_ = 0;
  bool has_events_ = true;
};

}  // namespace

std::string to_text(const ModelProgress& progress) {
  const std::string state = make_printable(progress.state);
  return progress.percent < 0 ? state : fmt::format("{}, {} %", state, progress.percent);
}

Status load_model(JsonClient& client, const ListedModel& model,
                  const OnModelProgress& on_progress) {
  if (model.is_ready()) return {};
  if (model.is_down()) {
    PEDRO_RETURN_IF_ERROR(client.post("/models/load", {{"model", model.id}}));
  }
  return ModelWatch(client, model.id, on_progress).wait_for(true);
}

Status unload_model(JsonClient& client, const ListedModel& model,
                    const OnModelProgress& on_progress) {
  if (model.is_down()) return {};
  PEDRO_RETURN_IF_ERROR(client.post("/models/unload", {{"model", model.id}}));
  return ModelWatch(client, model.id, on_progress).wait_for(false);
}

}  // namespace pedro
