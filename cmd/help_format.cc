#include "help_format.h"

namespace pedro {

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  if (name.starts_with("--")) name.erase(0, 1);
  return name;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_items_expected_max() == 0) return "";  // a flag
  const std::string& type = option->get_type_name();
  return " " + type.substr(0, type.find(':'));  // without the range, which the description contains
}

}  // namespace pedro
