#include "agent/shown_files.h"

#include <algorithm>
#include <set>

#include "agent/suspects.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "tools/line_table.h"
#include "tools/source_outline.h"

namespace pedro {
namespace {

constexpr long long kUnknownWindowFileTokens = 4096;

constexpr double kPointedScore = 20;      // the file defines a named function
constexpr std::size_t kMaxFunctions = 3;  // per partly shown file
constexpr std::size_t kMaxPartLines = 300;
constexpr const char* kGap = "...\n";

// Returns the lines of named functions and the first lines of definitions.
std::set<std::size_t> lines_to_show(const TaskFile& file, const LineTable& table,
                                    const TaskClues& clues) {
  std::set<std::size_t> lines;
  for (const Suspect& function : suspect_functions(file, clues, kMaxFunctions)) {
    const std::size_t last = table.line_at(std::max(function.begin + 1, function.end) - 1);
    for (std::size_t line = table.line_at(function.begin); line <= last; ++line) lines.insert(line);
  }
  for (const std::size_t line : definition_lines(language_of(file.path), table)) lines.insert(line);
  while (lines.size() > kMaxPartLines) lines.erase(std::prev(lines.end()));
  return lines;
}

std::string part_of(const TaskFile& file, const TaskClues& clues) {
  const LineTable table(file.text);
  std::string text;
  std::size_t last = 0;
  for (const std::size_t line : lines_to_show(file, table, clues)) {
    if (line > last + 1) text += kGap;
    text += numbered_lines(table, {line, line});
    last = line;
  }
  if (last > 0 && last < table.size()) text += kGap;
  return text;
}

std::string whole_of(const TaskFile& file) {
  const LineTable table(file.text);
  return numbered_lines(table, {1, table.size()});
}

}  // namespace

Result<std::vector<TaskFile>> kept_task_files(const ExecutorParts& parts, const TaskClues& clues) {
  PEDRO_TRY(const std::optional<Json> earlier, parts.answers.next(Question::kText));
  std::vector<TaskFile> files;
  if (earlier) {
    for (const Json& file : member(*earlier, "files")) {
      files.push_back({text_of(file, "path"), text_of(file, "text"), truth_of(file, "test"),
                       real_of(file, "score"), truth_of(file, "crlf")});
    }
    return files;
  }
  Result<std::vector<TaskFile>> found = find_task_files(parts.tools, clues);
  if (!found) return found;
  Json list = Json::array();
  for (TaskFile& file : *found) {
    const SecretMask* secrets = parts.tools.secrets;
    if (secrets != nullptr && secrets->mask(file.text) != file.text) continue;
    list.push_back({{"path", file.path},
                    {"text", file.text},
                    {"test", file.is_test},
                    {"score", file.score},
                    {"crlf", file.crlf}});
    files.push_back(std::move(file));
  }
  PEDRO_RETURN_IF_ERROR(parts.answers.add(Question::kText, {{"files", std::move(list)}}));
  return files;
}

long long file_tokens(const ModelInfo& model, double share) {
  if (model.context_tokens <= 0) return share > 0 ? kUnknownWindowFileTokens : 0;
  return static_cast<long long>(static_cast<double>(model.context_tokens) * share);
}

ShownFiles show_files(const std::vector<TaskFile>& files, const TaskClues& clues, long long room,
                      const std::function<long long(std::string_view)>& count) {
  ShownFiles shown;
  const auto add = [&](const std::string& what, const std::string& text) {
    if (text.empty()) return false;
    const std::string piece = marked(what, text) + "\n";
    const long long tokens = count(piece);
    if (tokens > room) return false;
    room -= tokens;
    shown.text += piece;
    return true;
  };
  const std::vector<const TaskFile*> likely = likely_files(files, clues.issue);
  shown.is_complete =
      !likely.empty() && files.size() < kMaxTaskFiles && likely.front()->score >= kPointedScore;
  for (const TaskFile* file : likely) {
    if (add("file " + file->path, whole_of(*file))) {
      shown.whole.push_back(file->path);
      continue;
    }
    shown.is_complete = false;
    add("parts of the file " + file->path, part_of(*file, clues));
  }
  for (const TaskFile& file : files) {
    const bool is_near = file.is_test && !likely.empty() && file.score >= kPointedScore;
    if (is_near && add("file " + file.path, whole_of(file))) shown.whole.push_back(file.path);
  }
  shown.text = trim(shown.text);
  return shown;
}

}  // namespace pedro
