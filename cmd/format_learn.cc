#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.h"
#include "base/utf8.h"
#include "find_server.h"
#include "format_command.h"
#include "llm/llama_client.h"
#include "model_factory.h"
#include "template_learner/choose_format.h"
#include "tokenizer/server_tokenizer.h"

namespace pedro {
namespace {

struct LearnOptions {
  std::string format;
};

// Returns the effect of a gap for users of the format.
std::string_view consequence_of(FormatGap::Kind kind) {
  switch (kind) {
    case FormatGap::Kind::kOwnPrompt:
      return "pedrocli writes none: give a system prompt";
    case FormatGap::Kind::kDate:
      return "the date does not change during a conversation";
    case FormatGap::Kind::kReply:
    case FormatGap::Kind::kThinking:
      return "a continued conversation keeps its own tokens, so nothing is evaluated twice";
    case FormatGap::Kind::kTools:
    case FormatGap::Kind::kCalls:
      return "if one of tools, calls and results is missing, all three are written as plain text";
    case FormatGap::Kind::kResults:
    case FormatGap::Kind::kText:
      return "such turns differ from those that the model was trained on";
    case FormatGap::Kind::kSystem:
    case FormatGap::Kind::kTurns:
    case FormatGap::Kind::kBlanks:
    case FormatGap::Kind::kEmpty:
      return "such conversations differ from those that the model was trained on";
  }
  return "";
}

// Converts a family to a row of families.json.
Json row_of(const FormatFamily& family) {
  Json row = {{"name", family.name}, {"about", family.about}};
  if (const auto* rules = std::get_if<TurnRules>(&family.rules)) {
    row.update(write_turn_rules(*rules));
  }
  return row;
}

std::string in_json(const ChosenFormat& chosen) {
  Json out = {{"format", chosen.family.name},
              {"learned", chosen.is_learned},
              {"likeness", to_string(chosen.likeness)},
              {"calls", chosen.syntax ? Json(to_string(*chosen.syntax)) : Json()},
              {"gaps", Json::array()},
              {"requests", chosen.requests}};
  for (const FormatGap& gap : chosen.gaps) {
    out["gaps"].push_back({{"kind", to_string(gap.kind)}, {"what", gap.what}});
  }
  if (chosen.is_learned) out["row"] = row_of(chosen.family);
  return to_ascii_line(out);
}

std::string headline(const ChosenFormat& chosen) {
  const std::string_view name = chosen.family.name;
  switch (chosen.likeness) {
    case ChosenFormat::Likeness::kAll:
      return fmt::format(
          "{}: turns, tools, calls and results are written as the server's chat "
          "template writes them\n",
          name);
    case ChosenFormat::Likeness::kTurns:
      return fmt::format(
          "{}: turns are written as the server's chat template writes them, but tools are not\n",
          name);
    case ChosenFormat::Likeness::kNone:
      return fmt::format(
          "{}: not all turns are written as the server's chat template writes "
          "them\n",
          name);
  }
  return "";
}

std::string in_text(const ChosenFormat& chosen) {
  std::string out = headline(chosen);
  if (chosen.is_learned) out += to_ascii_line(row_of(chosen.family));
  for (const FormatGap& gap : chosen.gaps) {
    out += make_printable(fmt::format("{:<10} {}; {}", to_string(gap.kind), gap.what,
                                      consequence_of(gap.kind))) +
           "\n";
  }
  return out;
}

Result<ChosenFormat> learn(CommandContext& context, const LearnOptions& options) {
  PEDRO_TRY(LoadedConfig config, load_project_config(context));
  PEDRO_TRY(const Trace trace, make_trace(context.global));
  PEDRO_RETURN_IF_ERROR(require_llama_server(config));
  PEDRO_RETURN_IF_ERROR(find_server(context, config, ServerKinds::kLlamaServer));
  GenerateEvents events;
  PEDRO_TRY(ServerOptions settings, client_options(context, config, trace, events));
  CurlHttp http;
  LlamaClient client(http, std::move(settings), context.cancel);
  PEDRO_RETURN_IF_ERROR(client.wait_until_ready());
  PEDRO_RETURN_IF_ERROR(client.props());
  LlamaTemplate served(client);
  ServerTokenizer tokenizer(client.poster());
  return choose_format(served, tokenizer, options.format);
}

Result<int> run(CommandContext& context, const LearnOptions& options) {
  PEDRO_TRY(const ChosenFormat chosen, learn(context, options));
  print(context.global.json ? in_json(chosen) : in_text(chosen));
  return chosen.likeness == ChosenFormat::Likeness::kNone ? kExitNo : kExitDone;
}

}  // namespace

CommandFunction add_format_learn(CLI::App& command) {
  auto options = std::make_shared<LearnOptions>();
  command.add_option("--format", options->format,
                     "Compare the template with this format only; \"learned\": learn it even if it "
                     "is a known one");
  command.footer(
      "Asks a llama-server (-model-url) how its own chat template writes conversations, and "
      "prints\n"
      "the known format that matches, or else a row for families.json, and the differences of the\n"
      "template. Exit code 1: turns differ, even without tools.\n");
  return running(run, options);
}

}  // namespace pedro
