#include "agent/reproduction.h"

#include <algorithm>

#include "agent/answers.h"
#include "agent/check_files.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "git/commit_files.h"
#include "policy/plain_commands.h"
#include "policy/policy_gate.h"
#include "policy/started_programs.h"
#include "tools/failing_part.h"
#include "tools/word_list.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxEvidenceBytes = 16u << 20;

// Returns the hashes of non-blank lines. Ignores blanks at the ends of a line.
std::multiset<std::uint64_t> hashes_of_lines(std::string_view text) {
  std::multiset<std::uint64_t> hashes;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) hashes.insert(hash_bytes(trim(line)));
  }
  return hashes;
}

std::multiset<std::uint64_t> lines_in(const Repository& repository, const std::string& path) {
  const auto text = repository.files().read(join_path(repository.root(), path), kMaxEvidenceBytes);
  return text ? hashes_of_lines(*text) : std::multiset<std::uint64_t>();
}

std::uint64_t content_now(const Repository& repository, const std::string& path) {
  return content_of(repository.files(), join_path(repository.root(), path)).hash;
}

constexpr std::size_t kMaxObservedBytes = 800;  // as in reproduce.schema.json
constexpr int kNotExecutable = 126;             // exit codes of a shell
constexpr int kNotFound = 127;

// Programs that only read or compare text, or change nothing.
constexpr std::string_view kTextPrograms[] = {
    "grep",   "egrep",   "fgrep", "rg",   "sed",   "awk",   "gawk",   "mawk",    "cat",
    "head",   "tail",    "wc",    "cut",  "tr",    "sort",  "uniq",   "diff",    "cmp",
    "comm",   "test",    "[",     "[[",   "echo",  "true",  "false",  ":",       "cd",
    "printf", "ls",      "find",  "stat", "file",  "git",   "exit",   "strings", "od",
    "xxd",    "hexdump", "tac",   "nl",   "paste", "xargs", "md5sum", "sha1sum", "sha256sum"};

// Writes the commands of `$(...)` as commands of the line. Removes quotes and negations.
std::string with_open_substitutions(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at).starts_with("$(")) {
      text += "; ";
      ++at;
    } else if (line[at] != '"' && !line.substr(at).starts_with("! ")) {
      text += line[at] == ')' ? ' ' : line[at];
    }
  }
  return text;
}

bool only_reads_text(const policy::CommandWords& command) {
  return is_one_of(command.front(), kTextPrograms) && !policy::reads_commands(command) &&
         !policy::is_wrapper(command);
}

// Returns true if a line runs no code of the project, as far as its text shows.
bool only_reads_text(const std::string& line) {
  auto commands = policy::plain_commands(line);
  if (!commands) commands = policy::plain_commands(with_open_substitutions(line));
  return commands && std::all_of(commands->begin(), commands->end(),
                                 [](const auto& command) { return only_reads_text(command); });
}

}  // namespace

