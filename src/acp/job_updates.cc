#include "acp/job_updates.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "job/inbox.h"
#include "job/journal_text.h"
#include "sys/file_system.h"

namespace pedro::acp {
namespace {

constexpr std::size_t kMaxPhases = 100;
constexpr std::size_t kMaxSteps = 50;

Json entry(const std::string& content, const std::string& status) {
  return {{"content", content}, {"priority", "medium"}, {"status", status}};
}

constexpr std::size_t kMaxCallTitleBytes = 200;
constexpr std::size_t kMaxMessageBytes = 64u << 10;
constexpr std::size_t kMaxDiffBytes = 1u << 20;
constexpr std::size_t kMaxEdits = 200;  // of a round
constexpr std::string_view kCostHeading = "\n## Cost\n";

struct KindRow {
  std::string_view tool;
  std::string_view action;  // "": all others
  std::string_view kind;
};

// The first match applies. Tools of a project are "other".
constexpr KindRow kKinds[] = {
    {"search", "", "search"},
    {"navigate", "", "search"},
    {"file", "read", "read"},
    {"file", "delete", "delete"},
    {"file", "move", "move"},
    {"file", "", "edit"},
    {"code_edit", "get_lines", "read"},
    {"code_edit", "", "edit"},
    {"bash", "", "execute"},
    {"test", "", "execute"},
    {"git", "", "execute"},
    {"github", "", "fetch"},
    {"context", "", "think"},
    {"phase_complete", "", "think"},
};

std::string_view kind_of(std::string_view tool, std::string_view action) {
  for (const KindRow& row : kKinds) {
    if (row.tool == tool && (row.action.empty() || row.action == action)) return row.kind;
  }
  return "other";
}

Json text_block(std::string_view text) {
  return {{"type", "text"}, {"text", text}};
}

Json text_content(std::string_view text) {
  Json content = Json::array();
  content.push_back({{"type", "content"}, {"content", text_block(text)}});
  return content;
}

std::string title_line(std::string_view text) {
  return one_line(truncate_utf8(text, kMaxCallTitleBytes));
}

std::string status_of(const Json& item) {
  return text_of(item, "status") == "completed" ? "completed" : "failed";
}

constexpr const char* kYesId = "yes";
constexpr const char* kAlwaysId = "always";
constexpr const char* kNoId = "no";

Json option(const char* id, const std::string& name, const char* kind) {
  return {{"optionId", id}, {"name", name}, {"kind", kind}};
}

}  // namespace

void JobPlan::start_phase(const std::string& name, long long total) {
  total_ = total;
  const auto known = std::find_if(phases_.begin(), phases_.end(),
                                  [&](const Phase& phase) { return phase.name == name; });
  if (known != phases_.end()) {
    known->status = "in_progress";
  } else if (phases_.size() < kMaxPhases) {
    phases_.push_back({name, "in_progress"});
  }
}

void JobPlan::end_phase(const std::string& name, const std::string& end, const Json& output) {
  const auto phase = std::find_if(phases_.begin(), phases_.end(),
                                  [&](const Phase& one) { return one.name == name; });
  if (phase == phases_.end()) return;
  if (end == "skipped") {
    phases_.erase(phase);
    return;
  }
  phase->status = end == "completed" ? "completed" : "pending";
  phase->steps.clear();
  for (const Json& step : member(output, "steps")) {
    const std::string change = text_of(step, "change");
    if (change.empty() || phase->steps.size() >= kMaxSteps) continue;
    const std::string file = text_of(step, "file");
    phase->steps.push_back(file.empty() ? change : file + ": " + change);
  }
}

Json JobPlan::entries() const {
  Json entries = Json::array();
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    entries.push_back(entry(phases_[i].name, phases_[i].status));
    const std::string status = i + 1 < phases_.size() ? phases_[i + 1].status : "pending";
    for (const std::string& step : phases_[i].steps) entries.push_back(entry(step, status));
  }
  return entries;
}

