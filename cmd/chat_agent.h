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

}  // namespace pedro
