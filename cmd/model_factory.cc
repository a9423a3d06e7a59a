#include "model_factory.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.h"
#include "base/utf8.h"
#include "chat_format/call_wrapping.h"
#include "chat_format/format_family.h"
#include "find_server.h"
#include "llm/anthropic_model.h"
#include "llm/forwarding_model.h"
#include "llm/json_client.h"
#include "llm/manual.h"
#include "llm/model_list.h"
#include "llm/model_with_images.h"
#include "llm/openai_model.h"
#include "llm/recording.h"
#include "llm/vision.h"
#include "sys/terminal.h"
#include "sys/url.h"
#include "tokenizer/model_tokenizer.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

constexpr std::size_t kMostModels = 40;
constexpr std::size_t kMaxShownNameBytes = 100;

// Returns the model of a number or an id; null for any other text.
const ListedModel* model_of_answer(const std::vector<ListedModel>& models, std::string_view text) {
  const std::size_t number = number_from<std::size_t>(text).value_or(0);
  if (number >= 1 && number <= models.size()) return &models[number - 1];
  for (const ListedModel& model : models) {
    if (model.id == text) return &model;
  }
  return nullptr;
}

Result<std::string> ask_for(const std::vector<ListedModel>& models, const CancelToken& cancel) {
  print_error("The server has several models:");
  for (std::size_t i = 0; i < models.size() && i < kMostModels; ++i) {
    const std::string name = std::string(truncate_utf8(models[i].id, kMaxShownNameBytes));
    const std::string state = state_text(models[i]);
    print_error(fmt::format("  {:>2}  {}{}", i + 1, name, state.empty() ? "" : ": " + state));
  }
  for (;;) {
    print_error("Which one? Type its number or name, or only Enter for none:");
    PEDRO_TRY(const std::string line, read_line(cancel));
    const std::string_view answer = trim(line);
    if (answer.empty()) return std::string();
    if (const ListedModel* model = model_of_answer(models, answer)) return model->id;
  }
}

// Returns the question on the terminal for one of a server's models; null without a terminal. Asks
// once: keeps the answer in the global flags, also for child processes. Borrows `context`.
decltype(ServerOptions::ask_model) ask_model_on_terminal(CommandContext& context) {
  if (!is_terminal(StandardStream::kIn) || !is_terminal(StandardStream::kError)) return {};
  return [&context](const std::vector<ListedModel>& models) -> Result<std::string> {
    std::string& chosen = context.global.model;
    if (chosen.empty()) {
      PEDRO_TRY(chosen, ask_for(models, context.cancel));
    }
    return chosen;
  };
}

// A llama-server, or the same server with messages if there is no tokenizer for its model
// (LlamaServer::lacks_tokenizer). open() decides and reports it.
class MessagesIfNoTokens : public ForwardingModel {
 public:
  MessagesIfNoTokens(std::unique_ptr<LlamaServer> server, std::unique_ptr<Model> messages,
                     std::function<void(std::string_view)> on_notice)
      : ForwardingModel(*server),
        llama_(std::move(server)),
        messages_(std::move(messages)),
        on_notice_(std::move(on_notice)) {}

  Result<ModelInfo> open() override {
    Result<ModelInfo> info = llama_->open();
    if (info || !llama_->lacks_tokenizer()) return info;
    if (on_notice_) on_notice_(info.error().message + "; continuing with messages");
    forward_to(*messages_);
    return messages_->open();
  }

 private:
  std::unique_ptr<LlamaServer> llama_;
  std::unique_ptr<Model> messages_;
  std::function<void(std::string_view)> on_notice_;
};

constexpr std::uint64_t kMaxRecordingBytes = 256u << 20;
constexpr std::size_t kWireBytesPerToken = 1024;  // an event of a stream with its overhead
constexpr std::size_t kWireBytesBeside = 1u << 20;
constexpr std::size_t kMaxTypedBytes = 4u << 20;

std::string_view topic_name(TraceTopic topic) {
  switch (topic) {
    case TraceTopic::kTokens:
      return "tokens";
    case TraceTopic::kGrammar:
      return "grammar";
    case TraceTopic::kHttp:
      return "http";
    case TraceTopic::kPrompt:
      return "prompt";
  }
  return "";
}

// Shows the new messages on stderr and reads a reply from stdin, up to a line that is only ".".
Result<std::string> ask_person(std::span<const ChatMessage> messages, const CancelToken& cancel) {
  // Clears a status line on a terminal first.
  const char* clear = is_terminal(StandardStream::kError) ? "\r\x1b[K" : "";
  for (const ChatMessage& message : messages) {
    const std::string text =
        fmt::format("{}--- {}\n{}\n", clear, to_string(message.role), text_of(message));
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  std::fputs("--- your reply, then a line with a single '.'\n", stderr);
  std::string reply;
  for (bool first = true;; first = false) {
    PEDRO_TRY(const std::optional<std::string> line, next_line(cancel, kMaxTypedBytes + 1));
    if (!line) break;
    if (*line == ".") return reply;
    reply += (first ? "" : "\n") + *line;
    if (reply.size() > kMaxTypedBytes) {
      return Error{ErrorKind::kModel, "-backend manual: a reply of more than 4 MB"};
    }
  }
  return Error{ErrorKind::kModel, "-backend manual: standard input ended before the reply did"};
}

}  // namespace