void JobUpdates::hear(const Json& event) {
  const std::string type = text_of(event, "type");
  if (type == "answer.delta") {
    hear_delta(event);
  } else if (type == "thread.started") {
    job_ = text_of(event, "thread_id");
    agent_ = text_of(event, "agent");
    workdir_ = text_of(event, "workdir");
    forget_end();
  } else if (type == "phase.started") {
    plan_.start_phase(text_of(event, "phase"), number_of(event, "total"));
    send_plan();
    streamed_.clear();
    answered_ = false;
  } else if (type == "phase.completed") {
    plan_.end_phase(text_of(event, "phase"), text_of(event, "end"), member(event, "output"));
    send_plan();
    const std::string answer = text_of(member(event, "output"), "answer");
    if (is_ask() && !answer.empty()) give_answer(answer);
  } else if (type == "item.started" || type == "item.completed") {
    hear_item(member(event, "item"), type == "item.started");
  } else if (type == "turn.completed") {
    const Json& tokens = member(event, "tokens");
    window_tokens_ = count_of(tokens, "window");
    send_({{"sessionUpdate", "usage_update"},
           {"used", count_of(tokens, "window_used")},
           {"size", window_tokens_}});
  } else if (type == "checkpoint.taken") {
    show_diffs(text_of(event, "commit"));
  } else if (type == "error") {
    error_ = text_of(event, "message");
  } else if (type == "thread.completed") {
    end_thread(event);
  }
}

void JobUpdates::forget_end() {
  exit_code_.reset();
  error_.clear();
  answer_.clear();
}

void JobUpdates::hear_item(const Json& item, bool is_start) {
  const std::string type = text_of(item, "type");
  if (type == "tool_call") {
    is_start ? start_call(item) : end_call(item);
  } else if (type == "command_execution") {
    is_start ? start_check(item) : end_check(item);
  } else if (type == "reasoning") {
    say(text_of(item, "text"), "agent_thought_chunk");
  } else if (type == "error" && !text_of(item, "message").starts_with(kUserSays)) {
    // The client has the user's messages.
    say(text_of(item, "message") + "\n", "agent_thought_chunk");
  }
}

void JobUpdates::say(const std::string& text, std::string_view kind) {
  if (text.empty()) return;
  send_({{"sessionUpdate", kind}, {"content", text_block(cut_middle(text, kMaxMessageBytes, ""))}});
}

void JobUpdates::send_plan() {
  if (plan_.is_shown()) send_({{"sessionUpdate", "plan"}, {"entries", plan_.entries()}});
}

// Items have ids that are unique within a job.
std::string JobUpdates::call_id(const Json& item) const {
  return fmt::format("{}/{}", job_, text_of(item, "id"));
}

Json JobUpdates::locations(const std::vector<std::string>& paths, const Json& args) const {
  const long long line = std::max(number_of(args, "start_line"), number_of(args, "line_number"));
  Json places = Json::array();
  for (const std::string& path : paths) {
    Json place = {{"path", normal_path(join_path(workdir_, path))}};
    if (line > 0 && line <= 10'000'000) place["line"] = line;
    places.push_back(std::move(place));
  }
  return places;
}

void JobUpdates::start_call(const Json& item) {
  const std::string tool = text_of(item, "tool");
  const Json& args = member(item, "args");
  const std::string path = text_of(args, "path");
  open_call_ = call_id(item);
  send_({{"sessionUpdate", "tool_call"},
         {"toolCallId", open_call_},
         {"title", title_line(call_text(tool, args))},
         {"kind", kind_of(tool, text_of(args, "action"))},
         {"status", "in_progress"},
         {"locations",
          path.empty() ? Json::array() : locations(std::vector<std::string>{path}, args)},
         {"rawInput", args}});
}

void JobUpdates::end_call(const Json& item) {
  const std::vector<std::string> changed = texts_of(member(item, "changed"));
  const std::string id = call_id(item);
  Json content = text_content(text_of(item, "text"));
  Json update = {{"sessionUpdate", "tool_call_update"},
                 {"toolCallId", id},
                 {"status", status_of(item)},
                 {"content", content}};
  if (!changed.empty()) update["locations"] = locations(changed, member(item, "args"));
  send_(std::move(update));
  open_call_.clear();
  for (const std::string& path : changed) {
    std::erase_if(edits_, [&](const Edit& edit) { return edit.path == path; });
    if (edits_.size() < kMaxEdits) edits_.push_back({id, path});
  }
  if (!changed.empty()) call_texts_[id] = std::move(content);
}

void JobUpdates::start_check(const Json& item) {
  const std::string command = text_of(item, "command");
  send_({{"sessionUpdate", "tool_call"},
         {"toolCallId", call_id(item)},
         {"title", title_line(command)},
         {"kind", "execute"},
         {"status", "in_progress"},
         {"rawInput", {{"command", command}}}});
}

void JobUpdates::end_check(const Json& item) {
  send_({{"sessionUpdate", "tool_call_update"},
         {"toolCallId", call_id(item)},
         {"status", status_of(item)},
         {"content", text_content(text_of(item, "aggregated_output"))}});
}

