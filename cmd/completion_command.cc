#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "completion_script.h"

namespace pedro {

CommandFunction add_completion_command(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const CompletionShell& known : completion_shells()) names.emplace_back(known.name);
  command.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(names));
  const CLI::App* program = command.get_parent();
  return [shell, program](CommandContext&) {
    for (const CompletionShell& known : completion_shells()) {
      if (known.name == *shell) print(known.script(page_of(*program)));
    }
    return static_cast<int>(kExitDone);
  };
}

}  // namespace pedro
