#pragma once

#include <string>

#include "base/result.h"
#include "llm/context_window.h"
#include "llm/json_client.h"

namespace pedro {

// Sizes of a model's context window in routes that only some servers have. 0 if a server lacks the
// route or the model.

/// Asks Ollama for the window of the loaded model, else of the configured one, else returns its
/// default.
Result<ContextWindow> window_of_ollama(JsonClient& client, const std::string& model);

Result<ContextWindow> window_of_lm_studio(JsonClient& client, const std::string& model);

/// Asks in the routes of LM Studio, Ollama, SGLang, TabbyAPI, KoboldCpp and TGI, in this order.
Result<ContextWindow> find_served_window(JsonClient& client, const std::string& model);

}  // namespace pedro
