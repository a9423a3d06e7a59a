#include "acp/session_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "job/job_id.h"

namespace pedro::acp {
namespace {

constexpr int kMaxIdTries = 100;

constexpr std::uint64_t kMaxBytes = 64u << 20;
constexpr std::size_t kMaxTitleBytes = 120;

// Adds an event. Events of a turn before the first turn are damage.
void add_event(StoredSession& session, const Json& event) {
  const std::string type = text_of(event, "type");
  if (type == "session") {
    session.cwd = text_of(event, "cwd");
  } else if (type == "mode") {
    session.mode = text_of(event, "mode");
  } else if (type == "turn") {
    session.turns.push_back({text_of(event, "prompt"), "", "", false});
    if (session.title.empty()) session.title = session_title(session.turns.back().prompt);
  } else if (session.turns.empty()) {
    return;
  } else if (type == "job" && is_job_id(text_of(event, "job"))) {
    session.turns.back().job = text_of(event, "job");
  } else if (type == "message") {
    session.turns.back().message = text_of(event, "text");
  } else if (type == "cancelled") {
    session.turns.back().cancelled = true;
  }
}

}  // namespace

std::string session_title(std::string_view prompt) {
  const std::string_view line = trim(prompt.substr(0, prompt.find('\n')));
  return std::string(truncate_utf8(line, kMaxTitleBytes));
}

Result<std::string> SessionStore::create(const Clock& clock, const std::string& cwd,
                                         const std::function<std::uint32_t()>& random) {
  PEDRO_RETURN_IF_ERROR(files_.make_folders(root_, 0700));
  for (int tries = 0; tries < kMaxIdTries; ++tries) {
    const std::string id = new_job_id(clock.now_ms(), "session", random());
    PEDRO_TRY(const bool is_new, files_.make_new_folder(folder(id), 0700));
    if (!is_new) continue;
    PEDRO_RETURN_IF_ERROR(add(id, {{"type", "session"}, {"cwd", cwd}}));
    return id;
  }
  return Error{ErrorKind::kInternal, root_ + ": no free name for a session"};
}

Result<StoredSession> SessionStore::load(const std::string& id) const {
  if (!is_job_id(id)) return usage_error(fmt::format("no session '{}'", truncate_utf8(id, 100)));
  const FileInfo info = files_.info(path(id));
  if (info.kind != FileKind::kFile) return usage_error("no session " + id);
  const Result<std::string> text = files_.read(path(id), kMaxBytes);
  if (!text) return usage_error(text.error().message);
  StoredSession session;
  session.changed_ms = info.modified_ns / 1'000'000;
  for (const std::string_view line : split_lines(*text)) {
    if (const Result<Json> event = parse_json(line)) add_event(session, *event);
  }
  return session;
}

Result<std::vector<std::string>> SessionStore::ids() const {
  std::vector<std::string> ids;
  if (files_.info(root_).kind != FileKind::kFolder) return ids;
  PEDRO_TRY(const std::vector<FolderEntry> entries, files_.list(root_));
  for (const FolderEntry& entry : entries) {
    if (is_job_id(entry.name)) ids.push_back(entry.name);
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

// A writer may have died inside its line. The new line begins on one of its own.
Status SessionStore::add(const std::string& id, const Json& line) {
  return files_.append(path(id), "\n" + to_line(line) + "\n");
}

}  // namespace pedro::acp
