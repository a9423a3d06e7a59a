#include "agent/solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/answers.h"
#include "agent/edit_answer.h"
#include "agent/file_answer.h"
#include "agent/mutants.h"
#include "base/text.h"
#include "tools/checks.h"
#include "tools/tree_path.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFailureBytes = 2500;
constexpr long long kMinReplyTokens = 512;
constexpr long long kMaxFileTokens = 1500;  // of all files, for answers with whole files
constexpr long long kMorePlaceTokens = 64;  // beside twice those of the place
constexpr int kMaxEdits = 3;
constexpr std::size_t kMutantsAtOnce = 5;  // of a line
constexpr int kMaxNewLines = 4;
constexpr std::size_t kMaxOccurrences = 3;  // of old lines, each an answer of its own
constexpr double kSmallShare = 0.2;         // of the best score
constexpr std::size_t kFewBytes = 6 * 1024;

// True for build files and docs. Tasks rarely change them without naming them.
bool is_beside_code(std::string_view path) {
  static constexpr std::string_view kNames[] = {"makefile",      "cmakelists.txt", "go.mod",
                                                "package.json",  "cargo.toml",     "license",
                                                "pyproject.toml"};
  const std::string name = to_lower(base_name(path));
  return name.starts_with(".") || name.ends_with(".md") || name.ends_with(".rst") ||
         name.ends_with(".lock") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string key_of(const std::map<std::string, std::string>& answer) {
  std::string key;
  for (const auto& [path, text] : answer) key += fmt::format("{}\n{}\n{}", path, text.size(), text);
  return key;
}

bool points_to_places(AnswerForm form) {
  return form == AnswerForm::kLine || form == AnswerForm::kFunction || form == AnswerForm::kMutant;
}

// Slow checks leave room for fewer.
int mutants_to_check(int most, const std::vector<CheckOutcome>& before) {
  double seconds = 0;
  for (const CheckOutcome& outcome : before) seconds += outcome.duration_s;
  if (seconds < 0.3) return most;
  if (seconds < 1) return most / 2;
  return seconds < 4 ? most / 5 : most / 20;
}

// Returns the first fenced block without its final line end.
std::optional<std::string> first_block(std::string_view reply) {
  const std::string path = "x";
  const std::vector<FileAnswer> found = read_file_answers(reply, std::vector<std::string>{path});
  if (found.empty()) return std::nullopt;
  std::string_view text = found.front().content;
  if (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text);
}

// Indents `text` like `old`, if it lost that indentation.
std::string indented_like(std::string_view old, std::string_view text) {
  const std::string_view indent = old.substr(0, std::min(old.find_first_not_of(" \t"), old.size()));
  if (indent.empty() || text.starts_with(indent)) return std::string(text);
  std::string moved;
  for (const std::string_view line : split_lines(text)) {
    if (!moved.empty()) moved += '\n';
    if (!trim(line).empty()) moved += indent;
    moved += line;
  }
  return moved;
}

}  // namespace

std::optional<AnswerForm> parse_answer_form(std::string_view text) {
  if (text == "file") return AnswerForm::kFile;
  if (text == "plain") return AnswerForm::kPlain;
  if (text == "edit") return AnswerForm::kEdit;
  if (text == "line") return AnswerForm::kLine;
  if (text == "function") return AnswerForm::kFunction;
  if (text == "mutant") return AnswerForm::kMutant;
  return std::nullopt;
}

// Leaves tests out. The failing output quotes them, and answers must not change them.
void Solver::choose_files() {
  std::vector<TaskFile> candidates;
  for (const TaskFile& file : files_) {
    const bool named = names_file(clues_.issue, file.path);
    if (file.is_test || (is_beside_code(file.path) && !named) || trim(file.text).empty()) continue;
    candidates.push_back(file);
  }
  if (candidates.empty()) return;
  const double best = candidates.front().score;
  long long room = settings_.file_tokens;
  std::size_t bytes = 0;
  for (TaskFile& file : candidates) {
    const bool likely = file.score >= kSmallShare * best || bytes + file.text.size() <= kFewBytes;
    const long long tokens = parts_.model.count_text(file.text);
    if (!likely || tokens > room) continue;
    room -= tokens;
    bytes += file.text.size();
    shown_.push_back(std::move(file));
  }
  for (const TaskFile& file : shown_) shown_text_ += write_file_answer(file.path, file.text) + "\n";
  shown_text_ = trim(shown_text_);
}

const TaskFile* Solver::shown(std::string_view path) const {
  const auto file = std::find_if(shown_.begin(), shown_.end(),
                                 [&](const TaskFile& one) { return one.path == path; });
  return file == shown_.end() ? nullptr : &*file;
}

