#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

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
