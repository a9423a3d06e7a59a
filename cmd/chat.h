#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "sys/child_program.h"

namespace pedro {

/// The agent of a chat: a child process `pedrocli acp`. It ends with this object. One thread.
///
///     PEDRO_TRY(auto agent, ChatAgent::start(flags, {}, events));
///     PEDRO_TRY(const Json session, agent->call("session/new", params, {}));
class ChatAgent {
 public:
  struct Events {
    std::function<void(const Json& update)> on_update;  ///< of session/update
    /// Returns the `optionId` for the parameters of session/request_permission; "": none.
    std::function<std::string(const Json& question)> on_permission;
    std::function<void(std::string_view line)> on_warning;  ///< a line of its standard error
  };
  /// Runs while a call waits, at least ten times a second.
  using Meanwhile = std::function<void()>;

  /// Starts the agent with more flags and variables, and initializes it. Errors: it cannot be
  /// started.
  static Result<std::unique_ptr<ChatAgent>> start(
      const std::vector<std::string>& flags, const std::map<std::string, std::string>& environment,
      Events events);

  /// Sends a request and returns its result. Errors (kModel): the agent's, with its message; the
  /// agent has ended.
  Result<Json> call(const std::string& method, Json params, const Meanwhile& meanwhile = {});
  void notify(const std::string& method, Json params);
  /// Makes calls wait for standard input, too. `read` must consume it, and returns false at its
  /// end. Null: standard input is left alone.
  void watch_input(std::function<bool()> read) { read_ = std::move(read); }
  /// Waits for events until `is_reached` returns true, at most two seconds.
  void wait_until(const std::function<bool()>& is_reached);

 private:
  explicit ChatAgent(Events events) : events_(std::move(events)) {}
  void hear(StandardStream stream, std::string_view line);

  Events events_;
  std::function<bool()> read_;
  std::unique_ptr<ChildProgram> program_;
  long long last_id_ = 0;
  std::map<long long, Json> answers_;  // {"result"} or {"error"} by id
  std::string last_warning_;
};

/// Writes a conversation to stdout, below what is there: the scrollback stays. Shows the updates of
/// a session: text as it arrives, a line per call, changes as a difference. One thread.
class ChatScreen {
 public:
  /// `columns` returns the present width of the terminal.
  ChatScreen(bool colour, std::function<int()> columns)
      : colour_(colour), columns_(std::move(columns)) {}

  /// Shows an update of session/update.
  void show(const Json& update);
  /// Writes a line of this program.
  void note(std::string_view text);
  void problem(std::string_view text);
  /// Writes lines verbatim, below all else.
  void print_lines(std::string_view text);
  /// Ends a line of streamed text.
  void end_text();

  /// Returns the used percentage of the model's context window; -1 before the first reply.
  int used_percent() const { return used_percent_; }
  /// Returns the id of the last job; "" before the first.
  const std::string& job() const { return job_; }

 private:
  void show_text(const Json& update);
  void start_call(const Json& update);
  void end_call(const Json& update);
  void show_change(const Json& change);
  void show_plan(const Json& entries);
  void write(std::string_view text);
  void line(std::string_view text, const char* code);
  void wrapped(std::string_view text, const char* code);

  bool colour_;
  std::function<int()> columns_;
  bool in_text_ = false;                      // the last line has no end yet
  std::string message_;                       // id of the streamed message
  std::map<std::string, std::string> calls_;  // titles by id, of this turn
  std::string step_;                          // of the plan, the last one that was shown
  int used_percent_ = -1;
  std::string job_;
};

}  // namespace pedro
