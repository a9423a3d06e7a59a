#include "agent/kept_task_files.h"

namespace pedro {
namespace {

constexpr long long kUnknownWindowFileTokens = 4096;

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

}  // namespace pedro
