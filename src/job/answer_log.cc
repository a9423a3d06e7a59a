#include "job/answer_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::size_t kHashDigits = 16;
constexpr std::string_view kStart = "start";
constexpr std::string_view kRound = "round";
constexpr std::string_view kFilesLost = "files_lost";  // true in a round's line
// In the order of Question.
constexpr std::string_view kQuestions[] = {"reply", "aside",    "file state", "text",
                                           "tree",  "policy",   "refusal",    "tool",
                                           "check", "together", "messages",   "hook"};

bool is_of_model(std::string_view type) {
  return type == to_string(Question::kReply) || type == to_string(Question::kAside) ||
         type == to_string(Question::kFileState) || type == to_string(Question::kMessages);
}

// The usual size of a start: a task with its rules and checks.
constexpr std::uint64_t kUsualStartBytes = 64u << 10;

// The start of a round's JSON, after the hash.
constexpr std::string_view kRoundBegins = R"({"type":"round")";

long long rounds_in(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text.substr(0, text.rfind('\n') + 1));
  return std::count_if(lines.begin(), lines.end(), [](std::string_view line) {
    return line.size() > kHashDigits && line.substr(kHashDigits + 1).starts_with(kRoundBegins);
  });
}

}  // namespace

// The valid lines of a log.
struct AnswerLog::Reading {
  std::vector<Line> lines;
  std::size_t end = 0;  // offset after them, in the file

  bool has_start() const { return !lines.empty() && lines.front().type == kStart; }
};

AnswerLog::Reading AnswerLog::read_lines(std::string_view text) {
  Reading reading;
  std::uint64_t hash = kHashSeed;
  while (reading.end < text.size()) {
    const std::size_t at = reading.end;
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos || end - at <= kHashDigits) break;
    const std::string_view line = text.substr(at, end - at);
    const std::string_view content = line.substr(kHashDigits + 1);
    hash = hash_bytes(content, hash);
    if (line[kHashDigits] != ' ' || line.substr(0, kHashDigits) != to_hex(hash)) break;
    Result<Json> json = parse_json(content);
    if (!json) break;  // not written by this program
    std::string type = text_of(*json, "type");
    reading.end = end + 1;
    reading.lines.push_back({std::move(type), *std::move(json), hash, reading.end});
  }
  return reading;
}

namespace {

Error no_beginning(const std::string& path) {
  return {ErrorKind::kUsage, path + ": its beginning is missing; start a new job"};
}

Status require_log(const FileSystem& files, const std::string& path) {
  if (files.info(path).kind != FileKind::kMissing) return {};
  return Error{ErrorKind::kUsage, "cannot resume: it has no answers.log"};
}

// Returns the first line with its newline; "" if it is incomplete.
Result<std::string> first_line(const FileSystem& files, const std::string& path) {
  for (std::uint64_t bytes = kUsualStartBytes;; bytes *= 4) {
    Result<std::string> text = files.read_begin(path, std::min(bytes, LogLimit().max_bytes));
    if (!text) return text;
    const std::size_t end = text->find('\n');
    if (end != std::string::npos) return text->substr(0, end + 1);
    if (text->size() < bytes) return std::string();
  }
}

}  // namespace

bool AnswerLog::can_go_on_from(const Line& line) {
  return line.type == kRound && !truth_of(line.content, kFilesLost);
}

// Returns the number of lines to replay. They reach to the end of the last complete round, and the
// model's replies directly after it. Everything else is asked again: with new limits the job may
// differ there.
std::size_t AnswerLog::lines_to_keep(const std::vector<Line>& lines) {
  std::size_t kept = 1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (can_go_on_from(lines[i])) kept = i + 1;
  }
  while (kept < lines.size() && is_of_model(lines[kept].type)) ++kept;
  return kept;
}

std::string_view to_string(Question question) {
  return kQuestions[static_cast<std::size_t>(question)];
}

Result<AnswerLog> AnswerLog::create(FileSystem& files, const std::string& folder, const Json& start,
                                    LogLimit limit) {
  AnswerLog log(files, folder, limit);
  log.hash_ = kHashSeed;
  log.start_ = start;
  PEDRO_RETURN_IF_ERROR(log.write(kStart, start));
  PEDRO_RETURN_IF_ERROR(files.sync(log.path_));
  return log;
}

Result<Json> AnswerLog::read_start(const FileSystem& files, const std::string& folder) {
  const std::string path = join_path(folder, "answers.log");
  PEDRO_RETURN_IF_ERROR(require_log(files, path));
  PEDRO_TRY(const std::string line, first_line(files, path));
  Reading reading = read_lines(line);
  if (!reading.has_start()) return no_beginning(path);
  return std::move(reading.lines.front().content);
}

