#pragma once

#include <functional>
#include <string>

#include "llm/model_list.h"

namespace pedro {

/// A router's model while it is loaded, downloaded or unloaded.
struct ModelProgress {
  std::string state;  ///< the router's word: "loading", "downloading", "loaded", "unloaded"
  int percent = -1;   ///< of all stages of the load, in steps of 10; -1: not reported
};
/// Returns "loading" or "loading, 40 %".
std::string to_text(const ModelProgress& progress);

using OnModelProgress = std::function<void(const ModelProgress& progress)>;

/// Loads a model of a router and waits until it can answer. Returns at once if it can. The progress
/// comes from `/models/sse`, or from the list of models if the router has no such route. Errors:
/// JsonClient's; kModel if the process of the model ended, or nothing changed for
/// options().idle_timeout_s.
Status load_model(JsonClient& client, const ListedModel& model, const OnModelProgress& on_progress);

/// Unloads a model and waits for the end of its process, in the same way. Returns at once if it is
/// not loaded.
Status unload_model(JsonClient& client, const ListedModel& model,
                    const OnModelProgress& on_progress);

}  // namespace pedro
