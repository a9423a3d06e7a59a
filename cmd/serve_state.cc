#include "serve_state.h"

#include "base/json.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxRecordBytes = 64u << 10;

Json to_json(const ProcessIdentity& process) {
  return {{"pid", process.pid}, {"start_ticks", process.start_ticks}};
}

ProcessIdentity process_in(const Json& json) {
  return {static_cast<long>(number_of(json, "pid")), number_of(json, "start_ticks")};
}

// Returns "" without a home folder.
std::string record_path(const CommandContext& context) {
  const Result<std::string> folder = serve_folder(context);
  return folder ? join_path(*folder, "server.json") : "";
}

}  // namespace

Result<std::string> serve_folder(const CommandContext& context) {
  const std::string state = context.environment.state_folder();
  if (!state.empty()) return join_path(state, "serve");
  return usage_error("neither HOME nor XDG_STATE_HOME is set: there is no place for a socket");
}

Status write_served(CommandContext& context, const RunningServe& served) {
  const Json record = {{"url", served.url},
                       {"model", served.model},
                       {"context", served.context_tokens},
                       {"slots", served.slots},
                       {"started", served.started},
                       {"keeper", to_json(served.keeper)},
                       {"server", to_json(served.server)},
                       {"argv", served.argv}};
  return context.files.write_atomic(record_path(context), to_pretty(record) + "\n", 0600);
}

void forget_served(CommandContext& context) {
  (void)context.files.remove(record_path(context));
}

std::optional<RunningServe> running_serve(const CommandContext& context) {
  const Result<std::string> text = context.files.read(record_path(context), kMaxRecordBytes);
  if (!text) return std::nullopt;
  const Result<Json> record = parse_json(*text);
  if (!record) return std::nullopt;
  RunningServe served;
  served.url = text_of(*record, "url");
  served.model = text_of(*record, "model");
  served.context_tokens = number_of(*record, "context");
  served.slots = static_cast<int>(number_of(*record, "slots", 1));
  served.started = text_of(*record, "started");
  served.keeper = process_in(member(*record, "keeper"));
  served.server = process_in(member(*record, "server"));
  served.argv = texts_of(member(*record, "argv"));
  // Without its start, a process id may belong to another process by now.
  const bool is_known = served.server.start_ticks != 0 && !served.url.empty();
  if (!is_known || !process_alive(served.server)) return std::nullopt;
  return served;
}

}  // namespace pedro
