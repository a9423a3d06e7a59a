#include "reference_page.h"

#include <fmt/format.h>

#include <string_view>

#include "base/text.h"
#include "config/show.h"
#include "example.h"
#include "exit_code_text.h"
#include "job/journal.h"

namespace pedro {
namespace {

constexpr std::size_t kColumns = 120;

std::string list_item(std::string_view name, std::string_view text) {
  return wrap_text(fmt::format("- `{}`: {}", name, text), kColumns, 2) + "\n";
}

std::string flag_items(std::string_view title, const std::vector<FlagText>& flags) {
  if (flags.empty()) return "";
  std::string text = fmt::format("\n{}:\n\n", title);
  for (const FlagText& flag : flags) text += list_item(flag.heading(), flag.help);
  return text;
}

std::string example_block(const CommandPage& page) {
  std::string text = "\nExamples:\n\n```sh\n";
  for (const Example& example : examples_of(page.path)) {
    if (!example.comment.empty()) text += fmt::format("# {}\n", example.comment);
    text += fmt::format("{}\n", example.line);
  }
  return text + "```\n";
}

std::string command_section(const CommandPage& page) {
  std::string text =
      fmt::format("\n## {}\n\n{}.\n\n```\n{}\n```\n", page.name(), page.help, page.usage);
  text += flag_items("Arguments", page.arguments) + flag_items("Flags", page.flags);
  if (!page.notes.empty()) text += fmt::format("\n```\n{}```\n", page.notes);
  text += example_block(page);
  for (const CommandPage& command : page.commands) text += command_section(command);
  return text;
}

std::string opening(std::string_view title, std::string_view text) {
  return fmt::format("# {}\n\n<!-- Written by `pedrocli docs FOLDER`. Do not edit. -->\n\n{}\n",
                     title, wrap_text(text, kColumns));
}

std::string commands_page(const CommandPage& program) {
  std::string text = opening("Commands",
                             "`pedrocli help COMMAND` prints the same. A flag has one dash or two, "
                             "and may precede or follow the command.");
  CommandPage flags_only = program;
  flags_only.commands.clear();
  flags_only.help = "Every command has these flags";
  text += command_section(flags_only);
  for (const CommandPage& command : program.commands) text += command_section(command);
  return text;
}

std::string config_page() {
  return opening("Settings",
                 "[Configuration](../config.md) describes the files and their order. "
                 "`pedrocli config show -origin` prints the settings in force.") +
         "\n" + config_reference();
}

std::string exit_codes_page() {
  std::string text = opening("Exit codes",
                             "[When it stops](../guide/when-it-stops.md) has the next step for "
                             "each of them.") +
                     "\n";
  for (const ExitCodeText& row : exit_code_texts()) text += list_item(row.code, row.meaning);
  return text;
}

std::string event_items(std::span<const JournalEvent> rows) {
  std::string text;
  for (const JournalEvent& row : rows) text += list_item(row.type, row.fields);
  return text;
}

std::string events_page() {
  return opening("Events of the journal",
                 "Every line of `journal.jsonl` has `ts` (RFC 3339, UTC), `type` and these fields. "
                 "[The journal](../journal.md) describes the values.") +
         "\n" + event_items(journal_events()) +
         "\n## Items\n\nAn item has `id`, which joins its events, and `type`:\n\n" +
         event_items(journal_items());
}

}  // namespace

std::vector<ReferencePage> reference_pages(const CommandPage& program) {
  return {{"commands.md", commands_page(program)},
          {"config.md", config_page()},
          {"exit-codes.md", exit_codes_page()},
          {"events.md", events_page()}};
}

}  // namespace pedro
