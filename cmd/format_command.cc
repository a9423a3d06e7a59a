#include "format_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/json.h"
#include "chat_format/format_family.h"
#include "messages_api/message_format.h"

namespace pedro {
namespace {

struct Row {
  std::string_view name;
  std::string_view about;
  std::string_view vocabulary;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const FormatFamily& family : format_families()) {
    all.push_back({family.name, family.about, family.vocabulary});
  }
  for (const MessageFormatRow& row : message_formats()) all.push_back({row.name, row.about, ""});
  return all;
}

int run(const CommandContext& context) {
  std::size_t width = 0;
  for (const Row& row : rows()) width = std::max(width, row.name.size());
  for (const auto& [name, about, vocabulary] : rows()) {
    if (context.global.json) {
      print_json({{"name", name}, {"about", about}, {"vocabulary", vocabulary}});
    } else {
      print(fmt::format("{:<{}}  {}\n", name, width, about));
    }
  }
  return kExitDone;
}

CommandFunction add_format_list(CLI::App&) {
  return [](CommandContext& context) { return run(context); };
}

}  // namespace

std::string to_ascii_line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

CommandFunction add_format_command(CLI::App& command) {
  static constexpr CommandEntry kCommands[] = {
      {"learn", "Print the format of a server's own chat template", add_format_learn},
      {"list", "List the known formats", add_format_list},
      {"parse", "Print the calls in a model's reply", add_format_parse},
      {"render", "Print a conversation as text or token ids", add_format_render},
  };
  return add_commands_below(
      command, kCommands,
      "Exit codes: 0 done, 1 the conversation is invalid, the reply contains an invalid call,\n"
      "or the server writes turns differently, 2 usage, 3 configuration, 4 the server.\n");
}

}  // namespace pedro