ServerConnections::ServerConnections(const CommandContext& context, ModelRegistry known)
    : clock(context.clock),
      registry(std::move(known)),
      vocabularies(context.files, vocabulary_folders(context), registry),
      capabilities(context.files, known_servers(context)) {}

LlamaServer::Settings llama_settings(const Config& config, ServerConnections& connections) {
  const ModelSettings& settings = config.model;
  return {.format = settings.format,
          .context_tokens = settings.context_size,
          .steering = *parse_steering(settings.steering),
          .capabilities = &connections.capabilities,
          .shifts_cache = config.context.shift_cache == "auto",
          .known = &connections.registry,
          .make_http = [] { return std::make_unique<CurlHttp>(); }};
}

Result<Trace> make_trace(const GlobalOptions& global) {
  Trace trace;
  if (global.debug.empty()) return trace;
  const std::vector<std::string> topics(kDebugTopics.begin(), kDebugTopics.end());
  for (const std::string_view topic : split(global.debug, ',')) {
    if (std::find(topics.begin(), topics.end(), topic) == topics.end()) {
      return usage_error(fmt::format("-debug: unknown topic '{}'{}; there are: {}", topic,
                                     did_you_mean(topic, topics), join(topics, ", ")));
    }
    const bool all = topic == "all";
    trace.tokens = trace.tokens || all || topic == "tokens";
    trace.grammar = trace.grammar || all || topic == "grammar";
    trace.http = trace.http || all || topic == "http";
    trace.prompt = trace.prompt || all || topic == "prompt";
  }
  trace.sink = [](TraceTopic topic, const std::string& text) {
    const std::string line = fmt::format("debug {}: {}\n", topic_name(topic), text);
    std::fwrite(line.data(), 1, line.size(), stderr);
  };
  return trace;
}

Result<ServerOptions> client_options(CommandContext& context, const LoadedConfig& config,
                                     const Trace& trace, GenerateEvents& events) {
  PEDRO_TRY(std::string key, api_key(config, context.environment, context.global.api_key));
  const ModelSettings& model = config.config.model;
  ServerOptions options;
  options.url = model.server_url;
  options.api_key = std::move(key);
  options.model = model.model_name;
  if (!model.api_key_env.empty()) options.key_variable = model.api_key_env;
  options.idle_timeout_s = model.idle_timeout_seconds;
  options.max_reply_bytes =
      kWireBytesBeside + static_cast<std::size_t>(model.max_tokens) * kWireBytesPerToken;
  options.retry.max_attempts = model.max_retries + 1;
  options.trace = trace;
  options.on_retry = events.on_retry ? events.on_retry : events.on_notice;
  options.on_notice = events.on_notice;
  options.ask_model = ask_model_on_terminal(context);
  return options;
}

std::unique_ptr<Model> make_message_model(const CancelToken& cancel, const ModelSettings& settings,
                                          ServerOptions options, GenerateEvents events,
                                          ServerConnections& connections,
                                          const ImageFolder* images) {
  if (settings.type == "llamacpp") return nullptr;
  const auto find_counter = [&connections](std::string_view model) {
    return counting_tokenizer(model, connections.registry, connections.vocabularies);
  };
  const MessageModel::Settings used{
      settings.context_size,
      *parse_generation_mode(settings.mode),
      find_counter,
      &connections.clock,
      [&connections](std::string_view model) { return connections.registry.model(model); },
      images};
  if (settings.type == "anthropic") {
    return std::make_unique<AnthropicModel>(connections.http, std::move(options), used,
                                            std::move(events), cancel);
  }
  OpenAiServer server = OpenAiServer::kAny;
  if (settings.type == "ollama") server = OpenAiServer::kOllama;
  if (settings.type == "vllm") server = OpenAiServer::kVllm;
  if (settings.type == "lmstudio") server = OpenAiServer::kLmStudio;
  const auto find_tokenizer = [&connections](std::string_view model) {
    return exact_tokenizer(model, connections.registry, connections.vocabularies);
  };
  return std::make_unique<OpenAiModel>(connections.http, std::move(options), server, used,
                                       find_tokenizer, std::move(events), cancel);
}

