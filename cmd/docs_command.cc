#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "completion_script.h"
#include "man_page.h"
#include "reference_page.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

Status write_page(FileSystem& files, const std::string& path, std::string_view text) {
  if (Status made = files.make_folders(std::string(folder_name(path))); !made) return made;
  return files.write_atomic(path, text);
}

Status write_man_pages(FileSystem& files, const std::string& folder, const CommandPage& page,
                       const CommandPage& program) {
  const std::string path = folder + "/man/man1/" + page.name('-') + ".1";
  if (Status written = write_page(files, path, man_page(page, program)); !written) return written;
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
  for (const CompletionShell& shell : completion_shells()) {
    PEDRO_RETURN_IF_ERROR(write_page(files, folder + "/completions/" + std::string(shell.file),
                                     shell.script(program)));
  }
  if (Status written = write_man_pages(files, folder, program, program); !written) {
    return written.error();
  }
  return kExitDone;
}

}  // namespace

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
