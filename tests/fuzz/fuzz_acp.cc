// Reads any bytes as the input of an editor: frames, messages, prompts, answers to questions, and
// the lines of a session and a job. Every answer must be one line of JSON, and pieces of any size
// must give the same frames.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acp/job_updates.h"
#include "acp/prompt.h"
#include "acp/session_store.h"
#include "base/text.h"
#include "base/utf8.h"
#include "fuzz/require.h"
#include "json_rpc/message.h"

namespace {

using namespace pedro;

constexpr std::size_t kFrameBytes = 600;

std::vector<std::string> frames_of(std::string_view file, std::size_t piece) {
  std::vector<std::string> frames;
  json_rpc::FrameReader reader(kFrameBytes);
  for (std::size_t at = 0; at < file.size(); at += piece) {
    reader.feed(file.substr(at, piece), [&](std::string_view frame, bool too_long) {
      require(frame.size() <= kFrameBytes, "a frame over the limit", file);
      frames.push_back(too_long ? "too long" : "frame " + std::string(frame));
    });
  }
  frames.push_back(reader.is_inside() ? "inside" : "outside");
  return frames;
}

void check_line(const std::string& line, std::string_view file) {
  require(line.find('\n') == line.npos, "an answer of several lines", file);
  const auto json = parse_json(line, {.max_depth = 200});
  require(json.ok() && text_of(*json, "jsonrpc") == "2.0", "an answer that is no message", file);
}

void check_prompt(const Json& blocks, std::string_view file) {
  const auto read = acp::read_prompt(blocks, "/p");
  if (const auto* error = std::get_if<json_rpc::RpcError>(&read)) {
    return check_line(json_rpc::response(*error), file);
  }
  const acp::Prompt& prompt = std::get<acp::Prompt>(read);
  require(!prompt.text.empty() && prompt.text == make_printable(prompt.text), "a prompt", file);
  require(prompt.text.size() <= acp::kMaxPromptBytes, "a long prompt", file);
  const auto [command, rest] = acp::split_command(prompt.text, {"build", "undo"});
  require(command.empty() ? rest == prompt.text : prompt.text.starts_with('/'), "a command", file);
}

void check_frame(std::string_view frame, std::string_view file) {
  const json_rpc::Message message = json_rpc::read_message(frame);
  if (const auto* error = std::get_if<json_rpc::RpcError>(&message)) {
    require(error->code <= -32600 && error->code >= -32700, "another code", file);
    return check_line(json_rpc::response(*error), file);
  }
  if (const auto* answer = std::get_if<json_rpc::Response>(&message)) {
    const std::string word = acp::permission_answer(answer->result);
    return require(word == "yes" || word == "always" || word == "no", "another answer", file);
  }
  const json_rpc::Call& call = std::get<json_rpc::Call>(message);
  require(call.params.is_object(), "parameters that are no object", file);
  check_line(json_rpc::response(call.id, call.params), file);
  check_line(json_rpc::notification(call.method, call.params), file);
  check_prompt(member(call.params, "prompt"), file);
}

void check_updates(std::string_view file) {
  const acp::JobSources sources{[](const std::string& path) { return path; },
                                [](const std::string&, const std::string& commit,
                                   const std::string&) { return std::optional(commit); }};
  acp::JobUpdates updates(sources, [&](const Json& update) {
    require(!text_of(update, "sessionUpdate").empty(), "an update without its kind", file);
    check_line(json_rpc::notification("session/update", {{"update", update}}), file);
  });
  for (const std::string_view line : split_lines(file)) {
    if (const auto event = parse_json(line)) updates.hear(*event);
  }
}

void check_session(std::string_view file) {
  constexpr const char* kId = "20260301-120000-000-session-0000";
  FakeFileSystem files;
  const acp::SessionStore store(files, "/state");
  files.files[store.folder(kId) + "/session.jsonl"] = std::string(file);
  const auto session = store.load(kId);
  require(session.ok(), "a session that is not read", file);
  std::vector<acp::Exchange> exchanges;
  for (const acp::StoredTurn& turn : session->turns) {
    exchanges.push_back({turn.prompt, turn.message});
  }
  std::size_t bytes = 0;
  for (const acp::Exchange& one : acp::newest_exchanges(exchanges, 1000)) {
    bytes += one.user.size() + one.agent.size();
  }
  require(bytes <= 1000, "exchanges over the budget", file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto frames = frames_of(file, std::max<std::size_t>(size, 1));
  require(frames_of(file, 1) == frames && frames_of(file, 7) == frames, "pieces differ", file);
  for (const std::string_view line : split_lines(file)) check_frame(line, file);
  check_updates(file);
  check_session(file);
  return 0;
}
