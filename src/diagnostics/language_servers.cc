#include "diagnostics/language_servers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace pedro::diagnostics {
namespace {

constexpr double kCheckPatience_s = 5;
constexpr double kReferencePatience_s = 20;
constexpr int kMaxUnanswered = 3;
constexpr std::size_t kMaxReasonBytes = 300;

}  // namespace

std::string failure_notice(std::string_view kind, std::string_view name, std::string_view reason) {
  return fmt::format("diagnostics: the {} '{}' failed and is not used again: {}", kind, name,
                     one_line(truncate_utf8(reason, kMaxReasonBytes)));
}

// Returns null for a server that does not fit the project, as far as known.
const ServerRow* LanguageServers::row_for(const std::string& path) const {
  const auto row = std::ranges::find_if(rows_, [&](const ServerRow& one) {
    return !one.language_of(path).empty() && !failed_.contains(one.name) &&
           !commands_.find(one.argv[0]).empty();
  });
  if (row == rows_.end()) return nullptr;
  const auto running = running_.find(row->name);
  return running != running_.end() && running->second.server == nullptr ? nullptr : &*row;
}

void LanguageServers::drop(const std::string& name, const std::string& reason) {
  failed_.insert(name);
  running_.erase(name);
  notice_(failure_notice("language server", name, reason));
}

// Starts the server if it is new.
LanguageServer* LanguageServers::server_of(const ServerRow& row, const CancelToken& cancel) {
  if (const auto known = running_.find(row.name); known != running_.end()) {
    return known->second.server.get();
  }
  Running& running = running_[row.name];
  const Result<ProcessRunner*> runner = place_(row);
  if (runner && *runner == nullptr) return nullptr;
  auto server = runner ? LanguageServer::start(row, **runner, folder_, cancel)
                       : Result<std::unique_ptr<LanguageServer>>(runner.error());
  if (!server) {
    drop(row.name, server.error().message);
    return nullptr;
  }
  running.server = *std::move(server);
  return running.server.get();
}

// Drops a server that fails or stays silent.
template <typename Answer>
Result<std::optional<Answer>> LanguageServers::judged(const ServerRow& row,
                                                      Result<std::optional<Answer>> answer) {
  if (!answer && answer.error().kind == ErrorKind::kInterrupted) return answer;
  if (!answer) {
    drop(row.name, answer.error().message);
    return std::optional<Answer>();
  }
  Running& running = running_[row.name];
  running.unanswered = *answer ? 0 : running.unanswered + 1;
  if (running.unanswered == kMaxUnanswered) {
    drop(row.name, fmt::format("{} times no answer in time", kMaxUnanswered));
  }
  return answer;
}

bool LanguageServers::start_for(const std::string& path, const CancelToken& cancel) {
  const ServerRow* const row = row_for(path);
  return row != nullptr && server_of(*row, cancel) != nullptr;
}

Result<std::optional<std::vector<Diagnostic>>> LanguageServers::check(const std::string& path,
                                                                      const std::string& text,
                                                                      const CancelToken& cancel) {
  const ServerRow* const row = row_for(path);
  LanguageServer* const server = row ? server_of(*row, cancel) : nullptr;
  if (server == nullptr) return std::optional<std::vector<Diagnostic>>();
  return judged(*row, server->check(path, row->language_of(path), text, kCheckPatience_s, cancel));
}

Result<std::optional<References>> LanguageServers::find(const ReferenceQuestion& question,
                                                        const CancelToken& cancel) {
  if (question.positions.empty()) return std::optional<References>();
  const std::string& path = question.files[question.positions.front().file].path;
  const ServerRow* const row = row_for(path);
  LanguageServer* const server = row ? server_of(*row, cancel) : nullptr;
  if (server == nullptr) return std::optional<References>();
  PEDRO_TRY(auto found,
            judged(*row, server->references(*row, question, kReferencePatience_s, cancel)));
  if (found) found->by = row->name;
  return found;
}

}  // namespace pedro::diagnostics
