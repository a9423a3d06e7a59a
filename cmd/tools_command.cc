#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "tools/registry.h"

namespace pedro {
namespace {

std::string list(const Registry& registry) {
  std::string text;
  for (const Manifest& tool : registry.manifests()) {
    for (const ActionManifest& action : tool.actions) {
      text += fmt::format("{:<10} {:<18} {:<8} {}\n", tool.name, action.name,
                          to_string(action.permission), action.about);
    }
  }
  return text;
}

std::string json_lines(const Manifest& tool) {
  std::string text;
  for (const ActionManifest& action : tool.actions) {
    text += to_line({{"tool", tool.name},
                     {"action", action.name},
                     {"permission", to_string(action.permission)},
                     {"about", action.about},
                     {"args", action.schema_json}}) +
            "\n";
  }
  return text;
}

std::string list_json(const Registry& registry) {
  std::string text;
  for (const Manifest& tool : registry.manifests()) text += json_lines(tool);
  return text;
}

Result<int> show_tools(CommandContext& context, const std::string& what, const std::string& name) {
  PEDRO_TRY(const std::string folder, find_project(context, ""));
  PEDRO_TRY(const Registry registry,
            Registry::open(context.files, join_path(folder, ".pedro/tools")));
  if (what == "list") {
    print(context.global.json ? list_json(registry) : make_printable(list(registry)));
    return kExitDone;
  }
  const Manifest* tool = registry.find(name);
  if (tool == nullptr) {
    return usage_error(fmt::format("tools show: no tool '{}'{}; there are: {}", name,
                                   did_you_mean(name, registry.names()),
                                   join(registry.names(), ", ")));
  }
  print(context.global.json ? json_lines(*tool) : make_printable(describe(*tool)));
  return kExitDone;
}

}  // namespace

CommandFunction add_tools_command(CLI::App& command) {
  auto what = std::make_shared<std::string>("list");
  auto name = std::make_shared<std::string>();
  command
      .add_option("what", *what,
                  "list: all actions of all tools; show NAME: one tool as the model sees it")
      ->check(CLI::IsMember({"list", "show"}));
  command.add_option("name", *name, "The tool to show");
  return [what, name](CommandContext& context) {
    return exit_code(show_tools(context, *what, *name), context.cancel);
  };
}

}  // namespace pedro
