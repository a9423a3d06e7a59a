#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat.h"
#include "chat/image.h"
#include "command.h"
#include "git/repository.h"
#include "sys/interrupt_key.h"
#include "sys/line_editor.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

struct ChatOptions {
  std::string workdir;     // "": the current folder
  std::string session;     // id of an earlier session; "": a new one
  bool continues = false;  // the newest session of the folder
  std::string first;       // the first message; "": none
};

// A conversation on the terminal. It is a client of `pedrocli acp`, so that sessions, jobs and
// undo are those of editors. Ctrl-C pauses the work at the end of its round; the user then steers,
// continues or stops it. Lines that are typed during the work wait for its end. Borrows the
// context.
class Chat {
 public:
  Chat(CommandContext& context, ChatOptions options);

  // Talks until the end of the input or /quit. Returns 0. Errors: the agent or a session cannot be
  // started; kInterrupted.
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
  Result<ProcessResult> output_of(const std::vector<std::string>& arguments);
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
  void image(const std::string& text);
  void prompt(const std::string& text);

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
  Json images_ = Json::array();  // blocks of the next message
  bool working_ = false;         // a message is being answered
  bool paused_ = false;          // the last one was interrupted
  bool quits_ = false;
  bool talked_ = false;  // the session has a message
};

constexpr std::size_t kMaxOptions = 50;  // completions of a path

bool has_colour(const CommandContext& context) {
  return is_terminal(StandardStream::kOut) && context.environment.get("NO_COLOR").empty() &&
         context.environment.get("TERM") != "dumb";
}

std::string history_path(const CommandContext& context) {
  const std::string state = context.environment.state_folder();
  return state.empty() ? "" : join_path(state, "chat_history");
}

// Splits "/tell be short" into "tell" and "be short". The name is "" for other lines.
std::pair<std::string, std::string> split_line(std::string_view line) {
  if (!line.starts_with('/')) return {"", std::string(line)};
  const std::size_t end = std::min(line.find_first_of(" \t\n"), line.size());
  return {std::string(line.substr(1, end - 1)), std::string(trim(line.substr(end)))};
}

const std::vector<Chat::Command>& Chat::commands() {
  static const std::vector<Command> kCommands = {
      {"help", "", "Show the commands", &Chat::help},
      {"mode", "MODE", "Set the kind of work for messages: ask, plan or build", &Chat::mode},
      {"tell", "TEXT", "Steer the work: the model reads the text before its next round",
       &Chat::tell},
      {"stop", "", "Give up the work that Ctrl-C has paused", &Chat::stop},
      {"image", "FILE", "Add a picture to the next message", &Chat::image},
      {"prompt", "SERVER NAME", "Send a prompt of an MCP server, with arguments in JSON",
       &Chat::prompt},
      {"diff", "", "Show the changes of the work tree", &Chat::diff},
      {"plan", "TASK", "Plan a change; without a task, show the last plan", &Chat::plan},
      {"context", "", "Show the contents of the model's context window", &Chat::context},
      {"model", "NAME", "Use another model; without a name, list the server's", &Chat::model},
      {"budget", "ROUNDS", "Limit the rounds of each message; 0: no limit", &Chat::budget},
      {"quit", "", "End the chat; its session stays", &Chat::quit},
  };
  return kCommands;
}

Chat::Chat(CommandContext& context, ChatOptions options)
    : context_(context),
      options_(std::move(options)),
      editor_(
          history_path(context), [this](const std::string& line) { return completions(line); },
          key_),
      screen_(has_colour(context), [] { return terminal_columns(StandardStream::kOut); }) {}

Status Chat::start_agent() {
  ChatAgent::Events events{[this](const Json& update) {
                             if (text_of(update, "sessionUpdate") == "available_commands_update") {
                               agent_commands_.clear();
                               for (const Json& command : member(update, "availableCommands")) {
                                 agent_commands_.push_back(text_of(command, "name"));
                               }
                             }
                             screen_.show(update);
                           },
                           [this](const Json& question) { return ask_permission(question); },
                           [this](std::string_view line) {
                             if (!context_.global.quiet) screen_.note(line);
                           }};
  agent_.reset();  // it has the session's lock
  PEDRO_TRY(agent_, ChatAgent::start(passed_on(context_.global), environment_, std::move(events)));
  return {};
}

