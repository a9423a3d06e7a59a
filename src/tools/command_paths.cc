#include "tools/command_paths.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr int kMaxQuotes = 2;  // quoted commands within each other
constexpr std::size_t kMaxCommandFolders = 8;
constexpr std::string_view kEnds = ";&|()<>`\n";
// Words that another command can follow.
constexpr std::array<std::string_view, 15> kStarters = {
    "exec", "env", "command", "time", "sh", "bash",   "then", "do",
    "else", "if",  "!",       "{",    ".",  "source", "nohup"};
constexpr std::array<std::string_view, 8> kRoots = {"$(git rev-parse --show-toplevel)",
                                                    "`git rev-parse --show-toplevel`",
                                                    "${GIT_WORK_TREE}",
                                                    "$GIT_WORK_TREE",
                                                    "$(pwd)",
                                                    "`pwd`",
                                                    "${PWD}",
                                                    "$PWD"};

class CommandReader {
 public:
  CommandReader(const std::string& folder, const std::string& home, int quotes)
      : folders_{folder}, home_(home), quotes_(quotes) {}

  std::vector<CommandPath> read(std::string_view text) {
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
        word_ += text[++i];
      } else if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word_ += c;
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == ' ' || c == '\t' || kEnds.find(c) != kEnds.npos) {
        end_word();
        if (kEnds.find(c) != kEnds.npos) is_first_ = true;
        follows_output_ = c == ')' || c == '`';  // of a command, such as $(dirname "$0")/x
      } else {
        word_ += c;
      }
    }
    end_word();
    return std::move(paths_);
  }

 private:
  void end_word() {
    std::string word = std::exchange(word_, "");
    if (word.empty()) return;
    const bool is_command = word.find_first_of(" ;&|(`") != word.npos;
    if (is_command && quotes_ < kMaxQuotes) {
      for (const std::string& folder : folders_) {
        auto inner = CommandReader(folder, home_, quotes_ + 1).read(word);
        std::move(inner.begin(), inner.end(), std::back_inserter(paths_));
      }
    }
    const std::size_t equals = word.find('=');
    const bool assigns = is_first_ && equals < word.find('/');
    if (equals < word.find('/')) word.erase(0, equals + 1);
    add(word, is_first_ && !assigns && !is_command);
    const bool starts =
        assigns || std::find(kStarters.begin(), kStarters.end(), word) != kStarters.end();
    is_first_ = is_first_ && (starts || word.starts_with('-'));
    is_after_cd_ = word == "cd";
  }

  void add(std::string_view word, bool is_program) {
    std::string path = expanded_home(word, home_);
    if (path.starts_with('$')) path.erase(0, std::min(path.find('/'), path.size()) + 1);
    if (std::exchange(follows_output_, false) && path.starts_with('/')) path.erase(0, 1);
    if (path.empty()) return;
    is_program = is_program && path.find('/') != path.npos && !path.ends_with('/');
    for (std::size_t i = 0, count = folders_.size(); i < count; ++i) {
      std::string absolute = normal_path(join_path(folders_[i], path));
      if (is_after_cd_ && folders_.size() < kMaxCommandFolders) folders_.push_back(absolute);
      paths_.push_back({std::move(absolute), is_program});
    }
  }

  std::vector<std::string> folders_;  // where the command may be
  const std::string& home_;
  int quotes_;
  std::string word_;
  bool is_first_ = true;
  bool is_after_cd_ = false;
  bool follows_output_ = false;
  std::vector<CommandPath> paths_;
};

}  // namespace

std::string expanded_home(std::string_view path, const std::string& home) {
  for (const std::string_view begin : {"~", "$HOME", "${HOME}"}) {
    if (home.empty() || !path.starts_with(begin)) continue;
    const std::string_view rest = path.substr(begin.size());
    if (rest.empty() || rest.starts_with('/')) return home + std::string(rest);
  }
  return std::string(path);
}

std::vector<CommandPath> paths_in_command(std::string_view text, const std::string& folder,
                                          const std::string& home) {
  std::string plain(text);
  for (const std::string_view root : kRoots) plain = replace_all(plain, root, folder);
  return CommandReader(folder, home, 0).read(plain);
}

}  // namespace pedro
