#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "call_parser/call_parser.h"
#include "chat_format/callable_tools.h"
#include "chat_format/format_family.h"
#include "command.h"
#include "format_command.h"
#include "messages_api/message_format.h"
#include "sys/http.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxReplyBytes = 16U << 20U;
constexpr std::uint64_t kMaxToolsBytes = 16U << 20U;

struct ParseOptions {
  std::string format;
  std::string tools;
  std::string file;
};

// Calls in a message have no position in a text.
void add_bytes(Json& line, const ByteRange& where) {
  if (where.end > 0) line["bytes"] = {where.begin, where.end};
}

Json in_json(const ParsedCall& call) {
  Json line = {{"tool", call.tool}, {"args", call.args}};
  if (!call.id.empty()) line["id"] = call.id;
  add_bytes(line, call.where);
  return line;
}

Json in_json(const RejectedText& rejected) {
  const CallProblem& problem = rejected.problem;
  Json line = {{"rejected", to_string(problem.kind)},
               {"place", problem.place},
               {"expected", problem.expected},
               {"found", problem.found}};
  add_bytes(line, rejected.where);
  return line;
}

Result<CallableTools> read_tools(const CommandContext& context, const std::string& file) {
  if (file.empty()) return CallableTools();
  PEDRO_TRY(const TextInput input, read_input(context, file, kMaxToolsBytes));
  Result<CallableTools> tools = CallableTools::read(input.text);
  if (!tools) return tools.error().at(input.name);
  return tools;
}

// Returns the call syntax of a format in `format list`. Errors: an unknown name, or a format
// without a call syntax.
Result<CallSyntax> syntax_named(const std::string& format) {
  const auto syntax = call_syntax_of(format);
  if (syntax) return *syntax;
  PEDRO_RETURN_IF_ERROR(find_format(format));
  return usage_error(fmt::format("calls of format {} cannot be read", format));
}

// Parses a complete body, which begins with a brace, or a stream of server-sent events.
Result<ModelReply> read_messages(MessageFormat format, std::string_view text) {
  if (trim(text).starts_with('{')) return read_reply(format, text);
  ReplyStream reply(format);
  SseParser events;
  Status status;
  const auto feed = [&](std::string_view event) {
    if (status) status = reply.feed(event);
  };
  (void)events.feed(text, feed);
  events.finish(feed);
  return reply.finish();
}

// Parses the calls in a reply of a family's model, or in a server's message.
Result<std::vector<CallPart>> parse_reply(const std::string& format, std::string_view text,
                                          std::span<const CallBranch> branches) {
  if (const auto messages = message_format_named(format)) {
    PEDRO_TRY(const ModelReply reply, read_messages(*messages, text));
    return check_calls(reply.message.calls, KnownTools(branches));
  }
  PEDRO_TRY(const CallSyntax syntax, syntax_named(format));
  return parse_calls(text, syntax, branches);
}

Result<int> run(CommandContext& context, const ParseOptions& options) {
  if (!message_format_named(options.format)) {
    PEDRO_RETURN_IF_ERROR(syntax_named(options.format));
  }
  PEDRO_TRY(const CallableTools tools, read_tools(context, options.tools));
  PEDRO_TRY(const TextInput input, read_input(context, options.file, kMaxReplyBytes));
  const auto parts = parse_reply(options.format, input.text, tools.branches());
  if (!parts) return parts.error().at(input.name);
  int code = kExitDone;
  for (const CallPart& part : *parts) {
    print(to_ascii_line(std::visit([](const auto& one) { return in_json(one); }, part)));
    if (std::holds_alternative<RejectedText>(part)) code = kExitNo;
  }
  return code;
}

}  // namespace

CommandFunction add_format_parse(CLI::App& command) {
  auto options = std::make_shared<ParseOptions>();
  command.add_option("--format", options->format, "A name from `pedrocli format list`")->required();
  command.add_option("--tools", options->tools,
                     "The tools that can be called, as JSON: a list of them, or a request with "
                     "\"tools\"; without it every call is valid");
  command
      .add_option("file", options->file,
                  "The model's unchanged reply: a file, or - for standard input")
      ->required();
  command.footer(
      "Prints a line of JSON for each call, {\"tool\": NAME, \"args\": {\u2026}, \"bytes\": "
      "[BEGIN, END]},\n"
      "and for each invalid call, {\"rejected\": WHY, \"place\", \"expected\", \"found\", "
      "\"bytes\"}.\n"
      "Exit code 1: there are invalid calls. With openai and anthropic the reply is the server's\n"
      "answer, a body or a stream of events, and calls have no \"bytes\"; exit code 4: it is "
      "neither.\n");
  return running(run, options);
}

}  // namespace pedro