Status Chat::open() {
  PEDRO_TRY(folder_, context_.files.canonical(options_.workdir.empty() ? "." : options_.workdir));
  PEDRO_RETURN_IF_ERROR(start_agent());
  session_ = options_.session;
  if (options_.continues) {
    PEDRO_TRY(const Json listed, agent_->call("session/list", {{"cwd", folder_}}));
    const Json& sessions = member(listed, "sessions");
    if (sessions.empty()) return usage_error("-continue: no session in " + folder_);
    session_ = text_of(sessions[0], "sessionId");
  }
  talked_ = !session_.empty();
  PEDRO_TRY(const Json opened, agent_->call(talked_ ? "session/load" : "session/new", where()));
  if (!talked_) session_ = text_of(opened, "sessionId");
  mode_ = text_of(member(opened, "modes"), "currentModeId");
  agent_->wait_until([this] { return !agent_commands_.empty(); });
  return {};
}

// Returns the parameters that open the session.
Json Chat::where() const {
  Json where = {{"cwd", folder_}, {"mcpServers", Json::array()}};
  if (!session_.empty()) where["sessionId"] = session_;
  return where;
}

// Continues the session with other settings of the agent.
Status Chat::start_again() {
  PEDRO_RETURN_IF_ERROR(start_agent());
  const Result<Json> opened = agent_->call("session/resume", where());
  return opened ? Status() : Status(opened.error());
}

Result<int> Chat::run() {
  PEDRO_RETURN_IF_ERROR(open());
  screen_.note(fmt::format("{}: /help shows the commands, Ctrl-D ends the chat", folder_));
  if (!options_.first.empty()) queued_.push_back(options_.first);
  while (!quits_) {
    if (!queued_.empty() && !paused_) {
      const std::string line = std::move(queued_.front());
      queued_.pop_front();
      screen_.print_lines(prompt_text() + line);
      take(line);
      continue;
    }
    PEDRO_TRY(const auto line, editor_.read(prompt_text(), context_.cancel));
    if (!line) break;
    if (key_.take()) {
      screen_.print_lines("");
      continue;
    }
    if (!trim(*line).empty()) editor_.remember(*line);
    take(std::string(trim(*line)));
  }
  agent_.reset();
  if (talked_) {
    screen_.note("continue with: pedrocli chat -session " + session_);
  }
  return kExitDone;
}

std::string Chat::prompt_text() const {
  const std::string used =
      screen_.used_percent() < 0 ? "" : fmt::format(" {}%", screen_.used_percent());
  return fmt::format("{}{}{}> ", mode_, used, paused_ ? " paused" : "");
}

// Handles a line of the user.
void Chat::take(const std::string& line) {
  const auto [name, text] = split_line(line);
  const auto command =
      std::find_if(commands().begin(), commands().end(),
                   [&name = name](const Command& row) { return row.name == name; });
  if (command != commands().end()) return (this->*command->function)(text);
  const bool is_known =
      std::find(agent_commands_.begin(), agent_commands_.end(), name) != agent_commands_.end();
  if (!name.empty() && !is_known && name.find('/') == name.npos) {
    return screen_.problem(fmt::format("no command /{}; /help lists them", name));
  }
  if (paused_ && name.empty()) return send(line.empty() ? "/resume" : "/resume " + line);
  if (!line.empty()) send(line);
}

Result<Json> Chat::call(const std::string& method, Json params) {
  params["sessionId"] = session_;
  return agent_->call(method, std::move(params));
}

// Sends a prompt and shows the work on it until it ends.
void Chat::send(const std::string& text) {
  paused_ = false;
  talked_ = true;
  key_.take();
  Json blocks = Json::array();
  blocks.push_back({{"type", "text"}, {"text", text}});
  for (Json& image : images_) blocks.push_back(std::move(image));
  images_.clear();
  if (is_terminal(StandardStream::kIn)) {  // lines of a pipe wait there
    silent_.emplace();
    agent_->watch_input([this] { return read_ahead(); });
  }
  working_ = true;
  bool is_told = false;  // to pause
  const auto meanwhile = [&] {
    if (is_told || !(key_.take() || context_.cancel.cancelled())) return;
    is_told = true;
    screen_.note("pausing at the end of the round …");
    agent_->notify("session/cancel", {{"sessionId", session_}});
  };
  const Result<Json> done =
      agent_->call("session/prompt", {{"sessionId", session_}, {"prompt", blocks}}, meanwhile);
  working_ = false;
  agent_->watch_input(nullptr);
  silent_.reset();
  screen_.end_text();
  if (!done) return screen_.problem(done.error().message);
  const std::string reason = text_of(*done, "stopReason");
  if (reason == "max_turn_requests") {
    const bool is_planned = mode_ == "plan" || text.starts_with("/plan");
    screen_.note(is_planned ? "/plan shows the plan, /resume carries it out"
                            : "stopped at a limit; /resume continues");
  } else if (reason == "cancelled") {
    paused_ = true;
    queued_.clear();
    screen_.note("paused; type a message to steer, Enter to continue, /stop to give up");
  }
}

