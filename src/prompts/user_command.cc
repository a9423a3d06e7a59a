#include "prompts/user_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "prompts/front_matter.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxBytes = 64 * 1024;

Result<UserCommand> read_one(const FileSystem& files, const std::string& path) {
  const Result<std::string> text = files.read(path, kMaxBytes);
  if (!text) return Error{ErrorKind::kConfig, text.error().message};
  const Result<FrontMatter> front = parse_front_matter(path, *text);
  if (!front) return front.error();
  UserCommand command;
  const std::string_view file = base_name(path);
  command.name = file.substr(0, file.size() - 3);
  command.place = path;
  for (const FrontMatterEntry& entry : front->entries) {
    if (entry.key == "description") {
      command.description = entry.value;
    } else if (entry.key == "agent") {
      command.agent = entry.value;
    } else {
      return Error{ErrorKind::kConfig,
                   fmt::format("{}:{}: unknown key '{}'; there are: description, agent", path,
                               entry.line, entry.key)};
    }
  }
  command.body = trim(front->body);
  return command;
}

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-/").find(c) != std::string_view::npos;
}

}  // namespace

Result<std::vector<UserCommand>> read_user_commands(const FileSystem& files,
                                                    const std::vector<std::string>& folders) {
  std::vector<UserCommand> commands;
  for (const std::string& folder : folders) {
    if (folder.empty() || files.info(folder).kind != FileKind::kFolder) continue;
    const auto entries = files.list(folder);
    if (!entries) return entries.error();
    for (const FolderEntry& entry : *entries) {
      if (entry.kind != FileKind::kFile || !entry.name.ends_with(".md")) continue;
      Result<UserCommand> command = read_one(files, join_path(folder, entry.name));
      if (!command) return command.error();
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
    if (rest.starts_with(kAll)) {
      out += join(arguments, " ");
      rest.remove_prefix(kAll.size());
    } else if (rest.size() > 1 && rest[0] == '$' && rest[1] >= '1' && rest[1] <= '9') {
      const auto index = static_cast<std::size_t>(rest[1] - '1');
      if (index < arguments.size()) out += arguments[index];
      rest.remove_prefix(2);
    } else if (rest[0] == '@' && at_begin && rest.size() > 1 && is_path_char(rest[1])) {
      std::size_t end = 1;
      while (end < rest.size() && is_path_char(rest[end])) ++end;
      while (rest[end - 1] == '.') --end;  // the end of a sentence
      const Result<std::string> text = read(std::string(rest.substr(1, end - 1)));
      if (!text) return text.error().at(command.place);
      out += *text;
      rest.remove_prefix(end);
    } else {
      out += rest[0];
      rest.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace pedro
