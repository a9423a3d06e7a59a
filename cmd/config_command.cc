#include <CLI/CLI.hpp>
#include <memory>

#include "agent_setup.h"
#include "base/json.h"
#include "command.h"
#include "config/show.h"

namespace pedro {
namespace {

Result<int> show(CommandContext& context, ShowOrigin origin) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  PEDRO_RETURN_IF_ERROR(check_settings(context, config));
  if (!context.global.json) {
    print(render_config(config, origin));
    return kExitDone;
  }
  for (const ConfigRow& row : explain(config)) {
    const Result<Json> value = parse_json(row.value);
    print_json(
        {{"key", row.key}, {"value", value ? *value : Json(row.value)}, {"origin", row.origin}});
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
    const ShowOrigin shown = *origin ? ShowOrigin::kYes : ShowOrigin::kNo;
    return exit_code(show(context, shown), context.cancel);
  };
}

}  // namespace pedro
