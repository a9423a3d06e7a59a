#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "command.h"
#include "command_page.h"
#include "config/show.h"
#include "example.h"
#include "exit_code_text.h"
#include "job/journal.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

// A shell with programmable completion.
struct CompletionShell {
  std::string_view name;  // "bash"
  std::string_view file;  // name of an installed script
  std::string (*script)(const CommandPage& program);
};

// Returns the names of the command's flags, with those of every command.
std::vector<std::string> flag_names(const CommandPage& command, const CommandPage& program) {
  std::vector<std::string> names;
  for (const auto* flags : {&command.flags, &program.flags}) {
    for (const FlagText& flag : *flags) {
      names.insert(names.end(), flag.names.begin(), flag.names.end());
    }
  }
  return names;
}

std::string command_names(const CommandPage& page) {
  std::vector<std::string> names;
  for (const CommandPage& command : page.commands) names.push_back(command.last_name());
  return join(names, " ");
}

// Returns one case per command below `page`, keyed by the words before the completed one. Longer
// paths precede shorter ones.
std::string bash_cases(const CommandPage& page, const CommandPage& program) {
  std::string cases;
  for (const CommandPage& command : page.commands) {
    cases += bash_cases(command, program);
    cases +=
        fmt::format("    \"{} \"*) words=\"{}{}{}\" ;;\n", command.path, command_names(command),
                    command.commands.empty() ? "" : " ", join(flag_names(command, program), " "));
  }
  return cases;
}

std::string bash(const CommandPage& program) {
  return fmt::format(
      "_pedrocli() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\" before=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do before+=\"${{COMP_WORDS[i]}} \"; done\n"
      "  case \"$before\" in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o default -F _pedrocli pedrocli\n",
      command_names(program), bash_cases(program, program));
}

std::string zsh(const CommandPage& program) {
  return "#compdef pedrocli\nautoload -U +X bashcompinit && bashcompinit\n" + bash(program);
}

// `where`: the condition for completing the commands below `page`. `below`: the condition for
// completing the words of a command, which is appended.
std::string fish_lines(const CommandPage& page, const CommandPage& program,
                       const std::string& where, const std::string& below) {
  std::string text;
  for (const CommandPage& command : page.commands) {
    const std::string name = command.last_name();
    text += fmt::format("complete -c pedrocli -n '{}' -a {} -d '{}'\n", where, name,
                        replace_all(command.help, "'", "\\'"));
    const std::string here = fmt::format("{}__fish_seen_subcommand_from {}", below, name);
    for (const std::string& flag : flag_names(command, program)) {
      text += fmt::format("complete -c pedrocli -n '{}' -o {}\n", here, flag.substr(1));
    }
    text += fish_lines(
        command, program,
        fmt::format("{}; and not __fish_seen_subcommand_from {}", here, command_names(command)),
        here + "; and ");
  }
  return text;
}

std::string fish(const CommandPage& program) {
  return fish_lines(program, program, "__fish_use_subcommand", "");
}

constexpr CompletionShell kShells[] = {
    {"bash", "pedrocli", bash}, {"zsh", "_pedrocli", zsh}, {"fish", "pedrocli.fish", fish}};

// A generated page of docs/reference, in Markdown with lines of at most 120 columns.
struct ReferencePage {
  std::string name;  // "commands.md"
  std::string text;
};

constexpr std::size_t kColumns = 120;

std::string list_item(std::string_view name, std::string_view text) {
  return wrap_text(fmt::format("- `{}`: {}", name, text), kColumns, 2) + "\n";
}

std::string flag_items(std::string_view title, const std::vector<FlagText>& flags) {
  if (flags.empty()) return "";
  std::string text = fmt::format("\n{}:\n\n", title);
  for (const FlagText& flag : flags) text += list_item(flag.heading(), flag.help);
  return text;
}

std::string example_block(const CommandPage& page) {
  std::string text = "\nExamples:\n\n```sh\n";
  for (const Example& example : examples_of(page.path)) {
    if (!example.comment.empty()) text += fmt::format("# {}\n", example.comment);
    text += fmt::format("{}\n", example.line);
  }
  return text + "```\n";
}

std::string command_section(const CommandPage& page) {
  std::string text =
      fmt::format("\n## {}\n\n{}.\n\n```\n{}\n```\n", page.name(), page.help, page.usage);
  text += flag_items("Arguments", page.arguments) + flag_items("Flags", page.flags);
  if (!page.notes.empty()) text += fmt::format("\n```\n{}```\n", page.notes);
  text += example_block(page);
  for (const CommandPage& command : page.commands) text += command_section(command);
  return text;
}

