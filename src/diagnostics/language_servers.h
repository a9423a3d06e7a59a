#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnostics/language_server.h"
#include "tools/reference_finder.h"

namespace pedro::diagnostics {

/// Returns a confined runner for a language server, which lives as long as the servers. Null: the
/// project does not use this server.
using ServerPlace = std::function<Result<ProcessRunner*>(const ServerRow& row)>;

/// The language servers of a job. One that is installed starts at the first question about its
/// language. One that fails, or answers none of three questions, is reported once and not used
/// again. One thread.
class LanguageServers : public ReferenceFinder {
 public:
  /// `commands` finds the programs. `notice` receives failures.
  LanguageServers(std::vector<ServerRow> rows, ServerPlace place, const ProcessRunner& commands,
                  std::string folder, std::function<void(const std::string&)> notice)
      : rows_(std::move(rows)),
        place_(std::move(place)),
        commands_(commands),
        folder_(std::move(folder)),
        notice_(std::move(notice)) {}

  /// Starts the server of a file. Returns false if there is none.
  bool start_for(const std::string& path, const CancelToken& cancel);

  /// Returns the errors in `text`, as the content of the file at `path`. Nullopt without an answer
  /// in 5 s. Error: kInterrupted.
  Result<std::optional<std::vector<Diagnostic>>> check(const std::string& path,
                                                       const std::string& text,
                                                       const CancelToken& cancel);

  bool knows(const std::string& path) const override { return row_for(path) != nullptr; }
  /// Asks the server of the first position, for at most 20 s. It reads no files of other servers.
  Result<std::optional<References>> find(const ReferenceQuestion& question,
                                         const CancelToken& cancel) override;

 private:
  struct Running {
    std::unique_ptr<LanguageServer> server;  // null: not for this project
    int unanswered = 0;                      // questions in a row
  };

  const ServerRow* row_for(const std::string& path) const;
  LanguageServer* server_of(const ServerRow& row, const CancelToken& cancel);
  void drop(const std::string& name, const std::string& reason);
  template <typename Answer>
  Result<std::optional<Answer>> judged(const ServerRow& row, Result<std::optional<Answer>> answer);

  std::vector<ServerRow> rows_;
  ServerPlace place_;
  const ProcessRunner& commands_;
  std::string folder_;
  std::function<void(const std::string&)> notice_;
  std::set<std::string> failed_;
  std::map<std::string, Running> running_;  // by name
};

/// Returns the notice about a check or a server that is not used again.
std::string failure_notice(std::string_view kind, std::string_view name, std::string_view reason);

}  // namespace pedro::diagnostics
