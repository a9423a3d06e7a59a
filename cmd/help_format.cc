#include "help_format.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "command_page.h"
#include "example.h"
#include "exit_code_text.h"

namespace pedro {
namespace {

std::string exit_codes() {
  std::string text = "\nExit codes:\n";
  for (const ExitCodeText& row : exit_code_texts()) {
    text += fmt::format("  {:<9}{}\n", row.code, row.meaning);
  }
  return text;
}

struct FlagValue {
  std::string_view flag;  // "max", or "blog out" for one command
  std::string_view name;
};

// The first match applies, so rows for one command come first.
// clang-format off
constexpr FlagValue kFlagValues[] = {
    {"blog out", "FOLDER"}, {"count model", "NAME"}, {"encode model", "NAME"},
    {"decode model", "NAME"}, {"show model", "NAME"}, {"add to", "FOLDER"},

    {"a", "VOCABULARY"}, {"after", "JOB"}, {"agent", "NAME"}, {"at", "MESSAGE"}, {"b", "VOCABULARY"},
    {"backend", "KIND"}, {"base", "REF"}, {"config", "FILE"}, {"content", "TEXT"},
    {"ctx", "TOKENS"}, {"debug", "TOPICS"}, {"description", "TEXT"}, {"error-logs", "FILE"},
    {"fidelity", "SOURCE"}, {"html", "FILE"}, {"jobs", "COUNT"}, {"keep", "COUNT"},
    {"image", "FILE"}, {"label", "TEXT"}, {"lang", "LANGUAGE"}, {"logs", "FILE"}, {"max", "COUNT"},
    {"max-cost", "DOLLARS"}, {"max-rounds", "COUNT"}, {"max-text", "CHARACTERS"},
    {"max-time", "DURATION"}, {"max-tokens", "TOKENS"}, {"metrics-file", "FILE"},
    {"hf", "OWNER/REPO"}, {"port", "PORT"}, {"slots", "COUNT"}, {"model", "PATTERN"}, {"model-url", "URL"}, {"older", "DURATION"}, {"only", "NAME"},
    {"out", "FILE"}, {"phase", "NAME"}, {"plan", "FILE"}, {"pr", "NUMBER"}, {"prompt", "TEXT"},
    {"publish", "COMMAND"}, {"record", "FILE"}, {"replay", "FILE"}, {"research", "SOURCE"},
    {"resume", "JOB"}, {"runs", "COUNT"}, {"sarif", "FILE"}, {"server", "URL"},
    {"since", "DURATION"}, {"specials", "NAMES"}, {"state", "FILE"}, {"strategies", "NAMES"},
    {"style", "PATH"}, {"symptoms", "TEXT"}, {"task", "NAME"}, {"test-cmd", "COMMAND"},
    {"timeout", "SECONDS"}, {"title", "TEXT"}, {"to", "ROUND"}, {"tool", "NAME"},
    {"tools", "FILE"}, {"vocab", "VOCABULARY"}, {"words", "COUNT"}, {"workdir", "FOLDER"},
    {"format", "NAME"}, {"grace", "DURATION"}, {"junit", "FILE"}, {"shard", "I/N"},
};
// clang-format on

std::string value_name(const std::string& flag, const std::string& command) {
  for (const FlagValue& row : kFlagValues) {
    if (row.flag == flag || row.flag == command + " " + flag) return std::string(row.name);
  }
  std::string name;
  for (const char c : flag) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  if (name.starts_with("--")) name.erase(0, 1);
  if (is_positional) {
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  // Neither a flag nor an argument, whose name is the name of its value.
  if (option->get_items_expected_max() == 0 || option->get_positional()) return "";
  const std::string& type = option->get_type_name();
  return " " + type.substr(0, type.find(':'));  // without the range, which the description contains
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  std::string text = "Examples:\n";
  for (const Example& example : examples_of(path_of(*app))) {
    text += fmt::format("  {:<36}", example.line);
    if (!example.comment.empty()) text += fmt::format("  {}", example.comment);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (app->get_parent() == nullptr) return text + exit_codes();
  if (!app->get_footer().empty()) text += "\n" + app->get_footer();
  return text + "\nFlags of every command: see `pedrocli -help`.\n";
}

void name_flag_values(CLI::App& app) {
  const auto all = [](const auto*) { return true; };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0 || option->get_lnames().empty()) continue;
    option->type_name(value_name(option->get_lnames().back(), app.get_name()));
  }
  for (CLI::App* command : app.get_subcommands(all)) name_flag_values(*command);
}

}  // namespace pedro
