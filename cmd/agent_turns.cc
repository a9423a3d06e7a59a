// The turns of a job: the messages of its user, each with a report of its own.
#include <fmt/format.h>

#include "agent/user_messages.h"
#include "agent_job.h"
#include "base/text.h"

namespace pedro {

Status AgentJob::keep_message() {
  const std::string message = std::exchange(context_.global.message, "");
  return message.empty() ? Status() : Inbox::add(context_.files, folder_, message);
}

Result<std::string> AgentJob::next_message() {
  UserMessages messages(&*inbox_, answers_, secrets_.mask());
  PEDRO_TRY(const std::vector<std::string> texts, messages.next());
  if (!texts.empty() && !answers_.catching_up()) {
    is_new_turn_ = true;
    began_ms_ = context_.clock.ticks_ms();
    begin_time();
  }
  for (const std::string& text : texts) masked_->on_notice(std::string(kUserSays) + text);
  return join(texts, "\n\n");
}

Result<bool> AgentJob::begin_turn() {
  if (!waits_for_messages()) return false;
  heartbeat_.reset();
  lock_.reset();
  const std::string message = live_->next_message(context_.cancel);
  if (message.empty()) return false;
  is_new_turn_ = true;
  begin_time();
  const auto served = logged_->served_model();
  if (!served || !served_model_ || *served != *served_model_) {
    return usage_error(id_ + ": the server has another model now");
  }
  PEDRO_TRY(lock_, FolderLock::take(folder_));
  const std::string journal = join_path(folder_, "journal.jsonl");
  if (context_.files.info(journal).bytes != journal_->place().bytes) {
    return usage_error(id_ + ": another process has continued it");
  }
  PEDRO_RETURN_IF_ERROR(Inbox::add(context_.files, folder_, message));
  PEDRO_RETURN_IF_ERROR(keep_earlier_report());
  PEDRO_RETURN_IF_ERROR(answers_.cut_to_round());
  PEDRO_RETURN_IF_ERROR(journal_->go_on_from(before_end_));
  heartbeat_.emplace(open_job_store(context_)->heartbeat_path(id_));
  ended_ = false;
  heard_by_ = masked_.get();
  header_.resumed_after = rounds_before();
  PEDRO_RETURN_IF_ERROR(journal_->thread_started(header_));
  return true;
}

// Renames the report on the last message: report-1.md, report-2.md etc.
Status AgentJob::keep_earlier_report() {
  const std::string path = join_path(folder_, "report.md");
  if (context_.files.info(path).kind == FileKind::kMissing) return {};
  for (int i = 1;; ++i) {
    const std::string earlier = join_path(folder_, fmt::format("report-{}.md", i));
    if (context_.files.info(earlier).kind != FileKind::kMissing) continue;
    return context_.files.rename(path, earlier);
  }
}

}  // namespace pedro
