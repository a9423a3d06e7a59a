#include "prompts/user_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "prompts/front_matter.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxBytes = 64 * 1024;

Result<UserCommand> read_one(const FileSystem& files, const std::string& path,
                             const CommandWarning& warn) {
  const Result<std::string> text = files.read(path, kMaxBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  PEDRO_TRY(const FrontMatter front, parse_front_matter(path, *text));
  UserCommand command;
  const std::string_view file = base_name(path);
  command.name = file.substr(0, file.size() - 3);
  command.place = path;
  for (const FrontMatterEntry& entry : front.entries) {
    if (entry.key == "description") {
      command.description = entry.value;
    } else if (entry.key == "agent") {
      command.agent = entry.value;
    } else {
      warn(fmt::format("{}:{}: '{}' has no effect and is ignored; there are: description, agent",
                       path, entry.line, entry.key));
    }
  }
  command.body = trim(front.body);
  return command;
}

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-/").find(c) != std::string_view::npos;
}

// Returns the size of "@path" at the beginning of `text`, without dots that end a sentence; 0 for
// none.
std::size_t size_of_name(std::string_view text) {
  if (!text.starts_with('@')) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_path_char(text[end])) ++end;
  while (text[end - 1] == '.') --end;
  return end == 1 ? 0 : end;
}

}  // namespace

Result<std::vector<UserCommand>> read_user_commands(const FileSystem& files,
                                                    const std::vector<std::string>& folders,
                                                    const CommandWarning& warn) {
  std::vector<UserCommand> commands;
  for (const std::string& folder : folders) {
    if (folder.empty() || files.info(folder).kind != FileKind::kFolder) continue;
    PEDRO_TRY(const auto entries, files.list(folder));
    for (const FolderEntry& entry : entries) {
      if (entry.kind != FileKind::kFile || !entry.name.ends_with(".md")) continue;
      Result<UserCommand> command = read_one(files, join_path(folder, entry.name), warn);
      if (!command) {
        warn("command left out: " + command.error().message);
        continue;
      }
      const bool known = std::any_of(commands.begin(), commands.end(), [&](const auto& other) {
        return other.name == command->name;
      });
      if (!known) commands.push_back(*std::move(command));
    }
  }
  std::sort(commands.begin(), commands.end(),
            [](const UserCommand& a, const UserCommand& b) { return a.name < b.name; });
  return commands;
}

Result<std::string> expand(const UserCommand& command, const std::vector<std::string>& arguments,
                           const ReadNamedFile& read) {
  static constexpr std::string_view kAll = "$ARGUMENTS";
  std::string out;
  std::string_view rest = command.body;
  while (!rest.empty()) {
    const bool at_begin = out.empty() || out.back() == ' ' || out.back() == '\n';
    const std::size_t name = at_begin ? size_of_name(rest) : 0;
    if (rest.starts_with(kAll)) {
      out += join(arguments, " ");
      rest.remove_prefix(kAll.size());
    } else if (rest.size() > 1 && rest[0] == '$' && rest[1] >= '1' && rest[1] <= '9') {
      const auto index = static_cast<std::size_t>(rest[1] - '1');
      if (index < arguments.size()) out += arguments[index];
      rest.remove_prefix(2);
    } else if (name > 0) {
      const Result<std::string> text = read(std::string(rest.substr(1, name - 1)));
      if (!text) return text.error().at(command.place);
      out += *text;
      rest.remove_prefix(name);
    } else {
      out += rest[0];
      rest.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace pedro
