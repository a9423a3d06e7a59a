#include "job/answer_log.h"

#include <fmt/format.h>

#include <cassert>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxLogBytes = 256u << 20;
constexpr std::size_t kHashDigits = 16;
constexpr std::string_view kStart = "start";
constexpr std::string_view kRound = "round";
// In the order of Question; up to kFileState they belong to asking the model.
constexpr std::string_view kQuestions[] = {"reply",  "aside",   "file state", "text", "tree",
                                           "policy", "refusal", "tool",       "check"};

bool is_of_model(std::string_view type) {
  return type == to_string(Question::kReply) || type == to_string(Question::kAside) ||
         type == to_string(Question::kFileState);
}

// What is whole of a log.
struct Reading {
  struct Line {
    std::string type;
    Json content;
    std::uint64_t hash = 0;
    std::size_t end = 0;  // behind it, in the file
  };
  std::vector<Line> lines;
};

Reading read_lines(std::string_view text) {
  Reading reading;
  std::uint64_t hash = kHashSeed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos || end - at <= kHashDigits) break;
    const std::string_view line = text.substr(at, end - at);
    const std::string_view content = line.substr(kHashDigits + 1);
    hash = hash_bytes(content, hash);
    if (line[kHashDigits] != ' ' || line.substr(0, kHashDigits) != to_hex(hash)) break;
    Result<Json> json = parse_json(content);
    if (!json) break;  // we did not write it
    std::string type = text_of(*json, "type");
    reading.lines.push_back({std::move(type), *std::move(json), hash, end + 1});
    at = end + 1;
  }
  return reading;
}

Result<Reading> read_log(const FileSystem& files, const std::string& path) {
  if (files.info(path).kind == FileKind::kMissing) {
    return Error{ErrorKind::kUsage, "there is nothing to go on from: it has no answers.log"};
  }
  const Result<std::string> text = files.read(path, kMaxLogBytes);
  if (!text) return text.error();
  Reading reading = read_lines(*text);
  if (reading.lines.empty() || reading.lines.front().type != kStart) {
    return Error{ErrorKind::kUsage, path + ": its beginning is missing; start the job anew"};
  }
  return reading;
}

// How many of the lines count: up to the end of the last whole round, and what the model said
// behind it. All else is asked again: the job may go another way there, where it has more rounds
// now.
std::size_t lines_to_keep(const std::vector<Reading::Line>& lines) {
  std::size_t kept = 1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].type == kRound) kept = i + 1;
  }
  while (kept < lines.size() && is_of_model(lines[kept].type)) ++kept;
  return kept;
}

}  // namespace

std::string_view to_string(Question question) {
  return kQuestions[static_cast<std::size_t>(question)];
}

Result<AnswerLog> AnswerLog::create(FileSystem& files, const std::string& folder,
                                    const Json& start) {
  AnswerLog log(files, folder);
  log.hash_ = kHashSeed;
  log.start_ = start;
  if (Status written = log.write(kStart, start); !written) return written.error();
  if (Status synced = files.sync(log.path_); !synced) return synced.error();
  return log;
}

Result<Json> AnswerLog::read_start(const FileSystem& files, const std::string& folder) {
  Result<Reading> reading = read_log(files, join_path(folder, "answers.log"));
  if (!reading) return reading.error();
  return std::move(reading->lines.front().content);
}

Result<AnswerLog> AnswerLog::reopen(FileSystem& files, const std::string& folder) {
  AnswerLog log(files, folder);
  Result<Reading> reading = read_log(files, log.path_);
  if (!reading) return reading.error();
  reading->lines.resize(lines_to_keep(reading->lines));
  log.hash_ = reading->lines.back().hash;
  log.taken_hash_ = reading->lines.front().hash;
  log.taken_end_ = reading->lines.front().end;
  if (Status cut = files.cut(log.path_, reading->lines.back().end); !cut) return cut.error();
  log.start_ = std::move(reading->lines.front().content);
  for (std::size_t i = 1; i < reading->lines.size(); ++i) {
    Reading::Line& line = reading->lines[i];
    if (line.type == kRound) {
      log.last_round_ = line.content;
      ++log.rounds_ahead_;
    }
    log.ahead_.push_back({std::move(line.type), std::move(line.content), line.hash, line.end});
  }
  return log;
}

Status AnswerLog::fail(Error error) {
  failed_ = error;
  return error;
}

Error AnswerLog::other_way(std::string_view asked) const {
  return Error{ErrorKind::kUsage,
               fmt::format("{}: the job takes another way than it did: it asks for '{}' where '{}' "
                           "is next; its prompts or settings have changed since",
                           path_, asked, ahead_.front().type)};
}

Result<std::optional<Json>> AnswerLog::next(Question question) {
  if (failed_) return *failed_;
  if (ahead_.empty()) return std::optional<Json>();
  if (ahead_.front().type == to_string(question)) return std::optional(take_ahead().content);
  if (catching_up()) return fail(other_way(to_string(question))).error();
  if (Status dropped = drop_ahead(); !dropped) return dropped.error();
  return std::optional<Json>();
}

AnswerLog::Line AnswerLog::take_ahead() {
  Line line = std::move(ahead_.front());
  ahead_.pop_front();
  taken_hash_ = line.hash;
  taken_end_ = line.end;
  return line;
}

Status AnswerLog::drop_ahead() {
  assert(!catching_up());
  ahead_.clear();
  hash_ = taken_hash_;
  const Status cut = files_->cut(path_, taken_end_);
  return cut ? cut : fail(cut.error());
}

Status AnswerLog::add(Question question, Json answer) {
  if (failed_) return *failed_;
  return files_ == nullptr ? Status() : write(to_string(question), std::move(answer));
}

Status AnswerLog::end_round(Json state) {
  if (failed_) return *failed_;
  if (rounds_ahead_ > 0) {
    if (ahead_.front().type != kRound) return fail(other_way(kRound));
    take_ahead();
    --rounds_ahead_;
    return {};
  }
  if (files_ == nullptr) return {};
  last_round_ = state;
  if (Status written = write(kRound, std::move(state)); !written) return written;
  const Status synced = files_->sync(path_);
  return synced ? synced : fail(synced.error());
}

// What nobody asked for any more is no part of what is written behind it.
Status AnswerLog::write(std::string_view type, Json content) {
  if (!ahead_.empty()) {
    if (Status dropped = drop_ahead(); !dropped) return dropped;
  }
  Json line = {{"type", type}};
  if (content.is_object()) line.update(std::move(content));
  const std::string text = to_line(line);
  hash_ = hash_bytes(text, hash_);
  const Status written = files_->append(path_, fmt::format("{} {}\n", to_hex(hash_), text));
  return written ? written : fail(written.error());
}

}  // namespace pedro
