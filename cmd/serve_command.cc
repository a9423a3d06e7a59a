#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "llm/serve_plan.h"
#include "serve_state.h"
#include "server_program.h"
#include "status_line.h"
#include "sys/child_program.h"
#include "sys/http.h"
#include "sys/locked_file.h"
#include "sys/machine.h"
#include "sys/sleep.h"
#include "sys/url.h"
#include "tools/count_of.h"

namespace pedro {
namespace {

// Starts a llama-server as a child process, waits until it answers, and ends it when this process
// gets a signal. One object per server.
class ServerKeeper {
 public:
  // `model`: its name for the user. Borrows `context`.
  ServerKeeper(CommandContext& context, std::string model, ServePlan plan);

  // Runs until the server ends or a signal arrives. Prints one line on stdout when the server is
  // ready. Returns the exit code after a signal. Errors: kModel, after the server's last lines on
  // stderr, if it ends by itself; those of ChildProgram.
  Result<int> keep(const std::vector<std::string>& argv);

 private:
  void hear(std::string_view line);
  void look();
  void tell_ready() const;
  void end();
  Error died() const;

  CommandContext& context_;
  std::string model_;
  ServePlan plan_;
  std::unique_ptr<ChildProgram> server_;
  std::deque<std::string> last_lines_;
  StatusLine line_;
  long long began_ms_;
  bool is_ready_ = false;
};

constexpr int kPoll_ms = 200;
constexpr double kHealthTimeout_s = 1;
constexpr long long kEndGrace_ms = 10'000;
constexpr std::size_t kLastLines = 12;
constexpr std::size_t kMaxServerLineBytes = 500;
constexpr std::size_t kMaxHealthBytes = 64u << 10;

// Returns the answer of a server's /health: "ready", "loading", or "" if it does not answer within
// a second.
std::string health_of(const std::string& url, const CancelToken& cancel) {
  CurlHttp http;
  const HttpRequest request{.url = url_of_route(url, "/health"),
                            .connect_timeout_s = kHealthTimeout_s,
                            .timeout_s = kHealthTimeout_s,
                            .max_response_bytes = kMaxHealthBytes};
  const Result<HttpResponse> answer = http.send(request, {}, cancel);
  if (!answer) return "";
  return answer->status == 200 ? "ready" : "loading";
}

ServerKeeper::ServerKeeper(CommandContext& context, std::string model, ServePlan plan)
    : context_(context),
      model_(make_printable(model)),
      plan_(std::move(plan)),
      line_(context.global),
      began_ms_(context.clock.ticks_ms()) {}

Result<int> ServerKeeper::keep(const std::vector<std::string>& argv) {
  PEDRO_TRY(server_, ChildProgram::start(
                         argv, [this](StandardStream, std::string_view line) { hear(line); }));
  RunningServe record{plan_.url,
                      model_,
                      plan_.context_tokens,
                      plan_.slots,
                      to_rfc3339(context_.clock.now_ms()),
                      this_process(),
                      server_->identity(),
                      argv};
  Status written = write_served(context_, record);
  line_.show("loading " + model_);
  while (written && !server_->exit_code() && !context_.cancel.cancelled()) {
    if (!is_ready_) look();
    ChildProgram::wait({server_.get()}, kPoll_ms);
  }
  line_.clear();
  const bool is_told = context_.cancel.cancelled();
  end();
  forget_served(context_);
  if (!written) return written.error();
  if (!is_told) return died();
  print_note(context_.global, "pedrocli: the server has ended");
  return kExitSignal + context_.cancel.signal();
}

void ServerKeeper::hear(std::string_view line) {
  std::string shown = make_printable(truncate_utf8(line, kMaxServerLineBytes));
  if (context_.global.verbose) {
    line_.clear();
    print_error(shown);
  }
  last_lines_.push_back(std::move(shown));
  if (last_lines_.size() > kLastLines) last_lines_.pop_front();
}

void ServerKeeper::look() {
  is_ready_ = health_of(plan_.url, context_.cancel) == "ready";
  if (!is_ready_) {
    const long long waited_s = (context_.clock.ticks_ms() - began_ms_) / 1000;
    return line_.tick(fmt::format("loading {}: {} s", model_, waited_s));
  }
  line_.clear();
  tell_ready();
}

void ServerKeeper::tell_ready() const {
  const long long window = plan_.context_tokens;
  if (context_.global.json) {
    print_json({{"state", "ready"},
                {"url", plan_.url},
                {"model", model_},
                {"context", window},
                {"slots", plan_.slots},
                {"pid", server_->identity().pid}});
  } else {
    print(fmt::format("ready: {} at {}, {}{}; Ctrl-C ends it\n", model_, plan_.url,
                      window > 0 ? fmt::format("window {} tokens, ", window) : "",
                      count_of(static_cast<std::size_t>(plan_.slots), "slot")));
  }
  (void)flush_output(kExitDone);
}

void ServerKeeper::end() {
  while (!server_->exit_code()) {
    server_->stop(context_.clock, kEndGrace_ms);
    ChildProgram::wait({server_.get()}, kPoll_ms);
  }
}

Error ServerKeeper::died() const {
  for (const std::string& line : last_lines_) print_error("  " + line);
  const int code = *server_->exit_code();
  const std::string how = code > kExitSignal
                              ? fmt::format("was ended by signal {}", code - kExitSignal)
                              : fmt::format("ended with exit code {}", code);
  return {ErrorKind::kModel,
          fmt::format("the server {}{}; {}", how, is_ready_ ? "" : " before it was ready",
                      last_lines_.empty() ? "it wrote nothing" : "its last lines are above")};
}

constexpr std::size_t kMaxSocketBytes = 107;  // sockaddr_un has 108 with the final 0
constexpr double kHelpTimeout_s = 30;
constexpr double kStopTimeout_s = 20;
constexpr double kStopPoll_s = 0.1;
constexpr int kMaxSlots = 64;
constexpr int kFirstFreePort = 1024;
constexpr int kLastPort = 65'535;

struct ServeOptions {
  std::string model;
  std::string repository;
  int port = 0;
  int slots = 0;
  bool status = false;
  bool stop = false;
};

Status check_options(const ServeOptions& options) {
  if (!options.model.empty() && !options.repository.empty()) {
    return usage_error("name a model or a download with -hf, not both");
  }
  if (options.status && options.stop) return usage_error("-status and -stop exclude each other");
  const bool is_port = options.port >= kFirstFreePort && options.port <= kLastPort;
  if (options.port == 0 || is_port) return {};
  return usage_error(
      fmt::format("-port {}: expected {} to {}", options.port, kFirstFreePort, kLastPort));
}

Error already_running(const RunningServe& served) {
  return usage_error(fmt::format("{} is already served at {}; end it with `pedrocli serve -stop`",
                                 served.model, served.url));
}

// Prevents a second server during its lifetime.
Result<LockedFile> lock_serve(const CommandContext& context, const std::string& folder) {
  PEDRO_RETURN_IF_ERROR(context.files.make_folders(folder, 0700));
  Result<LockedFile> lock = LockedFile::open(join_path(folder, "lock"));
  const auto served = running_serve(context);
  return served ? Result<LockedFile>(already_running(*served)) : std::move(lock);
}

Result<ServeWishes> wishes_of(CommandContext& context, const ServeOptions& options,
                              const std::string& folder) {
  PEDRO_TRY(const LoadedConfig config, load_project_config(context));
  ServeWishes wishes;
  if (!context.global.context.empty()) wishes.context_tokens = config.config.model.context_size;
  wishes.slots = options.slots;
  wishes.port = options.port;
  wishes.slot_folder = join_path(folder, "slots");
  PEDRO_RETURN_IF_ERROR(context.files.make_folders(wishes.slot_folder, 0700));
  if (!context.global.api_key_file.empty()) {
    PEDRO_TRY(wishes.key_file, context.files.canonical(context.global.api_key_file));
  }
  wishes.socket = join_path(folder, "model.sock");
  if (wishes.port != 0 || wishes.socket.size() <= kMaxSocketBytes) return wishes;
  return usage_error(fmt::format("{}: too long for a Unix socket; use -port 9931", wishes.socket));
}

Result<std::string> output_of(CommandContext& context, std::vector<std::string> argv,
                              const char* flag) {
  argv.emplace_back(flag);
  PEDRO_TRY(const ProcessResult result,
            context.processes.run({.argv = argv, .timeout_s = kHelpTimeout_s}, context.cancel));
  if (result.ok()) return result.out;
  const std::vector<std::string_view> lines = split_lines(result.err);
  return Error{ErrorKind::kModel,
               fmt::format("`{}` failed with exit code {}{}", as_shell_line(argv), result.exit_code,
                           lines.empty() ? "" : ": " + std::string(lines.back()))};
}

Result<int> serve_model(CommandContext& context, const ServeOptions& options) {
  PEDRO_TRY(const std::string folder, serve_folder(context));
  PEDRO_TRY(const LockedFile lock, lock_serve(context, folder));
  ModelFile model;
  model.name = options.repository;
  if (options.repository.empty()) {
    PEDRO_TRY(model, find_model_file(context, options.model));
  }
  std::vector<std::string> argv = find_server_program(context);
  if (argv.empty()) {
    return Error{ErrorKind::kModel, "there is no llama-server; " + serve_advice(context).text()};
  }
  PEDRO_TRY(const ServeWishes wishes, wishes_of(context, options, folder));
  PEDRO_TRY(std::string help, output_of(context, argv, "--help"));
  const ServerFlags flags(std::move(help));
  std::uint64_t device_bytes = 0;
  if (flags.has("--list-devices")) {
    PEDRO_TRY(const std::string devices, output_of(context, argv, "--list-devices"));
    device_bytes = free_bytes_of_devices(devices);
  }
  const Machine machine = this_machine(context.files);
  PEDRO_TRY(const ServePlan plan,
            options.repository.empty()
                ? plan_server(model, machine, device_bytes, flags, wishes)
                : plan_download(options.repository, machine, device_bytes, flags, wishes));
  if (options.repository.empty() && !model.has_template) {
    print_note(context.global,
               "pedrocli: warning: the model has no chat template: it may be a "
               "base model, which does not follow instructions");
  }
  if (options.port != 0 && !health_of(plan.url, context.cancel).empty()) {
    return usage_error(fmt::format("-port {}: another server answers there", options.port));
  }
  argv.insert(argv.end(), plan.flags.begin(), plan.flags.end());
  print_note(context.global, "pedrocli: running: " + as_shell_line(argv));
  (void)context.files.remove(wishes.socket);  // of a killed server: it would refuse to listen
  return ServerKeeper(context, model.name, plan).keep(argv);
}

Result<int> show_status(CommandContext& context) {
  const auto served = running_serve(context);
  if (!served) {
    return Error{ErrorKind::kModel,
                 "no server of `pedrocli serve` runs; " + serve_advice(context).text()};
  }
  std::string state = health_of(served->url, context.cancel);
  const bool is_ready = state == "ready";
  if (state.empty()) state = "does not answer";
  if (context.global.json) {
    print_json({{"state", state},
                {"url", served->url},
                {"model", served->model},
                {"context", served->context_tokens},
                {"slots", served->slots},
                {"started", served->started},
                {"pid", served->server.pid},
                {"argv", served->argv}});
  } else {
    const long long window = served->context_tokens;
    print(make_printable(fmt::format(
        "{}: {} at {}{}\n  since    {}\n  process  {}\n  command  {}\n", state, served->model,
        served->url, window > 0 ? fmt::format(", window {} tokens", window) : "", served->started,
        served->server.pid, as_shell_line(served->argv))));
  }
  return static_cast<int>(is_ready ? kExitDone : kExitModel);
}

// Ends the `pedrocli serve`, which ends its server; the server itself if the former was killed.
Result<int> stop_server(CommandContext& context) {
  const auto served = running_serve(context);
  if (!served) {
    print_note(context.global, "pedrocli: no server of `pedrocli serve` runs");
    return static_cast<int>(kExitDone);
  }
  const bool is_kept = process_alive(served->keeper);
  PEDRO_RETURN_IF_ERROR(end_process(is_kept ? served->keeper : served->server));
  const long long until_ms =
      context.clock.ticks_ms() + static_cast<long long>(kStopTimeout_s * 1000);
  while (process_alive(served->server) || process_alive(served->keeper)) {
    if (context.clock.ticks_ms() > until_ms || context.cancel.cancelled()) {
      return Error{ErrorKind::kModel,
                   fmt::format("process {} has not ended yet; end it with `kill -9 {}`",
                               served->server.pid, served->server.pid)};
    }
    sleep_unless_cancelled(kStopPoll_s, context.cancel);
  }
  forget_served(context);
  print(context.global.json
            ? to_line({{"state", "ended"}, {"url", served->url}, {"model", served->model}}) + "\n"
            : fmt::format("ended: {} at {}\n", make_printable(served->model), served->url));
  return static_cast<int>(kExitDone);
}

Result<int> run(CommandContext& context, const ServeOptions& options) {
  PEDRO_RETURN_IF_ERROR(check_options(options));
  if (options.status) return show_status(context);
  if (options.stop) return stop_server(context);
  return serve_model(context, options);
}

}  // namespace

CommandFunction add_serve_command(CLI::App& command) {
  auto options = std::make_shared<ServeOptions>();
  command.add_option("model", options->model,
                     "A GGUF file, or the name of a model that `pedrocli models get` put in the "
                     "cache (default: the only one there)");
  command.add_option("--hf", options->repository,
                     "Let the server download OWNER/REPO or OWNER/REPO:QUANT from Hugging Face");
  command.add_option("--port", options->port,
                     "Listen on this port of 127.0.0.1 (default: on a Unix socket that only you "
                     "can open)");
  command.add_option("--slots", options->slots, "Requests at once, each with a whole window")
      ->check(CLI::Range(1, kMaxSlots));
  command.add_flag("--status", options->status, "Show the server that runs");
  command.add_flag("--stop", options->stop, "End the server that runs");
  command.footer(
      "Starts llama-server from PATH, from scripts/fetch-server, or `llama serve`. Chooses the\n"
      "window, slots, threads and cache by the model's file and by the machine's cores and "
      "memory,\n"
      "and prints the command line. Other commands find the server by themselves. It ends with\n"
      "this command: Ctrl-C, or -stop in another terminal.\n");
  return running(run, options);
}

}  // namespace pedro