// Reads a line that the user typed during the work. Returns false at the end of the input.
bool Chat::read_ahead() {
  const Result<std::optional<std::string>> line = next_line(context_.cancel, LineEditor::kMaxBytes);
  if (!line || !*line) return false;
  const std::string text(trim(**line));
  const auto [name, rest] = split_line(text);
  if (name == "tell") {
    tell(rest);
  } else if (!text.empty()) {
    queued_.push_back(text);
    screen_.note("queued: " + text);
  }
  return true;
}

std::string Chat::ask_permission(const Json& question) {
  const Json& call = member(question, "toolCall");
  screen_.note(text_of(call, "title"));
  for (const Json& content : member(call, "content")) {
    screen_.note("  " + text_of(member(content, "content"), "text"));
  }
  if (!is_terminal(StandardStream::kIn)) {
    screen_.note("refused: there is no terminal to ask on");
    return "";
  }
  silent_.reset();
  const Result<std::optional<std::string>> answer =
      editor_.read("allow it? yes, always or no> ", context_.cancel);
  silent_.emplace();
  if (!answer || !*answer) return "no";
  const std::string word(trim(**answer));
  if (word == "y" || word == "yes") return "yes";
  return word == "a" || word == "always" ? "always" : "no";
}

// Completes commands at the begin of a line, and paths elsewhere.
std::vector<std::string> Chat::completions(const std::string& line) const {
  std::vector<std::string> found;
  const std::size_t blank = line.find_last_of(" \t");
  const std::string word = blank == line.npos ? line : line.substr(blank + 1);
  const auto add = [&](const std::string& candidate) {
    if (candidate.starts_with(word) && found.size() < kMaxOptions) found.push_back(candidate);
  };
  if (blank == line.npos && line.starts_with('/')) {
    for (const Command& command : commands()) add("/" + std::string(command.name));
    for (const std::string& name : agent_commands_) {
      if (std::find(found.begin(), found.end(), "/" + name) == found.end()) add("/" + name);
    }
    return found;
  }
  const std::string above(folder_name("./" + word));
  const auto entries = context_.files.list(join_path(folder_, above));
  if (!entries) return found;
  const std::size_t slash = word.rfind('/');
  const std::string before = slash == word.npos ? "" : word.substr(0, slash + 1);
  for (const FolderEntry& entry : *entries) {
    if (entry.name.starts_with('.') && !base_name(word).starts_with('.')) continue;
    add(before + entry.name + (entry.kind == FileKind::kFolder ? "/" : ""));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Runs a command of this program in the session's folder.
Result<ProcessResult> Chat::output_of(const std::vector<std::string>& arguments) {
  pedro::Command command{.argv = {this_program()}, .folder = folder_};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return context_.processes.run(command, context_.cancel);
}

// Runs such a command and shows its output.
void Chat::run_program(const std::vector<std::string>& arguments) {
  const Result<ProcessResult> done = output_of(arguments);
  if (!done) return screen_.problem(done.error().message);
  screen_.print_lines(done->out);
  screen_.note(done->err);
}

bool Chat::has_job() {
  if (screen_.job().empty()) screen_.problem("no message was answered yet");
  return !screen_.job().empty();
}

void Chat::help(const std::string&) {
  for (const Command& command : commands()) {
    const std::string name = fmt::format("/{} {}", command.name, command.hint);
    screen_.print_lines(fmt::format("{:<20} {}", name, command.help));
  }
  std::string others;
  for (const std::string& name : agent_commands_) others += " /" + name;
  screen_.print_lines("of the agent:       " + others);
  screen_.print_lines("Ctrl-C pauses the work. A backslash at the end continues a message.");
}

void Chat::quit(const std::string&) {
  quits_ = true;
}

void Chat::mode(const std::string& text) {
  const Result<Json> set = call("session/set_mode", {{"modeId", text}});
  if (!set) return screen_.problem(set.error().message);
  mode_ = text;
}

void Chat::diff(const std::string&) {
  const auto repository =
      Repository::open(context_.files, context_.processes, context_.cancel, folder_);
  if (!repository) return screen_.problem(repository.error().message);
  const auto text = repository->diff("HEAD");
  if (!text) return screen_.problem(text.error().message);
  screen_.print_lines(text->empty() ? "no changes" : *text);
}

void Chat::plan(const std::string& text) {
  if (!text.empty()) return send("/plan " + text);
  if (has_job()) run_program({"plan", "show", screen_.job()});
}

void Chat::context(const std::string&) {
  if (has_job()) run_program({"context", "show", screen_.job()});
}

void Chat::model(const std::string& text) {
  if (text.empty()) return run_program({"models"});
  const std::string before = std::exchange(context_.global.model, text);
  const Status started = start_again();
  if (started) return screen_.note("the model is " + text);
  context_.global.model = before;
  screen_.problem(started.error().message);
}

void Chat::budget(const std::string& text) {
  constexpr const char* kVariable = "PEDROCLI_LIMITS_MAX_INFERENCE_RUNS";
  if (text.empty()) {
    const auto known = environment_.find(kVariable);
    return screen_.note(known == environment_.end() ? "no limit of this chat"
                                                    : known->second + " rounds per message");
  }
  const std::optional<int> rounds = number_from<int>(text);
  if (!rounds || *rounds < 0) return screen_.problem("/budget: expected a number of rounds");
  environment_[kVariable] = text;
  if (const Status started = start_again(); !started) screen_.problem(started.error().message);
}

void Chat::tell(const std::string& text) {
  if (!working_) return screen_.problem("/tell: nothing is running; type the message itself");
  if (text.empty()) return screen_.problem("/tell: has no text after it");
  if (has_job()) run_program({"tell", screen_.job(), text});
}

void Chat::stop(const std::string&) {
  if (!paused_) return screen_.problem("/stop: nothing is paused");
  paused_ = false;
  screen_.note("given up; /undo restores the files");
}

void Chat::image(const std::string& text) {
  const Result<Image> image = read_image(context_.files, join_path(folder_, text));
  if (!image) return screen_.problem("/image: " + image.error().message);
  images_.push_back(
      {{"type", "image"}, {"mimeType", image->media_type}, {"data", to_base64(image->bytes)}});
  screen_.note(fmt::format("pictures of the next message: {}", images_.size()));
}

void Chat::prompt(const std::string& text) {
  const auto [server, rest] = split_line("/" + text);
  const auto [name, args] = split_line("/" + rest);
  if (server.empty()) return run_program({"mcp", "list"});
  if (name.empty()) return run_program({"mcp", "prompts", server});
  const Result<ProcessResult> done =
      output_of({"mcp", "prompt", server, name, args.empty() ? "{}" : args});
  if (!done) return screen_.problem(done.error().message);
  if (!done->ok()) return screen_.problem(std::string(trim(done->err + done->out)));
  screen_.note(done->out);
  send(std::string(trim(done->out)));
}

Result<int> run_chat(CommandContext& context, const ChatOptions& options) {
  if (context.global.backend == "manual") {
    return usage_error("-backend manual: standard input belongs to the conversation");
  }
  Chat chat(context, options);
  return chat.run();
}

}  // namespace

CommandFunction add_chat_command(CLI::App& command) {
  auto options = std::make_shared<ChatOptions>();
  command.add_option("message", options->first, "The first message");
  command.add_option("--workdir", options->workdir, "Project folder (default: the current folder)");
  command.add_option("--session", options->session, "Continue the session with this id");
  command.add_flag("--continue", options->continues, "Continue the newest session of the folder");
  command.footer(
      "Messages are questions at first; /mode build makes them tasks, and /help lists more.\n"
      "Ctrl-C pauses the work. Then a message steers it, Enter continues it, /stop gives it up.\n"
      "Sessions are those of `pedrocli acp`, so an editor can continue them.");
  return running(run_chat, options);
}

}  // namespace pedro
