#include "eval/alone.h"

#include <utility>

#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxShownBytes = 1u << 20;

}  // namespace

Result<AloneModel> AloneModel::make(const PromptLibrary& library, Model& model,
                                    long long max_tokens) {
  AloneModel alone(model, max_tokens);
  PEDRO_TRY(const PromptTemplate system, library.load("eval/alone-system.md"));
  PEDRO_TRY(std::string rules, system.render({}));
  alone.system_ = trim(rules);
  PEDRO_TRY(PromptTemplate prompt, library.load("eval/alone.md"));
  if (Status known = prompt.check({"issue", "files", "paths"}); !known) return known.error();
  alone.prompt_ = std::move(prompt);
  return alone;
}

Result<std::string> AloneModel::prompt_for(const FileSystem& files, const BenchTask& task,
                                           const TaskBench& bench) const {
  PEDRO_TRY(const std::string issue, files.read(bench.issue(), kMaxShownBytes));
  std::string shown;
  for (const std::string& path : task.files) {
    const std::string place = join_path(bench.repository(), path);
    if (files.info(place).kind != FileKind::kFile) continue;
    PEDRO_TRY(const std::string content, files.read(place, kMaxShownBytes));
    shown += write_file_answer(path, content) + "\n";
  }
  PEDRO_TRY(const std::string text, prompt_.render({{"issue", std::string(trim(issue))},
                                                    {"files", std::string(trim(shown))},
                                                    {"paths", join(task.files, ", ")}}));
  return std::string(trim(text));
}

Result<AloneModel::Answer> AloneModel::ask(const FileSystem& files, const BenchTask& task,
                                           const TaskBench& bench) {
  PEDRO_TRY(std::string prompt, prompt_for(files, task, bench));
  ChatRequest chat;
  chat.messages.push_back(text_message(Role::kSystem, system_));
  chat.messages.push_back(text_message(Role::kUser, prompt));
  model_->begin_anew();
  PEDRO_TRY(Reply reply,
            model_->generate({.chat = chat, .temperature = 0, .max_tokens = max_tokens_}));
  return Answer{read_file_answers(reply.text, task.files), std::move(reply), std::move(prompt)};
}

}  // namespace pedro
