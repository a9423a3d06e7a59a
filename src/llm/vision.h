#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/json_client.h"
#include "llm/model.h"
#include "llm/model_list.h"
#include "messages_api/message_format.h"

namespace pedro {

/// Asks a server if its model takes images: by its list of models, llama-server's /props and
/// Ollama's /api/show. Returns nothing if it does not say. All models of Anthropic's API do.
/// Errors: kInterrupted.
Result<std::optional<bool>> takes_images(JsonClient& client, MessageFormat format,
                                         const ListedModel& model);

/// Returns the ids of a server's models that take images, those in memory first. Asks Ollama about
/// at most 20 models. Errors: JsonClient's.
Result<std::vector<std::string>> models_with_vision(JsonClient& client);

/// Asks a model that gets the images of marks to describe one (prompts/feedback/describe_image.md).
/// Errors: those of the model; an empty description.
Result<std::string> describe_image(Model& model, const std::string& mark);

}  // namespace pedro
