#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/json_client.h"

namespace pedro {

/// An entry in a server's list of models.
struct ListedModel {
  std::string id;
  long long context_tokens = 0;  ///< 0: not in the list
  std::string owner = {};        ///< "openai", "vllm"; "" if not in the list
  /// The state at a router: "loaded", "loading", "sleeping", "unloaded", …. At other servers
  /// "loaded" if LM Studio or Ollama reports it, else "".
  std::string state = {};
  std::vector<std::string> aliases = {};
  long long total_tokens = 0;  ///< window of all slots together; 0: not in the list
  long long bytes = 0;         ///< of the weights; 0: not in the list
  std::string path = {};       ///< of the file at a router; "" if not in the list
  /// The exit code of a router's process that failed to load it; 0: none failed.
  long long failed_with = 0;
  std::optional<bool> takes_images = {};  ///< nothing: not in the list

  /// Returns true if it needs no load: "loaded" or "sleeping".
  bool is_ready() const { return state == "loaded" || state == "sleeping"; }
  /// Returns true if a router has no process for it.
  bool is_down() const { return state == "unloaded" || state == "failed"; }
};

/// Returns the state at a router for the user: "loaded", "on disk", "failed with exit code 1".
std::string state_text(const ListedModel& model);

/// Requests a server's list of models. `path`: its route, "/v1/models". Errors: JsonClient's.
Result<std::vector<ListedModel>> list_models(JsonClient& client, const std::string& path);

/// Chooses the model that options().model names, else the only one. Else the only one that a
/// router, LM Studio or Ollama has loaded, else the one that options().ask_model returns. The name
/// "llama3" also matches "llama3:latest", an alias its model, and a file name its path. `path`: the
/// route of the list, "/v1/models". Requests a name that is not listed by itself, as it may be an
/// alias. Errors: those of JsonClient; kModel, with the available models, if none matches.
///
/// Trusts the configured name if the list is missing, empty or unreadable. A 401 is an error.
Result<ListedModel> choose_model(JsonClient& client, const std::string& path);

}  // namespace pedro
