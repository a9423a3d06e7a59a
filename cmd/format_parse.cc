#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/json.h"
#include "format/call_parser.h"
#include "format/callable_tools.h"
#include "format/format_family.h"
#include "format_command.h"
#include "text_input.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxReplyBytes = 16U << 20U;
constexpr std::uint64_t kMaxToolsBytes = 16U << 20U;

struct ParseOptions {
  std::string format;
  std::string tools;
  std::string file;
};

Json in_json(const ParsedCall& call) {
  Json line = {{"tool", call.tool}, {"args", call.args}};
  if (!call.id.empty()) line["id"] = call.id;
  line["bytes"] = {call.where.begin, call.where.end};
  return line;
}

Json in_json(const RejectedText& rejected) {
  const CallProblem& problem = rejected.problem;
  return {{"rejected", to_string(problem.kind)},
          {"place", problem.place},
          {"expected", problem.expected},
          {"found", problem.found},
          {"bytes", {rejected.where.begin, rejected.where.end}}};
}

// In ASCII: what a model wrote must not steer a terminal.
std::string to_ascii_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Result<CallableTools> read_tools(const CommandContext& context, const std::string& file) {
  if (file.empty()) return CallableTools();
  const Result<TextInput> input = read_input(context.files, file, kMaxToolsBytes);
  if (!input) return input.error();
  Result<CallableTools> tools = CallableTools::read(input->text);
  if (!tools) return tools.error().at(input->name);
  return tools;
}

// A name of `format list`, whose calls the table of syntaxes has.
Result<CallSyntax> syntax_named(const std::string& format) {
  const auto syntax = call_syntax_of(format);
  if (syntax) return *syntax;
  const auto family = find_format(format);
  if (!family) return family.error();
  return Error{ErrorKind::kUsage, fmt::format("calls of format {} cannot be read", format)};
}

int run(CommandContext& context, const ParseOptions& options) {
  const Result<CallSyntax> syntax = syntax_named(options.format);
  if (!syntax) return report_error(syntax.error(), context.cancel);
  const Result<CallableTools> tools = read_tools(context, options.tools);
  if (!tools) return report_error(tools.error(), context.cancel);
  const Result<TextInput> input = read_input(context.files, options.file, kMaxReplyBytes);
  if (!input) return report_error(input.error(), context.cancel);
  int code = kExitDone;
  for (const CallPart& part : parse_calls(input->text, *syntax, tools->branches())) {
    print(to_ascii_line(std::visit([](const auto& one) { return in_json(one); }, part)));
    if (std::holds_alternative<RejectedText>(part)) code = kExitNo;
  }
  return code;
}

}  // namespace

CommandFunction add_format_parse(CLI::App& command) {
  auto options = std::make_shared<ParseOptions>();
  command.add_option("--format", options->format, "A name of `pedrocli format list`")->required();
  command.add_option("--tools", options->tools,
                     "The tools that can be called, as JSON: a list of them, or a request with "
                     "\"tools\"; without it every call will do");
  command
      .add_option("file", options->file,
                  "The reply as the model wrote it: a file, or - for standard input")
      ->required();
  add_example(
      command,
      "A line of JSON for each call, {\"tool\": NAME, \"args\": {\u2026}, \"bytes\": [BEGIN, "
      "END]}, and "
      "for each\n"
      "text that looks like a call but is none, {\"rejected\": WHY, \"place\", \"expected\", "
      "\"found\", \"bytes\"}.\n"
      "Exit code 1 if there is one of these.\n");
  return [options](CommandContext& context) { return run(context, *options); };
}

}  // namespace pedro
