#include <CLI/CLI.hpp>
#include <memory>

#include "agent_setup.h"
#include "base/json.h"
#include "command.h"
#include "config/show.h"

namespace pedro {
namespace {

int show(CommandContext& context, ShowOrigin origin) {
  const Result<std::string> folder = find_project(context, "");
  if (!folder) return report_error(folder.error(), context.cancel);
  const Result<LoadedConfig> config = load_command_config(context, *folder);
  if (!config) return report_error(config.error(), context.cancel);
  if (Status valid = check_settings(context, *config, *folder); !valid) {
    return report_error(valid.error(), context.cancel);
  }
  if (!context.global.json) {
    print(render_config(*config, origin));
    return kExitDone;
  }
  for (const ConfigRow& row : explain(*config)) {
    const Result<Json> value = parse_json(row.value);
    print(to_line({{"key", row.key},
                   {"value", value ? *value : Json(row.value)},
                   {"origin", row.origin}}) +
          "\n");
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_config_command(CLI::App& command) {
  auto origin = std::make_shared<bool>(false);
  auto what = std::make_shared<std::string>("show");
  command
      .add_option("what", *what, "show: the settings in force; example: a file with all defaults")
      ->check(CLI::IsMember({"show", "example"}));
  command.add_flag("--origin", *origin, "Also show where each value comes from");
  return [origin, what](CommandContext& context) {
    if (*what == "example") {
      print(example_config());
      return static_cast<int>(kExitDone);
    }
    return show(context, *origin ? ShowOrigin::kYes : ShowOrigin::kNo);
  };
}

}  // namespace pedro
