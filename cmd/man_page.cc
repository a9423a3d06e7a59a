#include "man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "base/text.h"
#include "example.h"
#include "exit_code_text.h"

namespace pedro {
namespace {

// Escapes text: a backslash, hyphens to copy, and a line start that roff would read as a request.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

std::string flag_list(const std::vector<FlagText>& flags) {
  std::string text;
  for (const FlagText& flag : flags) {
    text +=
        fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(join(flag.names, ", ")),
                    flag.value.empty() ? "" : " \\fI" + roff(flag.value) + "\\fR", roff(flag.help));
  }
  return text;
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string command_list(const CommandPage& page) {
  std::string text;
  for (const CommandPage& command : page.commands) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(command.name('-')), roff(command.help));
  }
  return text;
}

std::string example_list(const CommandPage& page) {
  std::string text;
  for (const Example& example : examples_of(page.path)) {
    text += ".PP\n";
    if (!example.comment.empty()) text += roff(fmt::format("{}:\n", example.comment));
    text += fmt::format(".nf\n    {}\n.fi\n", roff(example.line));
  }
  return text;
}

std::string exit_code_list() {
  std::string text;
  for (const ExitCodeText& row : exit_code_texts()) {
    text += fmt::format(".TP\n{}\n{}\n", row.code, roff(row.meaning));
  }
  return text;
}

std::string notes_of(const CommandPage& page) {
  return page.notes.empty() ? "" : fmt::format(".nf\n{}.fi\n", roff(page.notes));
}

}  // namespace

std::string man_page(const CommandPage& page, const CommandPage& program) {
  const bool is_program = page.path.empty();
  std::string text = fmt::format(".TH {} 1 \"\" \"pedrocli {}\" \"User Commands\"\n",
                                 roff(page.name('-')), PEDROCLI_VERSION);
  text += section("NAME", fmt::format("{} \\- {}\n", roff(page.name('-')), roff(page.help)));
  text += section("SYNOPSIS", fmt::format("\\fB{}\\fR\n", roff(page.usage)));
  text += section("ARGUMENTS", flag_list(page.arguments));
  text += section("COMMANDS", command_list(page));
  text += section("OPTIONS", flag_list(page.flags));
  if (!is_program) text += section("OPTIONS OF EVERY COMMAND", flag_list(program.flags));
  text += section("NOTES", notes_of(page));
  text += section("EXAMPLES", example_list(page));
  text += section("EXIT STATUS", exit_code_list());
  return text + (is_program ? "" : section("SEE ALSO", ".BR pedrocli (1)\n"));
}

}  // namespace pedro
