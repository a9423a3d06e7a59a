#pragma once

#include <memory>

#include "base/trace.h"
#include "chat/image.h"
#include "command.h"
#include "config/load.h"
#include "llm/llama_server.h"
#include "llm/model.h"
#include "sys/http.h"
#include "tokenizer/vocabulary_store.h"

namespace pedro {

/// Connections to model servers, with vocabularies and known capabilities. Borrows the same objects
/// as `context`.
struct ServerConnections {
  ServerConnections(const CommandContext& context, ModelRegistry known);
  ServerConnections(const ServerConnections&) = delete;
  ServerConnections& operator=(const ServerConnections&) = delete;

  const Clock& clock;
  CurlHttp http;
  ModelRegistry registry;
  VocabularyStore vocabularies;
  CapabilityCache capabilities;
};

/// The images of a job.
struct JobImages {
  ImageFolder* folder = nullptr;  ///< null: there can be none
  bool as_messages = false;       ///< a llama-server gets messages if its model takes images
};

/// Returns the traces of -debug, written to stderr. Error (kUsage): an unknown topic.
Result<Trace> make_trace(const GlobalOptions& global);

/// Returns the settings for a llama-server. Borrows `connections`.
LlamaServer::Settings llama_settings(const Config& config, ServerConnections& connections);

/// Returns the options of the configured server. Error (kConfig): the key is unavailable.
Result<ServerOptions> client_options(CommandContext& context, const LoadedConfig& config,
                                     const Trace& trace, GenerateEvents& events);

/// Creates the model of a server with a message API, as in model.type; null for llamacpp. Borrows
/// the reference arguments and `images`, which may be null.
std::unique_ptr<Model> make_message_model(const CancelToken& cancel, const ModelSettings& settings,
                                          ServerOptions options, GenerateEvents events,
                                          ServerConnections& connections,
                                          const ImageFolder* images = nullptr);

/// Returns the habits for answers of this model. Sources: a recording, else the configuration
/// (`tries`, unless -1), else the table of models.
AnswerHabits habits_of(int tries, const ModelRegistry& known, const ModelInfo& info);

/// Returns the temperature for replies in phases: as configured, else the one of the model's row
/// (KnownModel::sampling), else the default.
double temperature_of(const LoadedConfig& config, const ModelRegistry& known,
                      const ModelInfo& info);

/// Returns the known properties of the configured model without a request. Derives them from the
/// type of its server and the name of its format. Assumes no native tools otherwise.
ModelInfo model_by_format(const LoadedConfig& config);

/// Creates the model of the flags and the configuration: a recording (-replay), the user (-backend
/// manual) or a server's. -record adds a recording. `cancel` ends waiting. Borrows everything.
Result<std::unique_ptr<Model>> make_model(CommandContext& context, const CancelToken& cancel,
                                          const LoadedConfig& config, const Trace& trace,
                                          GenerateEvents events, ServerConnections& connections,
                                          const JobImages& images = {});

}  // namespace pedro
