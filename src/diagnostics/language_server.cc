#include "diagnostics/language_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "base/embedded_file.h"
#include "base/hash.h"
#include "base/text.h"
#include "json_rpc/message.h"
#include "sys/file_system.h"

namespace pedro {

extern const EmbeddedFile kLanguageServers[];

namespace diagnostics {
namespace {

constexpr double kServerLife_s = 24 * 3600;
constexpr double kSendLimit_s = 5;
constexpr std::size_t kMaxServerStderrBytes = 64u << 10;
constexpr int kMaxMessages = 10000;
constexpr int kErrorSeverity = 1;
constexpr std::size_t kMaxErrors = 1000;
constexpr long long kInitializeId = 1;

Error broken(std::string text) {
  return Error{ErrorKind::kModel, std::move(text)};
}

std::vector<Diagnostic> read_errors(const Json& list) {
  std::vector<Diagnostic> found;
  if (!list.is_array()) return found;
  for (const Json& one : list) {
    if (found.size() == kMaxErrors) break;
    if (number_of(one, "severity", kErrorSeverity) != kErrorSeverity) continue;
    const long long line = number_of(member(member(one, "range"), "start"), "line");
    const long long shown = std::clamp<long long>(line, 0, 1'000'000'000) + 1;
    found.push_back({static_cast<std::size_t>(shown), text_of(one, "message")});
  }
  return found;
}

Json initialize_params(const std::string& root) {
  return {{"processId", nullptr},
          {"rootUri", root},
          {"workspaceFolders", {{{"uri", root}, {"name", "project"}}}},
          {"capabilities",
           {{"textDocument", {{"publishDiagnostics", {{"versionSupport", true}}}}},
            {"workspace", {{"configuration", true}}}}}};
}

}  // namespace

std::string ServerRow::language_of(std::string_view path) const {
  for (const auto& [glob, language] : languages) {
    if (glob.matches(path)) return language;
  }
  return "";
}

std::vector<ServerRow> builtin_servers() {
  const Result<Json> rows = parse_json(kLanguageServers[0].bytes);
  assert(rows.ok());
  std::vector<ServerRow> servers;
  for (const Json& row : *rows) {
    ServerRow server{
        text_of(row, "name"), {}, texts_of(member(row, "command")), texts_of(member(row, "needs"))};
    for (const auto& [language, patterns] : member(row, "languages").items()) {
      for (const std::string& pattern : texts_of(patterns)) {
        const Result<Glob> glob = Glob::parse(pattern);
        assert(glob.ok());
        server.languages.emplace_back(*glob, language);
      }
    }
    servers.push_back(std::move(server));
  }
  return servers;
}

Result<std::unique_ptr<LanguageServer>> LanguageServer::start(const ServerRow& row,
                                                              ProcessRunner& runner,
                                                              const std::string& folder,
                                                              const CancelToken& cancel) {
  Command command{.argv = row.argv, .folder = folder};
  command.timeout_s = kServerLife_s;
  command.max_output_bytes = kMaxServerStderrBytes;
  PEDRO_TRY(auto program, LineProgram::start(runner, std::move(command)));
  std::unique_ptr<LanguageServer> server(new LanguageServer(std::move(program), folder));
  PEDRO_RETURN_IF_ERROR(server->send(
      json_rpc::request(kInitializeId, "initialize", initialize_params(server->uri_of(""))),
      cancel));
  return server;
}

// Writes a frame. The newline that ends the write is a part of its JSON.
Status LanguageServer::send(const std::string& message, const CancelToken& cancel) {
  return program_->write_line(
      fmt::format("Content-Length: {}\r\n\r\n{}", message.size() + 1, message), kSendLimit_s,
      cancel);
}

std::string LanguageServer::uri_of(const std::string& path) const {
  const std::string absolute = path.empty() ? folder_ : join_path(folder_, path);
  std::string uri = "file://";
  for (const char c : absolute) {
    const bool is_plain = is_word_byte(c) || c == '/' || c == '.' || c == '-' || c == '~';
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Reads a message; nullopt after the timeout. Keeps the state inside a frame for the next call.
Result<std::optional<Json>> LanguageServer::read(double timeout_s, const CancelToken& cancel) {
  while (!body_bytes_) {
    PEDRO_TRY(const auto line, program_->read_line(timeout_s, cancel));
    if (!line) return std::optional<Json>();
    const std::string header = to_lower(trim(*line));
    constexpr std::string_view kLength = "content-length:";
    if (header.starts_with(kLength)) {
      header_length_ =
          number_from<std::size_t>(trim(std::string_view(header).substr(kLength.size())));
    }
    if (!header.empty()) continue;
    if (!header_length_) return broken("writes a frame without its length");
    if (*header_length_ > LineProgram::kMaxLineBytes) {
      return broken(fmt::format("writes a frame of {} bytes, the limit is {}", *header_length_,
                                LineProgram::kMaxLineBytes));
    }
    body_bytes_ = std::exchange(header_length_, std::nullopt);
  }
  PEDRO_TRY(const auto body, program_->read_bytes(*body_bytes_, timeout_s, cancel));
  if (!body) return std::optional<Json>();
  body_bytes_.reset();
  Result<Json> message = parse_json(*body);
  if (!message) return broken("writes a message that is not JSON: " + message.error().message);
  return std::optional(*std::move(message));
}

// Handles a message of the server: an answer, a request or a notification.
Status LanguageServer::take(const Json& message, const CancelToken& cancel) {
  const std::string method = text_of(message, "method");
  if (method == "textDocument/publishDiagnostics") {
    const Json& params = member(message, "params");
    const auto file = open_.find(text_of(params, "uri"));
    if (file == open_.end()) return {};
    const int version = file->second.version;
    if (number_of(params, "version", version) != version) return {};
    file->second.found = read_errors(member(params, "diagnostics"));
    return {};
  }
  const Json& id = member(message, "id");
  if (!method.empty()) {
    if (id.is_null()) return {};
    const Json& items = member(member(message, "params"), "items");
    const bool asks = method == "workspace/configuration" && items.is_array();
    return send(json_rpc::response(id, asks ? Json(std::vector<Json>(items.size())) : Json()),
                cancel);
  }
  if (ready_ || id != Json(kInitializeId)) return {};
  if (!member(message, "error").is_null()) return broken("refuses to start");
  ready_ = true;
  return send(json_rpc::notification("initialized", Json::object()), cancel);
}

// Makes `text` the current version of a file.
Status LanguageServer::show(const std::string& uri, const std::string& language,
                            const std::string& text, const CancelToken& cancel) {
  OpenFile& file = open_[uri];
  const std::uint64_t hash = hash_bytes(text);
  if (file.version > 0 && file.text_hash == hash) return {};
  const bool opens = file.version == 0;
  ++file.version;
  file.text_hash = hash;
  file.found.reset();
  if (opens) {
    return send(json_rpc::notification("textDocument/didOpen", {{"textDocument",
                                                                 {{"uri", uri},
                                                                  {"languageId", language},
                                                                  {"version", file.version},
                                                                  {"text", text}}}}),
                cancel);
  }
  return send(json_rpc::notification("textDocument/didChange",
                                     {{"textDocument", {{"uri", uri}, {"version", file.version}}},
                                      {"contentChanges", Json::array({{{"text", text}}})}}),
              cancel);
}

Result<std::optional<std::vector<Diagnostic>>> LanguageServer::check(const std::string& path,
                                                                     const std::string& language,
                                                                     const std::string& text,
                                                                     double patience_s,
                                                                     const CancelToken& cancel) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(patience_s);
  const std::string uri = uri_of(path);
  for (int messages = 0;; ++messages) {
    if (ready_) {
      PEDRO_RETURN_IF_ERROR(show(uri, language, text, cancel));
      if (const auto& found = open_[uri].found) return found;
    }
    const double left_s = std::chrono::duration<double>(end - Clock::now()).count();
    if (left_s <= 0) return std::optional<std::vector<Diagnostic>>();
    if (messages == kMaxMessages) return broken("answers with a flood of messages");
    PEDRO_TRY(const auto message, read(left_s, cancel));
    if (message) PEDRO_RETURN_IF_ERROR(take(*message, cancel));
  }
}

}  // namespace diagnostics
}  // namespace pedro
