#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/json.h"
#include "format/format_family.h"
#include "format_command.h"

namespace pedro {
namespace {

int run(const CommandContext& context) {
  std::size_t width = 0;
  for (const FormatFamily& family : format_families()) width = std::max(width, family.name.size());
  for (const FormatFamily& family : format_families()) {
    if (context.global.json) {
      print(
          to_line(
              {{"name", family.name}, {"about", family.about}, {"vocabulary", family.vocabulary}}) +
          "\n");
    } else {
      print(fmt::format("{:<{}}  {}\n", family.name, width, family.about));
    }
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_format_list(CLI::App&) {
  return [](CommandContext& context) { return run(context); };
}

}  // namespace pedro
