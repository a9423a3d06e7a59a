#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "diagnostics/diagnostic.h"
#include "sys/line_program.h"
#include "sys/process.h"
#include "tools/glob.h"
#include "tools/reference_finder.h"

namespace pedro::diagnostics {

/// A row of `language_servers.json`.
struct ServerRow {
  std::string name;
  std::vector<std::pair<Glob, std::string>> languages;  ///< by pattern, ids of the protocol
  std::vector<std::string> argv;
  std::vector<std::string> needs;  ///< files of a project for it, one is enough; empty: any project

  /// Returns the language of a file, "" if the server does not know it.
  std::string language_of(std::string_view path) const;
};
std::vector<ServerRow> builtin_servers();

/// A client of the Language Server Protocol 3.17, for the errors in a file and the uses of a name.
/// The program starts at once and prepares itself between calls. A frame over 4 MiB or 10,000
/// messages to one question are errors. Ends the program with this object. One thread.
class LanguageServer {
 public:
  /// `runner` must be confined, and serves nothing else. `folder` is the project, absolute. Errors:
  /// kInternal; kModel if the program takes nothing.
  static Result<std::unique_ptr<LanguageServer>> start(const ServerRow& row, ProcessRunner& runner,
                                                       const std::string& folder,
                                                       const CancelToken& cancel);

  /// Returns the errors in `text`, as the content of the file at `path` below the project. Nullopt
  /// after `patience_s`; the server may answer a later question. Errors: kModel if the server has
  /// ended or breaks the protocol; kInterrupted.
  Result<std::optional<std::vector<Diagnostic>>> check(const std::string& path,
                                                       const std::string& language,
                                                       const std::string& text, double patience_s,
                                                       const CancelToken& cancel);

  /// Returns the uses of the name at the positions of a question. Shows the server up to 16 files,
  /// in all 1 MiB, and closes those that were not open before. Reads at most 5,000 places. Nullopt
  /// after `patience_s`, and from a server without this ability. Errors: as check().
  Result<std::optional<References>> references(const ServerRow& row,
                                               const ReferenceQuestion& question, double patience_s,
                                               const CancelToken& cancel);

 private:
  using Time = std::chrono::steady_clock::time_point;

  /// The limits of one question.
  struct Patience {
    Time end;
    const CancelToken& cancel;
    int messages = 0;
  };
  struct OpenFile {
    int version = 0;  // never that of an earlier text of this server
    std::uint64_t text_hash = 0;
    std::optional<std::vector<Diagnostic>> found;  // in this version
  };

  LanguageServer(std::unique_ptr<LineProgram> program, std::string folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  Status send(const std::string& message, const CancelToken& cancel);
  Status show(const std::string& uri, const std::string& language, const std::string& text,
              const CancelToken& cancel);
  Result<std::optional<Json>> read(double timeout_s, const CancelToken& cancel);
  Status take(const Json& message, const CancelToken& cancel);
  std::string uri_of(const std::string& path) const;
  std::optional<std::string> path_of(const std::string& uri) const;
  Result<bool> take_next(Patience& patience);
  Result<std::optional<Json>> ask(std::string_view method, Json params, Patience& patience);
  Result<std::vector<std::string>> open_files(const ServerRow& row,
                                              const ReferenceQuestion& question,
                                              Patience& patience);
  Status wait_until_read(const std::vector<SourceText>& files, Patience& patience);
  Result<bool> add_places(std::string_view method, const ReferenceQuestion& question,
                          const ReferenceQuestion::Position& position, Patience& patience,
                          std::set<LinePlace>& places);

  std::unique_ptr<LineProgram> program_;
  std::string folder_;
  bool ready_ = false;                        // answered `initialize`
  Json abilities_ = {};                       // its `capabilities`
  long long last_id_ = 1;                     // of our requests
  std::optional<Json> answer_;                // to the last request
  std::optional<std::size_t> body_bytes_;     // of the frame whose header was read
  std::optional<std::size_t> header_length_;  // in the header so far
  int last_version_ = 0;
  std::map<std::string, OpenFile> open_;  // by URI
};

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
