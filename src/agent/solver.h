#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/answer_judge.h"
#include "agent/checked_tree.h"
#include "agent/executor.h"
#include "agent/phase.h"
#include "agent/suspects.h"
#include "agent/task_files.h"
#include "base/result.h"

namespace pedro {

/// How a model is asked to answer a whole task.
enum class AnswerForm {
  kFile,      ///< each changed file, whole, in a fenced block
  kPlain,     ///< the same by a prompt without the output of the checks
  kEdit,      ///< whole lines replaced by others; a grammar holds the old lines to the file
  kLine,      ///< a replacement for one line that the prompt names; one request per line
  kFunction,  ///< the same for functions
  kMutant,    ///< small edits made by rule; the model chooses among those of a line that pass
};
/// "file", "plain", "edit", "line", "function", "mutant"; nothing of another text.
std::optional<AnswerForm> parse_answer_form(std::string_view text);

struct SolveSettings {
  int tries = 8;  ///< 0 disables tries
  /// Forms of the tries, repeated in order. The first try of a form uses temperature 0.
  std::vector<AnswerForm> forms = {AnswerForm::kEdit, AnswerForm::kFile};
  double temperature = 0.8;    ///< of the later tries of a form
  bool grounding = true;       ///< a grammar allows only whole lines of the file as old lines
  long long file_tokens = 0;   ///< limit for the files in the prompt
  std::string rules = {};      ///< project rules for the system prompt; may be empty
  std::size_t max_lines = 40;  ///< lines per file that one try points to
  std::size_t max_functions = 4;
  int max_mutants = 200;  ///< checked per try, if the checks take under 0.3 s; else fewer
};

/// Solves a task by tries. The model answers in one reply, the solver writes the answer to the
/// files, and the checks decide. The solver keeps the first answer that passes and reverts all
/// others. A later try of a form starts from the best answer so far: one that fixes some failures
/// and adds none. A try that points to places gets one answer per place. Borrows all references;
/// one thread.
///
///     Solver solver(executor, parts, tree, settings, files, clues);
///     Result<PhaseOutcome> outcome = solver.run(phase, render);
class Solver {
 public:
  Solver(Executor& executor, const ExecutorParts& parts, CheckedTree& tree, SolveSettings settings,
         std::vector<TaskFile> files, TaskClues clues)
      : executor_(executor),
        parts_(parts),
        judge_(executor, parts_, tree),
        settings_(std::move(settings)),
        files_(std::move(files)),
        clues_(clues) {}

  /// kCompleted: the checks pass, and the output names the files and the number of tries. kRounds:
  /// no answer passed, and the files are what they were. kSkipped: there is no file to show. Errors
  /// as Executor::run_phase().
  Result<PhaseOutcome> run(const Phase& phase, const RenderTry& render);

  /// Renders the first try's prompt without the output of the checks, for -dry-run. Empty if there
  /// is no file to show.
  Result<std::vector<ChatMessage>> first_prompt(const RenderTry& render);

 private:
  struct Try {
    AnswerForm form = AnswerForm::kFile;
    int number = 1;     // of all
    bool first = true;  // of its form; temperature 0
  };

  void choose_files();
  void start_from(const CheckedChanges& start);
  void show_files();
  FileTexts with_start(const FileTexts& answer) const;
  std::vector<Try> plan() const;
  Result<bool> run_try(const Phase& phase, const Try& one, const RenderTry& render);
  Result<bool> try_whole(const Try& one, const RenderTry& render);
  Result<bool> try_places(const Phase& phase, const Try& one, const RenderTry& render);
  Result<bool> try_each_place(const Phase& phase, const Try& one, const RenderTry& render,
                              std::size_t from);
  Result<bool> try_place(const TaskFile& file, const Suspect& suspect, const Try& one,
                         const RenderTry& render);
  Result<bool> try_mutants(const Phase& phase, const TaskFile& file, const Suspect& suspect,
                           std::size_t from, const Try& one, const RenderTry& render);
  Result<std::size_t> choose(const std::vector<std::string>& lines, const TaskFile& file,
                             const std::string& old, const Try& one, const RenderTry& render);
  ApartRequest ask_whole(AnswerForm form, std::string& answer) const;
  std::string system() const;
  Result<std::string> prompt(const RenderTry& render, const std::string& answer,
                             bool with_failures) const;
  Result<Reply> ask(const Try& one, const RenderTry& render, const std::string& answer,
                    ApartRequest request);
  std::vector<FileTexts> read_answers(AnswerForm form, const Reply& reply) const;
  std::vector<FileTexts> read_edit_answers(const Reply& reply) const;
  const TaskFile* shown(std::string_view path) const;
  Json output(int tries) const;

  Executor& executor_;
  ExecutorParts parts_;
  AnswerJudge judge_;
  SolveSettings settings_;
  std::vector<TaskFile> files_;
  TaskClues clues_;
  std::vector<TaskFile> shown_;  // that an answer may change, as the try starts
  std::string shown_text_;       // the same, for the prompt
  CheckedChanges start_;         // of the try
  Reply sum_;                    // of the round
  int mutants_left_ = 0;
};

}  // namespace pedro
