#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/answer_judge.h"
#include "agent/checked_tree.h"
#include "agent/executor.h"
#include "agent/file_answer.h"
#include "agent/mutants.h"
#include "agent/phase.h"
#include "agent/suspects.h"
#include "agent/task_files.h"
#include "base/result.h"

namespace pedro {

/// The form of an answer to a whole task.
enum class AnswerForm {
  kFile,      ///< each changed file, complete, in a fenced block
  kPlain,     ///< like kFile, with a prompt without check output
  kEdit,      ///< replacements of whole lines; a grammar restricts the old lines
  kLine,      ///< a replacement for a line named in the prompt; one request per line
  kFunction,  ///< like kLine, for functions
  kMutant,    ///< generated small edits, the likeliest first, without the model
};
/// Parses "file", "plain", "edit", "line", "function" or "mutant". Returns nullopt for other texts.
std::optional<AnswerForm> parse_answer_form(std::string_view text);

struct SolveSettings {
  int tries = 8;  ///< 0 disables tries
  /// The forms of the tries, repeated in order. The first try of a form uses temperature 0.
  std::vector<AnswerForm> forms = {AnswerForm::kEdit, AnswerForm::kFile};
  double temperature = 0.8;    ///< for later tries of a form
  bool grounding = true;       ///< restricts old lines to whole lines of the file, by a grammar
  long long file_tokens = 0;   ///< token limit for the files in the prompt
  std::string rules = {};      ///< project rules for the system prompt; may be ""
  std::size_t max_lines = 40;  ///< lines per file that a try may name
  std::size_t max_functions = 4;
  int max_mutants = 200;  ///< in the first try, if they take less than 30 s
};

/// Solves a task by tries. The model answers in one reply, the solver writes the answer to the
/// files, and the checks decide. The first answer that passes is kept; all others are reverted. The
/// first try of a form starts from the original files, later ones from AnswerJudge::best(). Forms
/// that name places request one answer per place. Borrows all references; one thread.
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

  /// Runs the tries. kCompleted: the checks pass, and the output has the files and the number of
  /// tries. kRounds: no answer passed, and the files are unchanged. kSkipped: there is no file to
  /// show. Errors: see Executor::run_phase().
  Result<PhaseOutcome> run(const Phase& phase, const RenderTry& render);

  /// Renders the first try's prompt without check output, for -dry-run. Empty if there is no file
  /// to show.
  Result<std::vector<ChatMessage>> first_prompt(const RenderTry& render);

 private:
  struct Try {
    AnswerForm form = AnswerForm::kFile;
    int number = 1;     // from 1
    bool first = true;  // of its form; temperature 0
  };

  struct Place {
    const TaskFile* file = nullptr;  // of shown_
    Suspect suspect;
    std::string_view text() const {  // borrowed from the file
      return std::string_view(file->text).substr(suspect.begin, suspect.end - suspect.begin);
    }
  };

  void choose_files();
  void start_from(const CheckedChanges& start);
  void show_files();
  void show_only_named();
  FileTexts with_start(const FileTexts& answer) const;
  std::vector<Try> plan() const;
  Result<bool> run_try(const Phase& phase, std::span<const Try> tries, const RenderTry& render);
  Result<bool> try_whole(std::span<const Try> tries, const RenderTry& render);
  Status announce(std::span<const Try> tries, const RenderTry& render);
  Result<bool> try_places(const Phase& phase, const Try& one, const RenderTry& render);
  Result<bool> ask_places(const Phase& phase, const Try& one, const RenderTry& render);
  std::vector<Place> places(AnswerForm form) const;
  std::vector<AnswerForm> forms() const;
  Result<ApartRequest> ask_place(const Place& place, const Try& one, const RenderTry& render) const;
  Result<bool> judge_place(const Place& place, const Reply& reply);
  Result<bool> try_mutants(const Phase& phase, const Try& one);
  static std::vector<Mutant> mutants_at(const std::vector<Place>& places);
  Result<bool> judge_mutant(const Place& place, const Mutant& mutant);
  ApartRequest ask_whole(AnswerForm form, std::string& answer) const;
  Result<ApartRequest> request_whole(const Try& one, const RenderTry& render) const;
  std::string system() const;
  Result<std::string> prompt(const RenderTry& render, const std::string& answer,
                             bool with_failures) const;
  Status prepare(const Try& one, const RenderTry& render, const std::string& answer,
                 ApartRequest& request) const;
  Result<Reply> ask(const ApartRequest& request);
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
  std::vector<TaskFile> shown_;        // files that an answer may change, at the start of the try
  std::string shown_text_;             // shown_ for the prompt
  CheckedChanges start_;               // changes at the start of the try
  Reply sum_;                          // replies of the round
  std::size_t unchecked_mutants_ = 0;  // of the last try with mutants
  int announced_ = 0;                  // number of the last try that announce() included
};

}  // namespace pedro