void Solver::describe_failures(const std::vector<CheckOutcome>& before) {
  for (const CheckOutcome& outcome : before) {
    if (outcome.passed) continue;
    failures_ = parts_.feedback.text("fails_before",
                                     {{"command", outcome.check.command},
                                      {"output", failing_part(outcome.output, kMaxFailureBytes)}});
  }
}

Solver::Try Solver::plan(int number) const {
  const std::size_t forms = settings_.forms.size();
  const auto at = static_cast<std::size_t>(number - 1);
  Try one{settings_.forms[at % forms], number, true};
  for (std::size_t i = 0; i < at; ++i) {
    if (settings_.forms[i % forms] == one.form) one.first = false;
  }
  return one;
}

Result<PhaseOutcome> Solver::run(const Phase& phase, const RenderTry& render) {
  const Result<std::vector<CheckOutcome>> before = outcomes();
  if (!before) return before.error();
  describe_failures(*before);
  mutants_left_ = mutants_to_check(settings_.max_mutants, *before);
  choose_files();
  if (shown_.empty() || settings_.forms.empty()) {
    return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  }
  PhaseOutcome outcome;
  outcome.end = PhaseEnd::kRounds;
  outcome.ran_out = "tries";
  for (int number = 1; number <= settings_.tries; ++number) {
    const std::string_view used_up = executor_.used_up(phase, number);
    if (!used_up.empty()) {
      outcome.ran_out = used_up;
      return outcome;
    }
    const Try one = plan(number);
    if (is_too_long(one.form)) continue;
    outcome.rounds = number;
    const Result<bool> solved = run_try(phase, one, render);
    if (!solved) return solved.error();
    if (!*solved) continue;
    outcome.end = PhaseEnd::kCompleted;
    outcome.output = output(number);
    return outcome;
  }
  return outcome;
}

// Whole files cost as many tokens as they have. Edits do better on long ones.
bool Solver::is_too_long(AnswerForm form) const {
  if (form != AnswerForm::kFile && form != AnswerForm::kPlain) return false;
  return parts_.model.count_text(shown_text_) > kMaxFileTokens && settings_.forms.size() > 1;
}

Result<bool> Solver::run_try(const Phase& phase, const Try& one, const RenderTry& render) {
  if (Status begun = executor_.begin_apart(phase, one.number); !begun) return begun.error();
  sum_ = Reply();
  Result<bool> solved =
      points_to_places(one.form) ? try_places(phase, one, render) : try_whole(one, render);
  if (!solved) return solved;
  const Status ended = executor_.end_apart(std::move(sum_));
  return ended ? std::move(solved) : ended.error();
}

// Also sets `answer` to the instructions for this form.
ApartRequest Solver::ask_whole(AnswerForm form, std::string& answer) const {
  const bool edits = form == AnswerForm::kEdit;
  std::string paths;
  long long tokens = 0;
  for (const TaskFile& file : shown_) {
    paths += (paths.empty() ? "" : ", ") + file.path;
    tokens += parts_.model.count_text(file.text);
  }
  answer = form == AnswerForm::kPlain
               ? parts_.feedback.text("answer_plain", {{"paths", paths}})
               : parts_.feedback.text(edits ? "answer_edit" : "answer_file",
                                      {{"paths", paths}, {"fence", edit_fence(shown_)}});
  ApartRequest request;
  request.max_tokens = kMinReplyTokens + tokens + tokens / 2;
  if (edits) request.grammar = edit_grammar(shown_, kMaxEdits);
  return request;
}

Result<std::string> Solver::prompt(const RenderTry& render, const std::string& answer,
                                   bool with_failures) const {
  return render({{"files", shown_text_},
                 {"failures", with_failures && !failures_.empty() ? failures_ + "\n\n" : ""},
                 {"answer", answer}});
}

std::string Solver::system() const {
  const std::string text = parts_.feedback.text("answer_rules");
  if (settings_.rules.empty()) return text;
  return text + "\n\n" + parts_.feedback.text("project_rules", {{"rules", settings_.rules}});
}

Result<std::vector<ChatMessage>> Solver::first_prompt(const RenderTry& render) {
  choose_files();
  if (shown_.empty() || settings_.forms.empty()) return std::vector<ChatMessage>();
  std::string answer;
  (void)ask_whole(settings_.forms.front(), answer);
  Result<std::string> text = prompt(render, answer, true);
  if (!text) return text.error();
  return std::vector<ChatMessage>{text_message(Role::kSystem, system()),
                                  text_message(Role::kUser, *std::move(text))};
}

Result<bool> Solver::try_whole(const Try& one, const RenderTry& render) {
  std::string answer;
  ApartRequest request = ask_whole(one.form, answer);
  const Result<Reply> reply = ask(one, render, answer, std::move(request));
  if (!reply) return reply.error();
  for (const Answer& whole : read_answers(one.form, *reply)) {
    const Result<bool> passed = judge(whole);
    if (!passed || *passed) return passed;
  }
  return false;
}