Result<AnswerLog> AnswerLog::reopen(FileSystem& files, const std::string& folder, LogLimit limit) {
  AnswerLog log(files, folder, limit);
  PEDRO_RETURN_IF_ERROR(require_log(files, log.path_));
  PEDRO_TRY(const std::string text, files.read(log.path_, limit.max_bytes));
  Reading reading = read_lines(text);
  if (!reading.has_start()) return no_beginning(log.path_);
  if (const long long lost = rounds_in(std::string_view(text).substr(reading.end)); lost > 0) {
    log.loss_ = fmt::format("{}:{}: is damaged; {} rounds from there on are lost", log.path_,
                            reading.lines.size() + 1, lost);
  }
  std::vector<Line>& lines = reading.lines;
  const std::size_t kept = lines_to_keep(lines);
  const auto unkept = std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(kept), lines.end(),
                                    [](const Line& line) { return line.type == kRound; });
  if (unkept > 0 && log.loss_.empty()) {
    log.loss_ =
        fmt::format("the files of the last {} could not be kept; the job resumes before that",
                    unkept == 1 ? "round" : fmt::format("{} rounds", unkept));
  }
  lines.resize(kept);
  log.hash_ = lines.back().hash;
  log.taken_hash_ = lines.front().hash;
  log.taken_end_ = lines.front().end;
  log.bytes_ = lines.back().end;
  PEDRO_RETURN_IF_ERROR(files.cut(log.path_, log.bytes_));
  log.start_ = std::move(lines.front().content);
  int replies = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].type == to_string(Question::kReply)) ++replies;
    if (lines[i].type == kRound) {
      log.last_round_ = lines[i].content;
      ++log.rounds_ahead_;
      log.replies_ahead_ = replies;
    }
    log.ahead_.push_back(std::move(lines[i]));
  }
  return log;
}

Status AnswerLog::fail(Error error) {
  failed_ = error;
  return error;
}

Error AnswerLog::other_way(std::string_view asked) const {
  return Error{ErrorKind::kUsage,
               fmt::format("{}: the job differs from its log: it asks for '{}', the log has '{}' "
                           "next; its prompts or settings have changed since",
                           path_, asked, ahead_.front().type)};
}

Result<std::optional<Json>> AnswerLog::next(Question question) {
  if (failed_) return *failed_;
  if (ahead_.empty()) return std::optional<Json>();
  if (ahead_.front().type == to_string(question)) return std::optional(take_ahead().content);
  if (catching_up()) return fail(other_way(to_string(question))).error();
  PEDRO_RETURN_IF_ERROR(drop_ahead());
  return std::optional<Json>();
}

AnswerLog::Line AnswerLog::take_ahead() {
  Line line = std::move(ahead_.front());
  ahead_.pop_front();
  taken_hash_ = line.hash;
  taken_end_ = line.end;
  if (line.type == to_string(Question::kReply) && replies_ahead_ > 0) --replies_ahead_;
  return line;
}

Status AnswerLog::drop_ahead() {
  assert(!catching_up());
  ahead_.clear();
  hash_ = taken_hash_;
  bytes_ = taken_end_;
  const Status cut = files_->cut(path_, taken_end_);
  return cut ? cut : fail(cut.error());
}

Status AnswerLog::add(Question question, Json answer) {
  if (failed_) return *failed_;
  return files_ == nullptr ? Status() : write(to_string(question), std::move(answer));
}

Status AnswerLog::end_round(Json state, RoundFiles files) {
  if (failed_) return *failed_;
  if (rounds_ahead_ > 0) {
    if (ahead_.front().type != kRound) return fail(other_way(kRound));
    take_ahead();
    --rounds_ahead_;
    round_bytes_ = taken_end_;
    round_hash_ = taken_hash_;
    return {};
  }
  if (files_ == nullptr) return {};
  last_round_ = state;
  if (files == RoundFiles::kLost) state[std::string(kFilesLost)] = true;
  if (Status written = write(kRound, std::move(state)); !written) return written;
  round_bytes_ = bytes_;
  round_hash_ = hash_;
  const Status synced = files_->sync(path_);
  return synced ? synced : fail(synced.error());
}

Status AnswerLog::cut_to_round() {
  if (failed_) return *failed_;
  if (files_ == nullptr || round_bytes_ == 0 || bytes_ == round_bytes_) return {};
  ahead_.clear();
  bytes_ = round_bytes_;
  hash_ = round_hash_;
  const Status cut = files_->cut(path_, bytes_);
  return cut ? cut : fail(cut.error());
}

// Unused lines are dropped before a new one is written.
Status AnswerLog::write(std::string_view type, Json content) {
  if (!ahead_.empty()) {
    if (Status dropped = drop_ahead(); !dropped) return dropped;
  }
  Json line = {{"type", type}};
  if (content.is_object()) line.update(std::move(content));
  const std::string text = to_line(line);
  hash_ = hash_bytes(text, hash_);
  const std::string whole = fmt::format("{} {}\n", to_hex(hash_), text);
  bytes_ += whole.size();
  if (bytes_ > limit_.max_bytes) {
    return fail(
        {ErrorKind::kLimit,
         fmt::format(
             "{}: would exceed {} bytes; the job cannot be resumed after its last whole round",
             path_, limit_.max_bytes)});
  }
  const Status written = files_->append(path_, whole);
  return written ? written : fail(written.error());
}

}  // namespace pedro
