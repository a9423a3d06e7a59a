#pragma once

#include <string>
#include <vector>

#include "agent/file_answer.h"
#include "base/result.h"
#include "eval/bench_task.h"
#include "eval/task_bench.h"
#include "llm/model.h"
#include "prompts/prompt_library.h"

namespace pedro {

/// Asks a model without an agent: one unconstrained request at temperature 0, with the task's issue
/// and complete files.
class AloneModel {
 public:
  /// Borrows `model`, which must be open. Errors (kConfig): an invalid prompt in `prompts/eval/`.
  static Result<AloneModel> make(const PromptLibrary& library, Model& model, long long max_tokens);

  struct Answer {
    std::vector<FileAnswer> files;
    Reply reply;
    std::string prompt;  ///< the user message of the request
  };
  /// Begins a new conversation and sends one request. Returns errors of file reads and of the
  /// model.
  Result<Answer> ask(const FileSystem& files, const BenchTask& task, const TaskBench& bench);

 private:
  AloneModel(Model& model, long long max_tokens) : model_(&model), max_tokens_(max_tokens) {}
  Result<std::string> prompt_for(const FileSystem& files, const BenchTask& task,
                                 const TaskBench& bench) const;

  Model* model_;
  long long max_tokens_;
  std::string system_;
  PromptTemplate prompt_;
};

}  // namespace pedro