std::string opening(std::string_view title, std::string_view text) {
  return fmt::format("# {}\n\n<!-- Written by `pedrocli docs FOLDER`. Do not edit. -->\n\n{}\n",
                     title, wrap_text(text, kColumns));
}

std::string commands_page(const CommandPage& program) {
  std::string text = opening("Commands",
                             "`pedrocli help COMMAND` prints the same. A flag has one dash or two, "
                             "and may precede or follow the command.");
  CommandPage flags_only = program;
  flags_only.commands.clear();
  flags_only.help = "Every command has these flags";
  text += command_section(flags_only);
  for (const CommandPage& command : program.commands) text += command_section(command);
  return text;
}

std::string config_page() {
  return opening("Settings",
                 "[Configuration](../config.md) describes the files and their order. "
                 "`pedrocli config show -origin` prints the settings in force.") +
         "\n" + config_reference();
}

std::string exit_codes_page() {
  std::string text = opening("Exit codes",
                             "[When it stops](../guide/when-it-stops.md) has the next step for "
                             "each of them.") +
                     "\n";
  for (const ExitCodeText& row : exit_code_texts()) text += list_item(row.code, row.meaning);
  return text;
}

std::string event_items(std::span<const JournalEvent> rows) {
  std::string text;
  for (const JournalEvent& row : rows) text += list_item(row.type, row.fields);
  return text;
}

std::string events_page() {
  return opening("Events of the journal",
                 "Every line of `journal.jsonl` has `ts` (RFC 3339, UTC), `type` and these fields. "
                 "[The journal](../journal.md) describes the values.") +
         "\n" + event_items(journal_events()) +
         "\n## Items\n\nAn item has `id`, which joins its events, and `type`:\n\n" +
         event_items(journal_items());
}

// Writes all reference pages: commands, settings, exit codes and events of the journal.
std::vector<ReferencePage> reference_pages(const CommandPage& program) {
  return {{"commands.md", commands_page(program)},
          {"config.md", config_page()},
          {"exit-codes.md", exit_codes_page()},
          {"events.md", events_page()}};
}

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

// Writes the manual page of a command in section 1, as roff with the macros of man(7). `program`
// is the page of the program, which has the flags of every command.
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

Status write_page(FileSystem& files, const std::string& path, std::string_view text) {
  PEDRO_RETURN_IF_ERROR(files.make_folders(std::string(folder_name(path))));
  return files.write_atomic(path, text);
}

Status write_man_pages(FileSystem& files, const std::string& folder, const CommandPage& page,
                       const CommandPage& program) {
  const std::string path = folder + "/man/man1/" + page.name('-') + ".1";
  PEDRO_RETURN_IF_ERROR(write_page(files, path, man_page(page, program)));
  for (const CommandPage& command : page.commands) {
    Status written = write_man_pages(files, folder, command, program);
    if (!written) return written;
  }
  return {};
}

Result<int> write_docs(FileSystem& files, const std::string& folder, const CommandPage& program) {
  for (const ReferencePage& page : reference_pages(program)) {
    PEDRO_RETURN_IF_ERROR(write_page(files, folder + "/reference/" + page.name, page.text));
  }
  for (const CompletionShell& shell : kShells) {
    PEDRO_RETURN_IF_ERROR(write_page(files, folder + "/completions/" + std::string(shell.file),
                                     shell.script(program)));
  }
  PEDRO_RETURN_IF_ERROR(write_man_pages(files, folder, program, program));
  return kExitDone;
}

}  // namespace

CommandFunction add_completion_command(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const CompletionShell& known : kShells) names.emplace_back(known.name);
  command.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(names));
  const CLI::App* program = command.get_parent();
  return [shell, program](CommandContext&) {
    for (const CompletionShell& known : kShells) {
      if (known.name == *shell) print(known.script(page_of(*program)));
    }
    return static_cast<int>(kExitDone);
  };
}

CommandFunction add_docs_command(CLI::App& command) {
  auto folder = std::make_shared<std::string>();
  command.add_option("folder", *folder, "The folder for them; existing pages are replaced")
      ->required();
  command.footer(
      "Writes reference/*.md, man/man1/*.1 and completions/*. `cmake --install` installs the last\n"
      "two. They come from the same tables as -help.\n");
  const CLI::App* program = command.get_parent();
  return [folder, program](CommandContext& context) {
    return exit_code(write_docs(context.files, *folder, page_of(*program)), context.cancel);
  };
}

}  // namespace pedro
