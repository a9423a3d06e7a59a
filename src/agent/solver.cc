#include "agent/solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/file_answer.h"
#include "agent/partial_answer.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr long long kMinReplyTokens = 512;
constexpr long long kMaxFileTokens = 1500;  // total size of files for answers with whole files
constexpr long long kMorePlaceTokens = 64;  // in addition to twice the size of the place
constexpr int kMaxEdits = 3;
constexpr double kMutantSeconds = 30;  // of checks in the first try
constexpr int kMoreMutants = 3;        // times the number and time of the first try, in later ones
constexpr CheckLimit kMutantLimit = {.factor = 3, .least_s = 2, .first_least_s = 5};
constexpr int kMinMutants = 5;  // if they take at most twice the time
constexpr int kMaxNewLines = 4;
constexpr std::size_t kMaxOccurrences = 3;  // of old lines, each with its own answer

bool points_to_places(AnswerForm form) {
  return form == AnswerForm::kLine || form == AnswerForm::kFunction || form == AnswerForm::kMutant;
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

// Restores the indentation of `old` in `text` if it was lost.
std::string indented_like(std::string_view old, std::string_view text) {
  const std::string_view indent = old.substr(0, indent_of(old));
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

void Solver::choose_files() {
  long long room = settings_.file_tokens;
  for (const TaskFile* file : likely_files(files_, clues_.issue)) {
    const long long tokens = parts_.model.count_text(file->text);
    if (tokens > room) continue;
    room -= tokens;
    shown_.push_back(*file);
  }
  show_files();
}

void Solver::show_files() {
  shown_text_.clear();
  for (const TaskFile& file : shown_) shown_text_ += write_file_answer(file.path, file.text) + "\n";
  shown_text_ = trim(shown_text_);
}

// Hides the files that the issue does not name, if it names one. A small model changes all files
// that it sees.
void Solver::show_only_named() {
  const auto is_named = [&](const TaskFile& file) { return names_file(clues_.issue, file.path); };
  if (!std::ranges::any_of(shown_, is_named)) return;
  std::erase_if(shown_, [&](const TaskFile& file) { return !is_named(file); });
  show_files();
}

const TaskFile* Solver::shown(std::string_view path) const {
  return file_at(shown_, path);
}

void Solver::start_from(const CheckedChanges& start) {
  start_ = start;
  clues_.output = start_.output;
  shown_ = judge_.files();
  for (TaskFile& file : shown_) {
    const auto changed = start.changes.find(file.path);
    if (changed != start.changes.end()) file.text = changed->second;
  }
  show_files();
}

// Returns all changes since the start of the job: the try's initial ones and the answer's. Omits
// changes of existing tests: checks that pass only with those verify nothing.
FileTexts Solver::with_start(const FileTexts& answer) const {
  FileTexts changes = start_.changes;
  for (const auto& [path, text] : answer) {
    const TaskFile* const file = file_at(files_, path);
    if (file == nullptr || !file->is_test) changes[path] = text;
  }
  return changes;
}

// Returns the forms in the order of the tries. No small edit writes a missing function: then
// answers with whole functions come first.
std::vector<AnswerForm> Solver::forms() const {
  std::vector<AnswerForm> forms = settings_.forms;
  const std::vector<Place> all = places(AnswerForm::kFunction);
  if (all.empty() || !all.front().suspect.is_stub) return forms;
  const auto is_small = [](AnswerForm form) {
    return form == AnswerForm::kMutant || form == AnswerForm::kLine;
  };
  if (std::all_of(forms.begin(), forms.end(), is_small)) return forms;
  std::erase_if(forms, is_small);
  std::stable_partition(forms.begin(), forms.end(),
                        [](AnswerForm form) { return form != AnswerForm::kEdit; });
  return forms;
}

// Returns the tries. Long files have no answers with whole files, except one plain answer at the
// end.
std::vector<Solver::Try> Solver::plan() const {
  std::vector<Try> tries;
  std::set<AnswerForm> seen;
  std::optional<Try> last;
  const std::vector<AnswerForm> forms = this->forms();
  const bool is_long = forms.size() > 1 && parts_.model.count_text(shown_text_) > kMaxFileTokens;
  for (int number = 1; number <= settings_.tries; ++number) {
    const auto at = static_cast<std::size_t>(number - 1);
    Try one{forms[at % forms.size()], number, false};
    one.first = seen.insert(one.form).second;
    if (!is_long || (one.form != AnswerForm::kFile && one.form != AnswerForm::kPlain)) {
      tries.push_back(one);
    } else if (one.form == AnswerForm::kPlain && one.first) {
      last = one;
    }
  }
  if (last) tries.push_back(*last);
  return tries;
}

Result<PhaseOutcome> Solver::run(const Phase& phase, const RenderTry& render) {
  choose_files();
  PEDRO_RETURN_IF_ERROR(judge_.begin(shown_));
  if (shown_.empty() || settings_.forms.empty()) {
    return PhaseOutcome{PhaseEnd::kSkipped, Json(), 0};
  }
  PhaseOutcome outcome;
  outcome.end = PhaseEnd::kRounds;
  outcome.ran_out = "tries";
  const std::vector<Try> tries = plan();
  for (std::size_t at = 0; at < tries.size(); ++at) {
    const Try& one = tries[at];
    const std::string_view used_up = executor_.used_up(phase.max_rounds - one.number + 1);
    if (!used_up.empty()) {
      outcome.ran_out = used_up;
      return outcome;
    }
    ++outcome.rounds;
    const bool continues = one.form == AnswerForm::kMutant && unchecked_mutants_ > 0;
    start_from(one.first || continues ? judge_.unchanged() : judge_.best());
    if (one.form == AnswerForm::kPlain && one.first) show_only_named();
    PEDRO_TRY(const bool solved, run_try(phase, std::span(tries).subspan(at), render));
    if (!solved) continue;
    outcome.end = PhaseEnd::kCompleted;
    outcome.output = output(outcome.rounds);
    return outcome;
  }
  return outcome;
}

// Runs the first of the remaining tries.
Result<bool> Solver::run_try(const Phase& phase, std::span<const Try> tries,
                             const RenderTry& render) {
  const Try& one = tries.front();
  PEDRO_RETURN_IF_ERROR(executor_.begin_apart(phase, one.number));
  sum_ = Reply();
  Result<bool> solved =
      points_to_places(one.form) ? try_places(phase, one, render) : try_whole(tries, render);
  if (!solved) return solved;
  const Status ended = executor_.end_apart(std::move(sum_));
  return ended ? std::move(solved) : ended.error();
}

// Returns the request for an answer with all files. Sets `answer` to the instructions for its form.
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
  if (edits && settings_.grounding) request.grammar = edit_grammar(shown_, kMaxEdits);
  return request;
}

Result<std::string> Solver::prompt(const RenderTry& render, const std::string& answer,
                                   bool with_failures) const {
  return render(
      {{"files", shown_text_},
       {"failures", with_failures && !start_.failures.empty() ? start_.failures + "\n\n" : ""},
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
  (void)ask_whole(forms().front(), answer);
  PEDRO_TRY(std::string text, prompt(render, answer, true));
  return std::vector<ChatMessage>{text_message(Role::kSystem, system()),
                                  text_message(Role::kUser, std::move(text))};
}

// Announces the later tries of the same form. A server with idle slots generates their answers at
// the same time. Answers to a prompt that has changed since are not used.
Status Solver::announce(std::span<const Try> tries, const RenderTry& render) {
  const Try& one = tries.front();
  if (one.first || one.number <= announced_) return {};
  std::vector<ApartRequest> requests;
  for (const Try& next : tries) {
    if (next.form != one.form) break;
    PEDRO_TRY(ApartRequest request, request_whole(next, render));
    requests.push_back(std::move(request));
    announced_ = next.number;
  }
  if (requests.size() < 2) return {};
  const Result<std::size_t> count = executor_.together(requests);
  return count ? Status() : count.error();
}

Result<ApartRequest> Solver::request_whole(const Try& one, const RenderTry& render) const {
  std::string answer;
  ApartRequest request = ask_whole(one.form, answer);
  const Status prepared = prepare(one, render, answer, request);
  return prepared ? Result<ApartRequest>(std::move(request)) : prepared.error();
}

Result<bool> Solver::try_whole(std::span<const Try> tries, const RenderTry& render) {
  const Try& one = tries.front();
  PEDRO_RETURN_IF_ERROR(announce(tries, render));
  PEDRO_TRY(const ApartRequest request, request_whole(one, render));
  PEDRO_TRY(const Reply reply, ask(request));
  for (const FileTexts& whole : read_answers(one.form, reply)) {
    const Result<bool> passed = judge_.judge(with_start(whole));
    if (!passed || *passed) return passed;
  }
  return false;
}

// Completes a request with its prompt and sampling.
Status Solver::prepare(const Try& one, const RenderTry& render, const std::string& answer,
                       ApartRequest& request) const {
  PEDRO_TRY(std::string rendered, prompt(render, answer, one.form != AnswerForm::kPlain));
  request.system = system();
  request.prompt = std::move(rendered);
  request.temperature = one.first ? 0 : settings_.temperature;
  request.seed = static_cast<std::uint32_t>(one.number);
  return {};
}

// Requests a reply and adds its usage and text to the sum of the round.
Result<Reply> Solver::ask(const ApartRequest& request) {
  Result<Reply> reply = executor_.ask_apart(request);
  if (!reply && reply.error().overflow) return Reply();  // the prompt does not fit: no answer
  if (!reply) return reply;
  sum_.usage += reply->usage;
  sum_.text += reply->text + "\n";
  return reply;
}

// An answer with a part of a file's functions rarely means to remove the others. Files with them
// come first.
std::vector<FileTexts> Solver::read_answers(AnswerForm form, const Reply& reply) const {
  if (form == AnswerForm::kEdit) return read_edit_answers(reply);
  if (reply.stop != StopReason::kEnd) return {};
  std::vector<std::string> known;
  for (const TaskFile& file : shown_) known.push_back(file.path);
  FileTexts answer;
  FileTexts completed;
  for (FileAnswer& file : read_file_answers(reply.text, known)) {
    auto whole = completed_answer(file.path, shown(file.path)->text, file.content);
    completed[file.path] = whole ? *std::move(whole) : file.content;
    answer[file.path] = std::move(file.content);
  }
  return {std::move(completed), std::move(answer)};
}

// Returns one answer per occurrence of old lines that repeat in the file.
std::vector<FileTexts> Solver::read_edit_answers(const Reply& reply) const {
  const std::vector<LineEdit> edits = read_edits(reply.text, edit_fence(shown_));
  std::vector<FileTexts> answers;
  const std::size_t variants = edits.size() == 1 ? kMaxOccurrences : 1;
  for (std::size_t occurrence = 0; occurrence < variants; ++occurrence) {
    FileTexts answer;
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

Result<bool> Solver::try_places(const Phase& phase, const Try& one, const RenderTry& render) {
  return one.form == AnswerForm::kMutant ? try_mutants(phase, one) : ask_places(phase, one, render);
}

std::vector<Solver::Place> Solver::places(AnswerForm form) const {
  std::vector<Place> places;
  for (const TaskFile& file : shown_) {
    const std::vector<Suspect> suspects =
        form == AnswerForm::kFunction ? suspect_functions(file, clues_, settings_.max_functions)
                                      : suspect_lines(file, clues_, settings_.max_lines);
    for (const Suspect& suspect : suspects) places.push_back({&file, suspect});
  }
  const auto is_stub = [](const Place& place) { return place.suspect.is_stub; };
  if (std::any_of(places.begin(), places.end(), is_stub)) {
    std::erase_if(places, [&](const Place& place) { return !is_stub(place); });
  }
  return places;
}

// Asks about one place after the other, or about several at once if the server answers them
// together. Judges the answers in the order of the places either way.
Result<bool> Solver::ask_places(const Phase& phase, const Try& one, const RenderTry& render) {
  const std::vector<Place> all = places(one.form);
  std::vector<ApartRequest> requests;
  for (const Place& place : all) {
    PEDRO_TRY(ApartRequest request, ask_place(place, one, render));
    requests.push_back(std::move(request));
  }
  for (std::size_t at = 0; at < all.size();) {
    if (!executor_.used_up(phase.max_rounds - one.number + 1).empty()) return false;
    PEDRO_TRY(const auto count, executor_.together(std::span(requests).subspan(at)));
    std::vector<Reply> replies;
    for (std::size_t i = at; i < at + count; ++i) {
      PEDRO_TRY(Reply reply, ask(requests[i]));
      replies.push_back(std::move(reply));
    }
    for (const Reply& reply : replies) {
      const Result<bool> passed = judge_place(all[at++], reply);
      if (!passed || *passed) return passed;
    }
  }
  return false;
}

Result<ApartRequest> Solver::ask_place(const Place& place, const Try& one,
                                       const RenderTry& render) const {
  const bool is_line = one.form == AnswerForm::kLine;
  const std::string old(place.text());
  const std::string fence = edit_fence(shown_);
  ApartRequest request;
  request.max_tokens = 2 * parts_.model.count_text(old) + kMorePlaceTokens;
  if (is_line) request.grammar = block_grammar(fence, kMaxNewLines);
  if (!is_line) request.stops = {"\n```\n\n"};  // an opening fence has no blank line after it
  const std::string answer =
      parts_.feedback.text(is_line ? "answer_line" : "answer_function",
                           {{"path", place.file->path}, {"text", old}, {"fence", fence}});
  const Status prepared = prepare(one, render, answer, request);
  return prepared ? Result<ApartRequest>(std::move(request)) : prepared.error();
}

Result<bool> Solver::judge_place(const Place& place, const Reply& reply) {
  const std::optional<std::string> block =
      reply.stop != StopReason::kEnd ? std::nullopt : first_block(reply.text);
  if (!block) return false;
  const std::string old(place.text());
  std::string text = place.file->text;
  text.replace(place.suspect.begin, old.size(), indented_like(old, *block));
  return judge_.judge(with_start({{place.file->path, std::move(text)}}));
}

// Checks mutants, the likeliest first, until one passes. A later try continues with the next
// mutants of unchanged files.
Result<bool> Solver::try_mutants(const Phase& phase, const Try& one) {
  const std::vector<Place> all = places(one.form);
  const std::vector<Mutant> mutants = mutants_at(all);
  if (unchecked_mutants_ == 0) unchecked_mutants_ = mutants.size();
  const int share = one.first ? 1 : kMoreMutants;
  const double before_s = judge_.checked_s();
  for (int checked = 0; unchecked_mutants_ > 0 && checked < share * settings_.max_mutants;
       ++checked) {
    const double limit_s = share * kMutantSeconds * (checked < kMinMutants ? 2 : 1);
    if (judge_.checked_s() - before_s >= limit_s) break;
    if (!executor_.used_up(phase.max_rounds - one.number + 1).empty()) break;
    const Mutant& mutant = mutants[mutants.size() - unchecked_mutants_--];
    const Result<bool> passed = judge_mutant(all[mutant.place], mutant);
    if (!passed || *passed) return passed;
  }
  if (!start_.changes.empty()) unchecked_mutants_ = 0;  // another try may start elsewhere
  return false;
}

// Returns the mutants of all places, the likeliest first.
std::vector<Mutant> Solver::mutants_at(const std::vector<Place>& places) {
  std::vector<Mutant> all;
  for (std::size_t at = 0; at < places.size(); ++at) {
    if (places[at].suspect.is_head) continue;
    for (Mutant& mutant : mutants_of(places[at].text(), places[at].suspect.function)) {
      mutant.place = at;
      all.push_back(std::move(mutant));
    }
  }
  sort_by_chance(all);
  return all;
}

Result<bool> Solver::judge_mutant(const Place& place, const Mutant& mutant) {
  std::string text = place.file->text;
  std::size_t end = place.suspect.end;
  for (std::size_t line = 0; line < mutant.more; ++line) {
    end = std::min(text.find('\n', end + 1), text.size());
  }
  text.replace(place.suspect.begin, end - place.suspect.begin, mutant.line);
  return judge_.judge(with_start({{place.file->path, std::move(text)}}), kMutantLimit);
}

Json Solver::output(int tries) const {
  Json files = Json::array();
  for (const auto& [path, text] : judge_.accepted()) files.push_back(path);
  return {{"summary", parts_.feedback.text("solved", {{"tries", std::to_string(tries)}})},
          {"files", std::move(files)},
          {"tries", tries}};
}

}  // namespace pedro
