#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chat_agent.h"
#include "chat_screen.h"
#include "command.h"
#include "sys/interrupt_key.h"
#include "sys/line_editor.h"
#include "sys/terminal.h"

namespace pedro {

struct ChatOptions {
  std::string workdir;     ///< "": the current folder
  std::string session;     ///< id of an earlier session; "": a new one
  bool continues = false;  ///< the newest session of the folder
  std::string first;       ///< the first message; "": none
};

/// A conversation on the terminal. It is a client of `pedrocli acp`, so that sessions, jobs and
/// undo are those of editors. Ctrl-C pauses the work at the end of its round; the user then steers,
/// continues or stops it. Lines that are typed during the work wait for its end. Borrows the
/// context.
class Chat {
 public:
  Chat(CommandContext& context, ChatOptions options);

  /// Talks until the end of the input or /quit. Returns 0. Errors: the agent or a session cannot be
  /// started; kInterrupted.
  Result<int> run();

 private:
  struct Command {
    const char* name;
    const char* hint;  // "": takes no text
    const char* help;
    void (Chat::*function)(const std::string& text);
  };
  static const std::vector<Command>& commands();

  Status open();
  Status start_agent();
  Status start_again();
  Json where() const;
  Result<Json> call(const std::string& method, Json params);
  std::string prompt_text() const;
  void take(const std::string& line);
  void send(const std::string& text);
  bool read_ahead();
  std::string ask_permission(const Json& question);
  std::vector<std::string> completions(const std::string& line) const;
  void run_program(const std::vector<std::string>& arguments);
  bool has_job();

  void help(const std::string& text);
  void quit(const std::string& text);
  void mode(const std::string& text);
  void diff(const std::string& text);
  void plan(const std::string& text);
  void context(const std::string& text);
  void model(const std::string& text);
  void budget(const std::string& text);
  void tell(const std::string& text);
  void stop(const std::string& text);

  CommandContext& context_;
  ChatOptions options_;
  InterruptKey key_;
  LineEditor editor_;
  ChatScreen screen_;
  std::optional<SilentTyping> silent_;  // while a message is answered
  std::unique_ptr<ChatAgent> agent_;
  std::string folder_;   // the session's
  std::string session_;  // id
  std::string mode_ = "ask";
  std::map<std::string, std::string> environment_;  // of the agent: the budget
  std::vector<std::string> agent_commands_;         // names
  std::deque<std::string> queued_;
  bool working_ = false;  // a message is being answered
  bool paused_ = false;   // the last one was interrupted
  bool quits_ = false;
  bool talked_ = false;  // the session has a message
};

}  // namespace pedro