// Adds the usage and the text of each reply to the sum of the round.
Result<Reply> Solver::ask(const Try& one, const RenderTry& render, const std::string& answer,
                          ApartRequest request) {
  Result<std::string> rendered = prompt(render, answer, one.form != AnswerForm::kPlain);
  if (!rendered) return rendered.error();
  request.system = system();
  request.prompt = *std::move(rendered);
  request.temperature = one.first ? 0 : settings_.temperature;
  request.seed = static_cast<std::uint32_t>(one.number);
  Result<Reply> reply = executor_.ask_apart(request);
  if (!reply && reply.error().overflow) return Reply();  // the prompt does not fit: no answer
  if (!reply) return reply;
  sum_.usage += reply->usage;
  sum_.text += reply->text + "\n";
  return reply;
}

std::vector<Solver::Answer> Solver::read_answers(AnswerForm form, const Reply& reply) const {
  if (form == AnswerForm::kEdit) return read_edit_answers(reply);
  if (reply.stop != StopReason::kEnd) return {};
  std::vector<std::string> known;
  for (const TaskFile& file : shown_) known.push_back(file.path);
  Answer answer;
  for (FileAnswer& file : read_file_answers(reply.text, known)) {
    answer[file.path] = std::move(file.content);
  }
  return {std::move(answer)};
}

// Makes one answer per occurrence of old lines that repeat in the file.
std::vector<Solver::Answer> Solver::read_edit_answers(const Reply& reply) const {
  const std::vector<LineEdit> edits = read_edits(reply.text, edit_fence(shown_));
  std::vector<Answer> answers;
  const std::size_t variants = edits.size() == 1 ? kMaxOccurrences : 1;
  for (std::size_t occurrence = 0; occurrence < variants; ++occurrence) {
    Answer answer;
    for (const LineEdit& edit : edits) {
      const TaskFile* file = shown(edit.path);
      if (file == nullptr) continue;
      const auto known = answer.find(edit.path);
      const std::string& text = known == answer.end() ? file->text : known->second;
      if (auto edited = apply_edit(text, edit, occurrence)) answer[edit.path] = *std::move(edited);
    }
    if (!answer.empty()) answers.push_back(std::move(answer));
  }
  return answers;
}

// The likeliest mutants of all lines come before the others.
Result<bool> Solver::try_places(const Phase& phase, const Try& one, const RenderTry& render) {
  if (one.form != AnswerForm::kMutant) return try_each_place(phase, one, render, 0);
  for (std::size_t from = 0; mutants_left_ > 0; from += kMutantsAtOnce) {
    const int before = mutants_left_;
    const Result<bool> passed = try_each_place(phase, one, render, from);
    if (!passed || *passed) return passed;
    if (mutants_left_ == before) return false;  // there are no more
  }
  return false;
}

Result<bool> Solver::try_each_place(const Phase& phase, const Try& one, const RenderTry& render,
                                    std::size_t from) {
  for (const TaskFile& file : shown_) {
    const std::vector<Suspect> suspects =
        one.form == AnswerForm::kFunction ? suspect_functions(file, clues_, settings_.max_functions)
                                          : suspect_lines(file, clues_, settings_.max_lines);
    for (const Suspect& suspect : suspects) {
      if (!executor_.used_up(phase, one.number).empty()) return false;
      const Result<bool> passed = one.form == AnswerForm::kMutant
                                      ? try_mutants(phase, file, suspect, from, one, render)
                                      : try_place(file, suspect, one, render);
      if (!passed || *passed) return passed;
    }
  }
  return false;
}

Result<bool> Solver::try_place(const TaskFile& file, const Suspect& suspect, const Try& one,
                               const RenderTry& render) {
  const bool is_line = one.form == AnswerForm::kLine;
  const std::string old = file.text.substr(suspect.begin, suspect.end - suspect.begin);
  const std::string fence = edit_fence(shown_);
  ApartRequest request;
  request.max_tokens = 2 * parts_.model.count_text(old) + kMorePlaceTokens;
  if (is_line) request.grammar = block_grammar(fence, kMaxNewLines);
  if (!is_line) request.stops = {"\n```\n"};
  const std::string answer =
      parts_.feedback.text(is_line ? "answer_line" : "answer_function",
                           {{"path", file.path}, {"text", old}, {"fence", fence}});
  const Result<Reply> reply = ask(one, render, answer, std::move(request));
  if (!reply) return reply.error();
  const std::optional<std::string> block =
      reply->stop != StopReason::kEnd ? std::nullopt : first_block(reply->text);
  if (!block) return false;
  std::string text = file.text;
  text.replace(suspect.begin, old.size(), indented_like(old, *block));
  return judge({{file.path, std::move(text)}});
}

