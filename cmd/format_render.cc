#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>

#include "base/json.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "command.h"
#include "format_command.h"
#include "messages_api/message_format.h"
#include "messages_api/read_chat_request.h"
#include "sys/terminal.h"
#include "token_source.h"

namespace pedro {
namespace {

struct RenderOptions {
  std::string format;
  TokenSourceOptions source;
  bool ids = false;
  bool mark = false;
  bool map_call_ids = false;
  std::string file;
};

std::string in_json(const Prompt& prompt) {
  std::string out;
  for (const PromptPart& part : prompt.parts) {
    Json line;
    if (const auto* control = std::get_if<ControlToken>(&part)) {
      line["control"] = control->name;
    } else {
      const auto& text = std::get<PromptText>(part);
      line["text"] = text.text;
      line["content"] = Json::array();
      for (const ByteRange& range : text.content) {
        line["content"].push_back({range.begin, range.end});
      }
    }
    out += to_line(line) + "\n";
  }
  return out;
}

std::string shown(const CommandContext& context, const RenderOptions& options,
                  const Prompt& prompt) {
  if (context.global.json) return in_json(prompt);
  if (options.mark) return to_marked_text(prompt) + "\n";
  const bool colours =
      is_terminal(StandardStream::kOut) && context.environment.get("NO_COLOR").empty();
  return (colours ? to_coloured_text(prompt) : to_text(prompt)) + "\n";
}

// Encodes the prompt with the named vocabulary or server, else with the format's own vocabulary.
Result<std::vector<TokenId>> ids_of(CommandContext& context, const RenderOptions& options,
                                    const FormatFamily& family, const Prompt& prompt) {
  TokenSourceOptions named = options.source;
  if (named.vocabulary.empty() && named.server.empty()) {
    if (family.vocabulary.empty()) {
      return usage_error(
          fmt::format("format {} has no vocabulary of its own: name one with -vocab, or "
                      "a server with -server",
                      family.name));
    }
    named.vocabulary = family.vocabulary;
  }
  PEDRO_TRY(TokenSource source, open_token_source(context, named));
  return encode_prompt(prompt, *source.tokenizer);
}

std::string in_numbers(const CommandContext& context, const std::vector<TokenId>& ids) {
  if (context.global.json) return to_line(ids) + "\n";
  return fmt::format("{}\n", fmt::join(ids, " "));
}

// Reports an invalid prompt as a verdict: the output is complete as far as possible.
int report_invalid(const Error& reason) {
  print_error("pedrocli: not valid: " + reason.message);
  return kExitNo;
}

Result<int> print_prompt(CommandContext& context, const RenderOptions& options,
                         const FormatFamily& family, ChatRequest request) {
  if (options.map_call_ids) request = with_native_call_ids(family, std::move(request));
  const Status valid = check_conversation(family, request);
  const Result<Prompt> prompt = render_conversation(family, request);
  if (!prompt) return report_invalid(valid ? prompt.error() : valid.error());
  if (options.ids) {
    PEDRO_TRY(const auto ids, ids_of(context, options, family, *prompt));
    print(in_numbers(context, ids));
  } else {
    print(shown(context, options, *prompt));
  }
  return valid ? static_cast<int>(kExitDone) : report_invalid(valid.error());
}

int print_messages(const RenderOptions& options, MessageFormat format, ChatRequest request) {
  if (options.map_call_ids) request = with_native_call_ids(format, std::move(request));
  const Status valid = check_messages(format, request);
  const Result<std::string> body = render_messages(format, request);
  if (!body) return report_invalid(valid ? body.error() : valid.error());
  print(*body + "\n");
  return valid ? static_cast<int>(kExitDone) : report_invalid(valid.error());
}

// Rejects options about tokens for formats of messages.
Status check_options(const RenderOptions& options) {
  const auto wrong = [&](std::string_view flag, std::string_view why) {
    return usage_error(
        fmt::format("{} cannot be used with format {}: {}", flag, options.format, why));
  };
  if (options.ids || !options.source.vocabulary.empty() || !options.source.server.empty()) {
    return wrong(options.ids ? "-ids" : "a vocabulary", "the server makes the tokens of messages");
  }
  if (options.mark) return wrong("-mark", "messages have no control tokens");
  return {};
}

Result<int> run(CommandContext& context, const RenderOptions& options) {
  const auto messages = message_format_named(options.format);
  const auto family = find_format(options.format);
  if (!messages && !family) return family.error();
  if (messages) PEDRO_RETURN_IF_ERROR(check_options(options));
  PEDRO_TRY(const TextInput input,
            read_input(context, options.file, ChatRequestLimits().max_bytes));
  Result<ChatRequest> request = read_chat_request(input.text);
  if (!request) return request.error().at(input.name);
  if (messages) return print_messages(options, *messages, *std::move(request));
  return print_prompt(context, options, **family, *std::move(request));
}

}  // namespace

CommandFunction add_format_render(CLI::App& command) {
  auto options = std::make_shared<RenderOptions>();
  command.add_option("--format", options->format, "A name from `pedrocli format list`")->required();
  command.add_flag("--ids", options->ids, "Print token ids");
  command.add_flag("--mark", options->mark, "Print control tokens between \u00AB and \u00BB");
  command.add_flag("--map-call-ids", options->map_call_ids,
                   "Replace ids of calls that the format does not accept");
  command.add_option("--vocab", options->source.vocabulary,
                     "The vocabulary of the ids (default: the format's own): a name or a file");
  command.add_option("--server", options->source.server, "Use the ids of this llama-server");
  command
      .add_option(
          "file", options->file,
          "The conversation as JSON, {\"messages\": [\u2026], \"tools\": [\u2026]}: a file, "
          "or - for standard input")
      ->required();
  command.footer(
      "Prints the same text as the format's reference. On a terminal, control tokens and contents\n"
      "are coloured; elsewhere, -mark distinguishes them, and -json prints a line\n"
      "for each part: {\"control\": NAME} or {\"text\": TEXT, \"content\": [[BEGIN, END], "
      "\u2026]}, in bytes.\n"
      "A conversation that the format's models do not know is still printed if possible; the "
      "reason\n"
      "goes to stderr, and the exit code is 1.\n"
      "\n"
      "openai and anthropic print the conversation part of a request's body, a line of JSON.\n");
  return running(run, options);
}

}  // namespace pedro
