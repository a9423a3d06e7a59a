#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/json.h"
#include "chat_format/format_family.h"
#include "format_command.h"
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
      print(to_line({{"name", name}, {"about", about}, {"vocabulary", vocabulary}}) + "\n");
    } else {
      print(fmt::format("{:<{}}  {}\n", name, width, about));
    }
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_format_list(CLI::App&) {
  return [](CommandContext& context) { return run(context); };
}

}  // namespace pedro
