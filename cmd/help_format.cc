#include "help_format.h"

#include <fmt/format.h>

#include <cctype>

#include "command_page.h"
#include "example.h"
#include "exit_code_text.h"

namespace pedro {
namespace {

std::string exit_codes() {
  std::string text = "\nExit codes:\n";
  for (const ExitCodeText& row : exit_code_texts()) {
    text += fmt::format("  {:<9}{}\n", row.code, row.meaning);
  }
  return text;
}

}  // namespace

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  if (name.starts_with("--")) name.erase(0, 1);
  if (is_positional) {
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  // Neither a flag nor an argument, whose name is the name of its value.
  if (option->get_items_expected_max() == 0 || option->get_positional()) return "";
  const std::string& type = option->get_type_name();
  return " " + type.substr(0, type.find(':'));  // without the range, which the description contains
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  std::string text = "Examples:\n";
  for (const Example& example : examples_of(path_of(*app))) {
    text += fmt::format("  {:<36}", example.line);
    if (!example.comment.empty()) text += fmt::format("  {}", example.comment);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  if (app->get_parent() == nullptr) return text + exit_codes();
  if (!app->get_footer().empty()) text += "\n" + app->get_footer();
  return text + "\nFlags of every command: see `pedrocli -help`.\n";
}

}  // namespace pedro
