#include "command_page.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "help_format.h"

namespace pedro {
namespace {

FlagText flag_text(const CLI::Option& option) {
  const HelpFormat format;
  FlagText flag;
  flag.value = trim(format.make_option_opts(&option));
  flag.help = replace_all(option.get_description(), "\n", " ");
  for (const std::string& name : option.get_lnames()) flag.names.push_back("-" + name);
  if (option.get_positional()) flag.names = {format.make_option_name(&option, true)};
  return flag;
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  const std::string usage = HelpFormat().make_usage(&app, name);
  return std::string(trim(std::string_view(usage).substr(usage.find(':') + 1)));
}

}  // namespace

std::string FlagText::heading() const {
  return join(names, ", ") + (value.empty() ? "" : " " + value);
}

std::string CommandPage::name(char separator) const {
  std::string words = path.empty() ? "pedrocli" : "pedrocli " + path;
  std::replace(words.begin(), words.end(), ' ', separator);
  return words;
}

CommandPage page_of(const CLI::App& app) {
  CommandPage page;
  page.path = path_of(app);
  page.help = app.get_description();
  page.usage = usage_of(app, page.name());
  page.notes = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? page.arguments : page.flags).push_back(flag_text(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    page.commands.push_back(page_of(*command));
  }
  return page;
}

std::string path_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "";
  const std::string above = path_of(*app.get_parent());
  return above.empty() ? app.get_name() : above + " " + app.get_name();
}

}  // namespace pedro