namespace {

// Describes an image by a model of the server that takes images.
Result<std::string> describe_by_server(const CancelToken& cancel, ModelSettings settings,
                                       ServerOptions options, ServerConnections& connections,
                                       const ImageFolder& images, const std::string& id) {
  if (settings.type == "llamacpp") settings.type = "openai";
  JsonClient client(connections.http, for_messages(options), {}, cancel);
  PEDRO_TRY(const std::vector<std::string> models, models_with_vision(client));
  if (models.empty()) {
    return Error{
        ErrorKind::kModel,
        fmt::format("{}: no model there takes images; start llama-server with --mmproj FILE "
                    "for a model with vision, or omit the image",
                    public_url(options.url))};
  }
  options.model = models.front();
  if (options.on_notice) options.on_notice("the model " + options.model + " describes an image");
  PEDRO_TRY(const Image image, images.load(id));
  const auto model =
      make_message_model(cancel, settings, std::move(options), {}, connections, &images);
  PEDRO_RETURN_IF_ERROR(model->open());
  return describe_image(*model, image_mark(image));
}

}  // namespace

ModelInfo model_by_format(const LoadedConfig& config) {
  const ModelSettings& model = config.config.model;
  ModelInfo info;
  if (model.type != "llamacpp") {
    info.has_tools = true;
    return info;
  }
  const Result<const FormatFamily*> family = find_format(model.format);
  if (!family) return info;
  const std::optional<CallForm> form = call_form(**family);
  info.format = model.format;
  info.has_tools = form && call_syntax_of(model.format);
  info.takes_bodies = takes_bodies(form ? *form : plain_call_form());
  return info;
}

// Disables tries if the user types the replies. Recordings keep the habits of their session.
AnswerHabits habits_of(int tries, const ModelRegistry& known, const ModelInfo& info) {
  if (info.answers) return *info.answers;
  const AnswerHabits* row = known.answers(info.name);
  AnswerHabits habits = row == nullptr ? AnswerHabits{} : *row;
  if (tries >= 0) habits.tries = tries;
  if (tries < 0 && info.backend == "manual") habits.tries = 0;
  return habits;
}

double temperature_of(const LoadedConfig& config, const ModelRegistry& known,
                      const ModelInfo& info) {
  const double configured = config.config.model.temperature;
  if (config.origin_of("model.temperature").layer != ConfigLayer::kDefault) return configured;
  const KnownModel* row = known.model(info.name);
  return row == nullptr ? configured : real_of(row->sampling, "temperature", configured);
}

Result<std::unique_ptr<Model>> make_model(CommandContext& context, const CancelToken& cancel,
                                          const LoadedConfig& config, const Trace& trace,
                                          GenerateEvents events, ServerConnections& connections,
                                          const JobImages& images) {
  const GlobalOptions& global = context.global;
  std::unique_ptr<Model> model;
  if (!global.replay.empty()) {
    Result<std::string> text = context.files.read(global.replay, kMaxRecordingBytes);
    if (!text) return usage_error("-replay " + text.error().message);
    model = std::make_unique<ReplayModel>(global.replay, std::move(*text), events.on_notice);
  } else if (global.backend == "manual") {
    model = std::make_unique<ManualModel>(
        [&cancel](std::span<const ChatMessage> messages) { return ask_person(messages, cancel); },
        config.config.model.context_size);
  } else {
    LoadedConfig settled = config;
    PEDRO_RETURN_IF_ERROR(find_server(context, settled, ServerKinds::kAll));
    PEDRO_TRY(ServerOptions options, client_options(context, settled, trace, events));
    const ModelSettings& settings = settled.config.model;
    const auto on_notice = events.on_notice;
    ModelWithImages::Parts parts;
    parts.on_notice = on_notice;
    if (images.folder != nullptr) {
      parts.describe = [&cancel, settings, options, &connections,
                        &images = *images.folder](const std::string& id) {
        return describe_by_server(cancel, settings, options, connections, images, id);
      };
    }
    model = make_message_model(cancel, settings, options, events, connections, images.folder);
    parts.own_takes_messages = model != nullptr;
    if (!model) {
      ModelSettings as_messages = settings;
      as_messages.type = "openai";
      std::unique_ptr<Model> messages =
          make_message_model(cancel, as_messages, options, events, connections);
      if (images.as_messages) {
        parts.as_messages =
            make_message_model(cancel, as_messages, options, events, connections, images.folder);
      }
      auto llama = std::make_unique<LlamaServer>(
          connections.http, std::move(options), llama_settings(config.config, connections),
          connections.vocabularies, std::move(events), context.clock, cancel);
      model =
          std::make_unique<MessagesIfNoTokens>(std::move(llama), std::move(messages), on_notice);
    }
    if (images.folder != nullptr) {
      parts.own = std::move(model);
      model = std::make_unique<ModelWithImages>(std::move(parts), *images.folder);
    }
  }
  if (!global.record.empty()) {
    model = std::make_unique<RecordingModel>(
        std::move(model), context.files, global.record,
        [tries = config.config.model.tries, &known = connections.registry](const ModelInfo& info) {
          return habits_of(tries, known, info);
        });
  }
  return model;
}

}  // namespace pedro