Result<FaultEvidence> FaultEvidence::take(const Repository& repository, const std::string& base,
                                          const std::vector<ChangedFile>& before,
                                          const std::set<std::string>& without,
                                          const std::set<std::string>& written) {
  PEDRO_TRY(const std::vector<ChangedFile> files, repository.changed_files(base));
  FaultEvidence evidence;
  std::set<std::string> unseen = written;
  for (const ChangedFile& file : before) unseen.erase(file.path);
  for (const ChangedFile& file : files) {
    unseen.erase(file.path);
    const bool known = std::any_of(before.begin(), before.end(), [&](const ChangedFile& earlier) {
      return same_state(earlier, file);
    });
    if (known || file.generated || without.count(file.path) > 0) continue;
    if (file.kind != ChangeKind::kModified) {
      evidence.files_.push_back({file.path, content_now(repository, file.path), {}, 0});
      continue;
    }
    PEDRO_TRY(const std::string text, CommitFiles(repository.git()).text_at(base, file.path));
    File modified{file.path, 0, {}, 0};
    const auto now = lines_in(repository, file.path);
    const auto then = hashes_of_lines(text);
    std::set_difference(now.begin(), now.end(), then.begin(), then.end(),
                        std::inserter(modified.lines, modified.lines.end()));
    if (!modified.lines.empty()) evidence.files_.push_back(std::move(modified));
  }
  PEDRO_TRY(const auto ignored, CommitFiles(repository.git()).not_in(base, unseen));
  for (const std::string& path : ignored) {
    const std::uint64_t content = content_now(repository, path);
    if (content != 0) evidence.files_.push_back({path, content, {}, 0});
  }
  const auto at = [&](const File& file) { return join_path(repository.root(), file.path); };
  std::erase_if(evidence.files_,
                [&](const File& file) { return content_of(repository.files(), at(file)).built; });
  for (File& file : evidence.files_) {
    file.modified_ns = repository.files().link_info(at(file)).modified_ns;
  }
  std::sort(evidence.files_.begin(), evidence.files_.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return evidence;
}

void FaultEvidence::leave_out_written(const Repository& repository) {
  std::erase_if(files_, [&](const File& file) {
    const FileInfo now = repository.files().link_info(join_path(repository.root(), file.path));
    return now.modified_ns != file.modified_ns;
  });
}

std::vector<std::string> FaultEvidence::changed(const Repository& repository) const {
  std::vector<std::string> paths;
  for (const File& file : files_) {
    bool same = false;
    if (file.lines.empty()) {
      same = content_now(repository, file.path) == file.content;
    } else {
      const auto now = lines_in(repository, file.path);
      same = std::includes(now.begin(), now.end(), file.lines.begin(), file.lines.end());
    }
    if (!same) paths.push_back(file.path);
  }
  return paths;
}

Json FaultEvidence::json() const {
  Json list = Json::array();
  for (const File& file : files_) {
    Json lines = Json::array();
    for (const std::uint64_t line : file.lines) lines.push_back(to_hex(line));
    list.push_back({{"path", bytes_json(file.path)},
                    {"content", to_hex(file.content)},
                    {"lines", std::move(lines)}});
  }
  return list;
}

FaultEvidence FaultEvidence::from(const Json& json) {
  FaultEvidence evidence;
  for (const Json& entry : json) {
    File file{bytes_from(member(entry, "path")), from_hex(text_of(entry, "content")), {}, 0};
    for (const Json& line : member(entry, "lines")) {
      if (line.is_string()) file.lines.insert(from_hex(line.get<std::string>()));
    }
    evidence.files_.push_back(std::move(file));
  }
  return evidence;
}

Result<std::optional<std::string>> Reproduction::denied_by_policy(const std::string& line) {
  policy::Gate* gate = parts_.tools.policy;
  if (gate == nullptr) return std::optional<std::string>();
  return logged_refusal(parts_.answers, Question::kPolicy, [&] {
    return gate->refusal({"reproduction", Permission::kExecute, line});
  });
}

Result<FaultEvidence> Reproduction::take_evidence(const std::set<std::string>& without) const {
  std::set<std::string> omitted = tree_.made_by_checks();
  omitted.insert(without.begin(), without.end());
  return FaultEvidence::take(repository_, base_, before_, omitted, executor_.written());
}

// Refuses a run that shows no fault, for the model.
Result<std::optional<std::string>> Reproduction::refuse_run(const CheckOutcome& outcome) {
  bool did_not_run = outcome.exit_code == kNotFound || outcome.exit_code == kNotExecutable;
  if (!outcome.passed && !did_not_run) {
    PEDRO_TRY(const bool unreadable, cannot_be_read(outcome.check.command));
    did_not_run = unreadable;
  }
  if (!outcome.passed && !did_not_run) return std::optional<std::string>();
  return std::optional(parts_.feedback.text(
      outcome.passed ? "no_failure" : "command_not_run",
      {{"command", outcome.check.command}, {"output", std::string(trim(outcome.output))}}));
}

Result<std::set<std::string>> Reproduction::changed_paths() const {
  PEDRO_TRY(const auto files, repository_.changed_files(base_));
  std::set<std::string> paths;
  for (const ChangedFile& file : files) {
    if (!file.generated) paths.insert(file.path);
  }
  return paths;
}

Result<CheckOutcome> Reproduction::on_base(const Check& check, const RunOnBase& run) {
  PEDRO_TRY(const std::optional<Json> earlier, parts_.answers.next(Question::kCheck));
  if (earlier) return check_outcome_from(*earlier);
  PEDRO_TRY(const std::set<std::string> changed, changed_paths());
  const std::vector<std::string> paths(changed.begin(), changed.end());
  Result<CheckOutcome> outcome = run(check, check_files(paths, {&check, 1}));
  if (!outcome && outcome.error().kind == ErrorKind::kInterrupted) return outcome;
  if (!outcome) {  // not the job's end: the first command stays
    outcome = cannot_start(check, outcome.error().message);
  }
  const Status added = parts_.answers.add(Question::kCheck, to_json(*outcome));
  return added ? std::move(outcome) : added.error();
}

Result<std::optional<std::string>> Reproduction::replace(const std::string& command,
                                                         const RunOnBase& run) {
  const std::optional<std::string> none;
  const Check check{"reproduction", command, kSource};
  if (!outcome_ || trim(command).empty() || command == outcome_->check.command) return none;
  if (only_reads_text(command) && !only_reads_text(outcome_->check.command)) {
    return std::optional(parts_.feedback.text("only_text", {{"command", command}}));
  }
  PEDRO_TRY(const auto denied, denied_by_policy(command));
  if (denied) {
    return std::optional(
        parts_.feedback.text("command_not_run", {{"command", command}, {"output", *denied}}));
  }
  PEDRO_TRY(CheckOutcome before, on_base(check, run));
  Result<std::optional<std::string>> refusal = refuse_run(before);
  if (!refusal || *refusal) return refusal;
  PEDRO_TRY(const CheckOutcome now, tree_.try_check(check));
  if (!now.passed) {
    return std::optional(parts_.feedback.text(
        "fails_now", {{"command", command}, {"output", std::string(trim(now.output))}}));
  }
  // The fix may change sources further, so only the tests are evidence.
  PEDRO_TRY(std::set<std::string> sources, changed_paths());
  const std::vector<std::string> paths(sources.begin(), sources.end());
  for (const std::string& test : check_files(paths, {&check, 1})) sources.erase(test);
  PEDRO_TRY(FaultEvidence evidence, take_evidence(sources));
  PEDRO_RETURN_IF_ERROR(keep_evidence(std::move(evidence)));
  if (outcome_->check.source == kSource) tree_.remove_check(outcome_->check.command);
  tree_.add_check(check);
  replaced_.push_back(*std::move(outcome_));
  outcome_ = std::move(before);
  return none;
}

// Runs the command. It becomes a check if it fails.
Result<std::optional<std::string>> Reproduction::check(const Json& output, bool takes_tried) {
  if (!truth_of(output, "reproduced")) {
    const bool lacks_attempts = takes_tried && trim(text_of(output, "tried")).empty();
    return lacks_attempts ? std::optional(parts_.feedback.text("nothing_tried"))
                          : std::optional<std::string>();
  }
  const Check check{"reproduction", text_of(output, "command"), kSource};
  if (trim(check.command).empty()) {
    return std::optional(parts_.feedback.text("no_command"));
  }
  PEDRO_TRY(const auto denied, denied_by_policy(check.command));
  if (denied) {
    return std::optional(
        parts_.feedback.text("command_not_run", {{"command", check.command}, {"output", *denied}}));
  }
  PEDRO_TRY(FaultEvidence evidence, take_evidence({}));
  PEDRO_TRY(CheckOutcome outcome, tree_.try_check(check));
  Result<std::optional<std::string>> refusal = refuse_run(outcome);
  if (!refusal || *refusal) return refusal;
  PEDRO_RETURN_IF_ERROR(keep_evidence(std::move(evidence)));
  outcome_ = std::move(outcome);
  tree_.add_check(check);
  return std::optional<std::string>();
}

// Returns true for a line with a shell syntax error, whose failure proves nothing.
Result<bool> Reproduction::cannot_be_read(const std::string& line) {
  PEDRO_TRY(const auto why,
            logged_refusal(
                parts_.answers, Question::kRefusal, [&]() -> Result<std::optional<std::string>> {
                  Command command{.argv = {"sh", "-n", "-c", line}, .folder = tree_.tree().root()};
                  PEDRO_TRY(const auto read, parts_.tools.commands.run(command, parts_.cancel));
                  return read.ok() ? std::optional<std::string>() : std::optional(read.err);
                }));
  return why.has_value();
}

Status Reproduction::keep_evidence(FaultEvidence evidence) {
  PEDRO_TRY(const std::optional<Json> earlier, parts_.answers.next(Question::kTree));
  if (earlier) {
    evidence_ = FaultEvidence::from(member(*earlier, "evidence"));
    return {};
  }
  evidence_ = std::move(evidence);
  evidence_.leave_out_written(repository_);
  return parts_.answers.add(Question::kTree, {{"evidence", evidence_.json()}});
}

Result<std::vector<std::string>> Reproduction::changed_files() {
  std::vector<std::string> paths;
  if (!outcome_) return paths;
  PEDRO_TRY(const std::optional<Json> earlier, parts_.answers.next(Question::kTree));
  if (earlier) {
    for (const Json& path : member(*earlier, "changed")) paths.push_back(bytes_from(path));
    return paths;
  }
  paths = evidence_.changed(repository_);
  Json list = Json::array();
  for (const std::string& path : paths) list.push_back(bytes_json(path));
  const Status added = parts_.answers.add(Question::kTree, {{"changed", std::move(list)}});
  return added ? Result(std::move(paths)) : added.error();
}

Result<std::optional<std::string>> Reproduction::refuse_changes() {
  PEDRO_TRY(const std::vector<std::string> changed, changed_files());
  if (changed.empty()) return std::optional<std::string>();
  return std::optional(parts_.feedback.text(
      "evidence_changed", {{"command", outcome_->check.command},
                           {"files", "- " + make_printable(join(changed, "\n- "))}}));
}

// Uses a check as the reproduction if it fails before the work and the task names it.
Result<std::optional<Json>> Reproduction::from_checks(const std::string& task) {
  const std::optional<Json> none;
  if (!executor_.written().empty()) return none;
  PEDRO_TRY(const std::vector<CheckOutcome> before, tree_.outcomes(executor_.calls()));
  const auto named = std::find_if(before.begin(), before.end(), [&](const CheckOutcome& outcome) {
    return !outcome.passed && task.find(outcome.check.command) != std::string::npos;
  });
  if (named == before.end()) return none;
  const CheckOutcome& failed = *named;
  PEDRO_TRY(FaultEvidence evidence, take_evidence({}));
  PEDRO_RETURN_IF_ERROR(keep_evidence(std::move(evidence)));
  outcome_ = failed;
  return std::optional<Json>(Json{{"reproduced", true},
                                  {"command", failed.check.command},
                                  {"observed", failing_part(failed.output, kMaxObservedBytes)},
                                  {"expected", parts_.feedback.text("passes")},
                                  {"tried", ""}});
}

}  // namespace pedro