// Judges some mutants of the line: several may pass, and then the model chooses.
Result<bool> Solver::try_mutants(const Phase& phase, const TaskFile& file, const Suspect& suspect,
                                 std::size_t from, const Try& one, const RenderTry& render) {
  const std::string old = file.text.substr(suspect.begin, suspect.end - suspect.begin);
  const auto answer_with = [&](const std::string& line) {
    std::string text = file.text;
    return Answer{{file.path, text.replace(suspect.begin, old.size(), line)}};
  };
  std::vector<std::string> passing;
  if (suspect.is_head) return false;
  const std::vector<std::string> mutants = mutants_of(old);
  const std::size_t end = std::min(from + kMutantsAtOnce, mutants.size());
  for (std::size_t i = from; i < end; ++i) {
    const std::string& mutant = mutants[i];
    if (mutants_left_ <= 0 || !executor_.used_up(phase, one.number).empty()) break;
    --mutants_left_;
    const Result<bool> passed = judge(answer_with(mutant));
    if (!passed) return passed;
    if (!*passed) continue;
    passing.push_back(mutant);
    if (Status back = take_back(accepted_); !back) return back.error();
  }
  if (passing.empty()) return false;
  const Result<std::size_t> chosen = choose(passing, file, old, one, render);
  if (!chosen) return chosen.error();
  Answer best = answer_with(passing[*chosen]);
  judged_.erase(key_of(best));  // its checks run once more
  return judge(best);
}

// Asks which of the lines is the right one; the first where no reply comes.
Result<std::size_t> Solver::choose(const std::vector<std::string>& lines, const TaskFile& file,
                                   const std::string& old, const Try& one,
                                   const RenderTry& render) {
  if (lines.size() == 1) return 0U;
  const std::string fence = edit_fence(shown_);
  ApartRequest request;
  request.max_tokens = 2 * parts_.model.count_text(old) + kMorePlaceTokens;
  request.grammar = choice_grammar(fence, lines);
  const std::string answer =
      parts_.feedback.text("answer_line", {{"path", file.path}, {"text", old}, {"fence", fence}});
  const Result<Reply> reply = ask(one, render, answer, std::move(request));
  if (!reply) return reply.error();
  const std::optional<std::string> block = first_block(reply->text);
  const auto found = block ? std::find(lines.begin(), lines.end(), *block) : lines.end();
  return found == lines.end() ? 0U : static_cast<std::size_t>(found - lines.begin());
}

// Checks each distinct answer once.
Result<bool> Solver::judge(const Answer& answer) {
  Answer changed;
  for (const auto& [path, text] : answer) {
    const TaskFile* file = shown(path);
    if (file == nullptr || trim(file->text) != trim(text)) changed[path] = text;
  }
  if (changed.empty() || !judged_.insert(key_of(changed)).second) return false;
  const Result<bool> written = write(changed);
  if (!written) return written;
  if (*written) {
    const Result<std::vector<CheckOutcome>> checked = outcomes();
    if (!checked) return checked.error();
    if (all_passed(*checked)) {
      accepted_ = std::move(changed);
      return true;
    }
  }
  if (Status back = take_back(changed); !back) return back.error();
  return false;
}

// Returns false if the policy or the work tree refuses a file.
Result<bool> Solver::write(const Answer& answer) {
  for (const auto& [path, text] : answer) {
    const Result<ToolResult> result =
        executor_.run_made_call("file", {{"action", "write"}, {"path", path}, {"content", text}});
    if (!result) return result.error();
    if (!result->ok) return false;
  }
  return true;
}

// Skips the work during a resume: the checkpoint already has the original files.
Status Solver::take_back(const Answer& answer) {
  const Result<std::optional<Json>> earlier = parts_.answers.next(Question::kTool);
  if (!earlier) return earlier.error();
  if (*earlier) return {};
  for (const auto& [path, text] : answer) {
    const Result<TreePath> place = any_path_to_change(parts_.tools.tree, path);
    if (!place) return place.error();
    FileSystem& files = parts_.tools.tree.files();
    const TaskFile* file = shown(path);
    const Status back = file != nullptr ? files.write_atomic(place->absolute, file->text)
                                        : files.remove(place->absolute);
    if (!back) return back;
  }
  return parts_.answers.add(Question::kTool, to_json(ToolResult{true, "taken back", {}}, {}));
}

Json Solver::output(int tries) const {
  Json files = Json::array();
  for (const auto& [path, text] : accepted_) files.push_back(path);
  return {{"summary", parts_.feedback.text("solved", {{"tries", std::to_string(tries)}})},
          {"files", std::move(files)},
          {"tries", tries}};
}

}  // namespace pedro