void JobUpdates::hear_delta(const Json& event) {
  if (truth_of(event, "begins")) {
    ++answers_;
    streamed_.clear();
  }
  const std::string text = text_of(event, "text");
  streamed_ += text;
  send_({{"sessionUpdate", "agent_message_chunk"},
         {"messageId", fmt::format("{}/answer{}", job_, answers_)},
         {"content", text_block(text)}});
}

// Shows the changes of a round, which the commits before and after it have.
void JobUpdates::show_diffs(const std::string& commit) {
  std::map<std::string, Json> diffs;
  for (const Edit& edit : edits_) {
    if (checkpoint_.empty() || !sources_.text_at) continue;
    const auto before = sources_.text_at(workdir_, checkpoint_, edit.path);
    const auto after = sources_.text_at(workdir_, commit, edit.path);
    const std::size_t bytes = before.value_or("").size() + after.value_or("").size();
    if ((!before && !after) || before == after || bytes > kMaxDiffBytes) continue;
    Json& content = diffs.try_emplace(edit.call_id, call_texts_[edit.call_id]).first->second;
    content.push_back({{"type", "diff"},
                       {"path", normal_path(join_path(workdir_, edit.path))},
                       {"oldText", before ? Json(*before) : Json()},
                       {"newText", after.value_or("")}});
  }
  for (auto& [id, content] : diffs) {
    send_({{"sessionUpdate", "tool_call_update"},
           {"toolCallId", id},
           {"content", std::move(content)}});
  }
  edits_.clear();
  call_texts_.clear();
  checkpoint_ = commit;
}

void JobUpdates::end_thread(const Json& event) {
  exit_code_ = static_cast<int>(count_of(event, "exit_code"));
  if (answered_) return;
  const std::string answer = text_of(member(event, "result"), "answer");
  if (is_ask() && !answer.empty()) return give_answer(answer);
  const std::string report = sources_.report(text_of(event, "report"));
  answer_ = std::string(trim(report.substr(0, report.find(kCostHeading))));
  ++answers_;
  send_answer(report);
}

// Sends an answer, or the rest of one that was streamed.
void JobUpdates::give_answer(std::string whole) {
  answer_ = std::string(trim(whole));
  answered_ = true;
  if (!streamed_.empty() && whole.starts_with(streamed_)) {
    whole.erase(0, streamed_.size());
  } else {
    ++answers_;
  }
  send_answer(whole);
}

void JobUpdates::send_answer(const std::string& text) {
  if (trim(text).empty()) return;
  send_({{"sessionUpdate", "agent_message_chunk"},
         {"messageId", fmt::format("{}/answer{}", job_, answers_)},
         {"content", text_block(cut_middle(text, kMaxMessageBytes, ""))}});
}

void JobReplay::hear(const Json& event, JobUpdates& updates) {
  const std::string type = text_of(event, "type");
  const bool starts = type == "thread.started" || type == "phase.started";
  if (type == "thread.started") is_ask_ = text_of(event, "agent") == "ask";
  if (is_ask_ && answered_ && starts) later_.emplace_back();
  if (starts) answered_ = false;
  if (type == "phase.completed") answered_ = true;
  if (later_.empty()) {
    updates.hear(event);
  } else {
    later_.back().push_back(event);
  }
}

void JobReplay::next_turn(JobUpdates& updates) {
  if (later_.empty()) return;
  const std::vector<Json> events = std::move(later_.front());
  later_.pop_front();
  for (const Json& event : events) updates.hear(event);
}

Json permission_request(const std::string& session_id, const std::string& call_id,
                        const Json& question) {
  Json options = Json::array();
  options.push_back(option(kYesId, "Allow", "allow_once"));
  options.push_back(option(kAlwaysId, "Always allow in this job: " + text_of(question, "always"),
                           "allow_always"));
  options.push_back(option(kNoId, "Refuse", "reject_once"));
  return {{"sessionId", session_id},
          {"toolCall",
           {{"toolCallId", call_id},
            {"title", text_of(question, "what")},
            {"status", "pending"},
            {"content", text_content(text_of(question, "why"))}}},
          {"options", std::move(options)}};
}

std::string permission_answer(const Json& result) {
  const Json& outcome = member(result, "outcome");
  if (text_of(outcome, "outcome") != "selected") return kNoId;
  const std::string id = text_of(outcome, "optionId");
  return id == kYesId || id == kAlwaysId ? id : kNoId;
}

}  // namespace pedro::acp
