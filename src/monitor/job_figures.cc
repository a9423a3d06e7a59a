#include "monitor/job_figures.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"
#include "job/read_journal.h"

namespace pedro {
namespace {

constexpr std::size_t kMostNames = 100;
constexpr std::size_t kMostReasons = 8;  // more than the known reasons
constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kMaxTextBytes = 200;
constexpr std::size_t kAround = kContextKinds - 1;
constexpr auto kNote = static_cast<std::size_t>(PartKind::kNote);

// Returns a string as one printable line of at most `max_bytes` bytes. Journals can contain hostile
// text.
std::string line_of(const Json& object, std::string_view key, std::size_t max_bytes) {
  std::string text = text_of(object, key);
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return make_printable(truncate_utf8(text, max_bytes));
}

std::string name_of(const Json& object, std::string_view key) {
  return line_of(object, key, kMaxNameBytes);
}

double time_of(const Json& object, std::string_view key) {
  constexpr double kMost = 1e12;
  return std::clamp(real_of(object, key), 0.0, kMost);
}

Usage usage_of(const Json& usage, const Json& timings) {
  Usage out;
  out.prompt_tokens = count_of(usage, "input_tokens");
  out.cached_tokens = std::min(out.prompt_tokens, count_of(usage, "cached_input_tokens"));
  out.generated_tokens = count_of(usage, "output_tokens");
  out.cache_written_tokens =
      std::min(out.prompt_tokens - out.cached_tokens, count_of(usage, "cache_written_tokens"));
  out.prompt_ms = time_of(timings, "prompt_ms");
  out.generate_ms = time_of(timings, "generate_ms");
  return out;
}

// Returns the tokens of the prompt by kind. The ledger counts the note as overhead around messages.
ContextShares shares_of(const Ledger& ledger, long long note_tokens) {
  ContextShares shares{};
  long long known = 0;
  for (const ContextPart& part : ledger.parts(0, ledger.messages().size())) {
    const long long tokens = std::max(0LL, part.tokens);
    shares[static_cast<std::size_t>(part.kind)] += tokens;
    known += tokens;
  }
  const long long around = std::max(0LL, ledger.total() - known);
  const long long note = std::min(note_tokens, around);
  shares[kNote] += note;
  shares[kAround] = around - note;
  return shares;
}

// Returns the index of the row with a name. Names beyond the first kMostNames share the row
// "other".
template <typename Row>
std::size_t index_of_row(std::vector<Row>& rows, std::string name) {
  const auto find = [&] {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  };
  auto found = find();
  if (found == rows.end() && rows.size() >= kMostNames) {
    name = "other";
    found = find();
  }
  const auto index = static_cast<std::size_t>(found - rows.begin());
  if (found == rows.end()) rows.emplace_back().name = std::move(name);
  return index;
}

}  // namespace

std::string_view context_kind_name(std::size_t kind) {
  static constexpr std::array<std::string_view, kContextKinds> kNames = {
      "rules", "task", "phase prompts", "replies", "results", "advice", "note", "tools and turns"};
  return kNames[kind];
}

void FigureReader::hear(const Json& event) {
  const std::string type = text_of(event, "type");
  const bool resumed = type == "thread.started" && event.contains("resumed_after");
  if (resumed) figures_.last_ms = 0;  // excludes the time between the runs
  tick(event);
  if (type == "thread.started") hear_start(event);
  if (type == "phase.started") hear_phase(event, true);
  if (type == "phase.completed") hear_phase(event, false);
  if (type == "context.compacted") hear_compaction(event);
  if (history_is_whole_) history_is_whole_ = history_.hear(event).ok();
  if (type == "turn.completed") hear_reply(event);
  const bool failed = type == "turn.failed" && truth_of(member(event, "error"), "server");
  if (failed) ++figures_.failed_requests;
  if (type == "item.completed") hear_item(member(event, "item"));
  if (type == "error") figures_.error = line_of(event, "message", kMaxTextBytes);
  if (type == "thread.completed") {
    figures_.outcome = name_of(event, "outcome");
    figures_.reason = line_of(event, "reason", kMaxTextBytes);
    figures_.exit_code = static_cast<int>(std::min(255LL, count_of(event, "exit_code")));
  }
}

// Adds elapsed time to the open phase. Tolerates a clock that is set back.
void FigureReader::tick(const Json& event) {
  const std::optional<long long> now = from_rfc3339(text_of(event, "ts"));
  if (!now) return;
  const long long last = figures_.last_ms == 0 ? *now : figures_.last_ms;
  if (figures_.started_ms == 0) figures_.started_ms = *now;
  if (open_phase_) figures_.phases[*open_phase_].ms += std::max(0LL, *now - last);
  figures_.last_ms = std::max(last, *now);
}

void FigureReader::hear_start(const Json& event) {
  figures_.id = name_of(event, "thread_id");
  figures_.agent = name_of(event, "agent");
  figures_.task = line_of(event, "task", kMaxTextBytes);
  figures_.model = line_of(event, "model", kMaxTextBytes);
  figures_.backend = name_of(event, "backend");
  figures_.format = name_of(event, "format");
  figures_.version = name_of(event, "version");
}

void FigureReader::hear_phase(const Json& event, bool begins) {
  const std::size_t phase = index_of_row(figures_.phases, name_of(event, "phase"));
  figures_.phases[phase].end = begins ? "" : name_of(event, "end");
  if (begins) ++figures_.phases[phase].runs;
  open_phase_ = begins ? std::optional(phase) : std::nullopt;
}

void FigureReader::hear_reply(const Json& event) {
  InferenceFigures one;
  one.phase = index_of_row(figures_.phases, name_of(event, "phase"));
  one.round = static_cast<int>(std::min(1'000'000LL, count_of(event, "round")));
  one.usage = usage_of(member(event, "usage"), member(event, "timings"));
  one.missed_tokens = count_of(member(event, "cache"), "missed_tokens");
  const Json& tokens = member(event, "tokens");
  one.window_used_tokens = count_of(tokens, "window_used");
  one.window_tokens = count_of(tokens, "window");
  if (history_is_whole_) one.context = shares_of(history_.now(), note_tokens_);
  figures_.inferences.push_back(one);
}

void FigureReader::hear_item(const Json& item) {
  const std::string type = text_of(item, "type");
  figures_.refusals.hear(item);
  if (type == "tool_call") return hear_call(item);
  if (type == "error" && truth_of(item, "retry")) ++figures_.retries;
  if (type == "hook") {
    ++figures_.hooks;
    figures_.hook_s += time_of(item, "duration_s");
  }
  if (type != "command_execution") return;
  ++figures_.checks;
  figures_.checks_failed += text_of(item, "status") == "failed" ? 1 : 0;
  figures_.check_s += time_of(item, "duration_s");
}

void FigureReader::hear_call(const Json& item) {
  std::vector<ToolFigures>& tools = figures_.tools;
  ToolFigures& tool = tools[index_of_row(tools, name_of(item, "tool"))];
  ++tool.calls;
  if (!truth_of(item, "valid", true)) {
    ++tool.refused;
  } else if (!truth_of(item, "ok", true)) {
    ++tool.failed;
  }
}

void FigureReader::hear_compaction(const Json& event) {
  CompactionFigures one;
  one.inference = figures_.inferences.size();
  one.before = count_of(event, "before");
  one.after = count_of(event, "after");
  for (const Json& row : member(event, "left")) {
    ++(truth_of(row, "cleared") ? one.cleared : one.exchanges);
  }
  one.note = name_of(event, "note");
  one.estimated = truth_of(event, "estimated");
  for (const Json& row : member(event, "stayed")) {
    const std::string why = name_of(row, "why");
    auto stayed = std::find_if(one.stayed.begin(), one.stayed.end(),
                               [&](const StayedFigures& known) { return known.why == why; });
    if (stayed == one.stayed.end()) {
      if (one.stayed.size() >= kMostReasons) continue;
      stayed = one.stayed.insert(one.stayed.end(), {.why = why});
    }
    ++stayed->exchanges;
    stayed->tokens += count_of(row, "tokens");
  }
  const Json& asked = member(event, "note_usage");
  one.asked.prompt_tokens = count_of(asked, "prompt_tokens");
  one.asked.cached_tokens = std::min(one.asked.prompt_tokens, count_of(asked, "cached_tokens"));
  one.asked.generated_tokens = count_of(asked, "generated_tokens");
  one.asked.prompt_ms = time_of(asked, "prompt_ms");
  one.asked.generate_ms = time_of(asked, "generate_ms");
  one.asked.cache_written_tokens = std::min(one.asked.prompt_tokens - one.asked.cached_tokens,
                                            count_of(asked, "cache_written_tokens"));
  note_tokens_ = one.note == "none" ? 0 : count_of(event, "note_tokens");
  figures_.compactions.push_back(std::move(one));
}

Result<JobFigures> read_figures(const FileSystem& files, const std::string& journal_path) {
  FigureReader reader;
  PEDRO_RETURN_IF_ERROR(
      read_journal(files, journal_path, [&](const Json& event) { reader.hear(event); }));
  return reader.figures();
}

}  // namespace pedro
