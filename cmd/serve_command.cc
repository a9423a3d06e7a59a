#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "base/utf8.h"
#include "serve_state.h"
#include "server_keeper.h"
#include "server_program.h"
#include "sys/locked_file.h"
#include "sys/machine.h"
#include "sys/sleep.h"
#include "vocabulary_setup.h"

namespace pedro {
namespace {

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
    print(to_line({{"state", state},
                   {"url", served->url},
                   {"model", served->model},
                   {"context", served->context_tokens},
                   {"slots", served->slots},
                   {"started", served->started},
                   {"pid", served->server.pid},
                   {"argv", served->argv}}) +
          "\n");
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
  return [options](CommandContext& context) {
    return exit_code(run(context, *options), context.cancel);
  };
}

}  // namespace pedro
