#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "base/embedded_file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/utf8.h"
#include "diagnostics/language_servers.h"
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
constexpr std::size_t kMaxShownFiles = 16;
constexpr std::size_t kMaxShownBytes = 1u << 20;
constexpr std::size_t kMaxPlaces = 5000;
constexpr double kReadingShare = 0.6;  // of the patience, to read the files before the question

Error broken(std::string text) {
  return Error{ErrorKind::kModel, std::move(text)};
}

std::size_t shown_line(const Json& range) {
  const long long line = number_of(member(range, "start"), "line");
  return static_cast<std::size_t>(std::clamp<long long>(line, 0, 1'000'000'000)) + 1;
}

std::vector<Diagnostic> read_errors(const Json& list) {
  std::vector<Diagnostic> found;
  if (!list.is_array()) return found;
  for (const Json& one : list) {
    if (found.size() == kMaxErrors) break;
    if (number_of(one, "severity", kErrorSeverity) != kErrorSeverity) continue;
    found.push_back({shown_line(member(one, "range")), text_of(one, "message")});
  }
  return found;
}

// Returns a position as the protocol counts: from 0, in units of UTF-16.
Json position_in(std::string_view text, const ReferenceQuestion::Position& position) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::size_t units = 0;
  if (position.line <= lines.size()) {
    std::string_view before = lines[position.line - 1].substr(
        0, std::min(position.column - 1, lines[position.line - 1].size()));
    while (!before.empty()) units += take_code_point(before) > 0xFFFF ? 2 : 1;
  }
  return {{"line", position.line - 1}, {"character", units}};
}

std::chrono::steady_clock::time_point end_of(double patience_s) {
  const auto left = std::chrono::duration<double>(patience_s);
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(left);
}

bool is_able(const Json& abilities, const char* name) {
  const Json& value = member(abilities, name);
  return value.is_object() || value == Json(true);
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
  if (ready_) {
    if (id == Json(last_id_)) answer_ = member(message, "result");
    return {};
  }
  if (id != Json(kInitializeId)) return {};
  if (!member(message, "error").is_null()) return broken("refuses to start");
  ready_ = true;
  abilities_ = member(member(message, "result"), "capabilities");
  return send(json_rpc::notification("initialized", Json::object()), cancel);
}

// Makes `text` the current version of a file.
Status LanguageServer::show(const std::string& uri, const std::string& language,
                            const std::string& text, const CancelToken& cancel) {
  OpenFile& file = open_[uri];
  const std::uint64_t hash = hash_bytes(text);
  if (file.version > 0 && file.text_hash == hash) return {};
  const bool opens = file.version == 0;
  file.version = ++last_version_;
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

// Reads and handles one message. Returns false after the timeout.
Result<bool> LanguageServer::take_next(Patience& patience) {
  const double left_s =
      std::chrono::duration<double>(patience.end - std::chrono::steady_clock::now()).count();
  if (left_s <= 0) return false;
  if (patience.messages++ == kMaxMessages) return broken("answers with a flood of messages");
  PEDRO_TRY(const auto message, read(left_s, patience.cancel));
  if (message) PEDRO_RETURN_IF_ERROR(take(*message, patience.cancel));
  return true;
}

Result<std::optional<std::vector<Diagnostic>>> LanguageServer::check(const std::string& path,
                                                                     const std::string& language,
                                                                     const std::string& text,
                                                                     double patience_s,
                                                                     const CancelToken& cancel) {
  Patience patience{end_of(patience_s), cancel};
  const std::string uri = uri_of(path);
  while (true) {
    if (ready_) {
      PEDRO_RETURN_IF_ERROR(show(uri, language, text, cancel));
      if (const auto& found = open_[uri].found) return found;
    }
    PEDRO_TRY(const bool in_time, take_next(patience));
    if (!in_time) return std::optional<std::vector<Diagnostic>>();
  }
}

// Returns nullopt after the timeout. The answer to a failed request is null.
Result<std::optional<Json>> LanguageServer::ask(std::string_view method, Json params,
                                                Patience& patience) {
  answer_.reset();
  PEDRO_RETURN_IF_ERROR(
      send(json_rpc::request(++last_id_, method, std::move(params)), patience.cancel));
  while (!answer_) {
    PEDRO_TRY(const bool in_time, take_next(patience));
    if (in_time) continue;
    PEDRO_RETURN_IF_ERROR(
        send(json_rpc::notification("$/cancelRequest", {{"id", last_id_}}), patience.cancel));
    return std::optional<Json>();
  }
  return std::exchange(answer_, std::nullopt);
}

// Returns the path of a file in the project.
std::optional<std::string> LanguageServer::path_of(const std::string& uri) const {
  const std::string start = "file://" + folder_ + "/";
  const std::string decoded = percent_decoded(uri);
  if (!decoded.starts_with(start)) return std::nullopt;
  return decoded.substr(start.size());
}

// Returns the URIs that this has opened.
Result<std::vector<std::string>> LanguageServer::open_files(const ServerRow& row,
                                                            const ReferenceQuestion& question,
                                                            Patience& patience) {
  std::vector<std::string> opened;
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < question.files.size(); ++i) {
    const SourceText& file = question.files[i];
    if (row.language_of(file.path).empty()) continue;
    const bool is_asked = std::ranges::any_of(
        question.positions, [&](const auto& position) { return position.file == i; });
    const bool fits = count < kMaxShownFiles && bytes + file.text.size() <= kMaxShownBytes;
    if (!fits && !is_asked) continue;
    ++count;
    bytes += file.text.size();
    const std::string uri = uri_of(file.path);
    if (!open_.contains(uri)) opened.push_back(uri);
    PEDRO_RETURN_IF_ERROR(show(uri, row.language_of(file.path), file.text, patience.cancel));
  }
  return opened;
}

// Waits for the diagnostics of the open files: a server publishes them after it has read a file.
Status LanguageServer::wait_until_read(const std::vector<SourceText>& files, Patience& patience) {
  const auto is_unread = [&](const SourceText& file) {
    const auto open = open_.find(uri_of(file.path));
    return open != open_.end() && !open->second.found;
  };
  while (std::ranges::any_of(files, is_unread)) {
    PEDRO_TRY(const bool in_time, take_next(patience));
    if (!in_time) return {};
  }
  return {};
}

// Adds the places of an answer. Returns false after the timeout.
Result<bool> LanguageServer::add_places(std::string_view method, const ReferenceQuestion& question,
                                        const ReferenceQuestion::Position& position,
                                        Patience& patience, std::set<LinePlace>& places) {
  const SourceText& file = question.files[position.file];
  PEDRO_TRY(const auto answer, ask(method,
                                   {{"textDocument", {{"uri", uri_of(file.path)}}},
                                    {"position", position_in(file.text, position)},
                                    {"context", {{"includeDeclaration", true}}}},
                                   patience));
  if (!answer) return false;
  const Json list = answer->is_array() ? *answer : Json::array({*answer});
  for (const Json& one : list) {
    if (places.size() == kMaxPlaces) break;
    const bool is_link = !member(one, "targetUri").is_null();
    const auto path = path_of(text_of(one, is_link ? "targetUri" : "uri"));
    const Json& range = member(one, is_link ? "targetSelectionRange" : "range");
    if (path && range.is_object()) places.emplace(*path, shown_line(range));
  }
  return true;
}

Result<std::optional<References>> LanguageServer::references(const ServerRow& row,
                                                             const ReferenceQuestion& question,
                                                             double patience_s,
                                                             const CancelToken& cancel) {
  Patience patience{end_of(patience_s), cancel};
  while (!ready_) {
    PEDRO_TRY(const bool in_time, take_next(patience));
    if (!in_time) return std::optional<References>();
  }
  if (!is_able(abilities_, "referencesProvider")) return std::optional<References>();
  PEDRO_TRY(const auto opened, open_files(row, question, patience));
  Patience reading{end_of(patience_s * kReadingShare), cancel};
  PEDRO_RETURN_IF_ERROR(wait_until_read(question.files, reading));
  References found;
  bool in_time = true;
  for (const auto& position : question.positions) {
    if (row.language_of(question.files[position.file].path).empty()) continue;
    if (question.needs_definitions && is_able(abilities_, "definitionProvider")) {
      PEDRO_TRY(in_time, add_places("textDocument/definition", question, position, patience,
                                    found.definitions));
    }
    if (!in_time) break;
    PEDRO_TRY(in_time,
              add_places("textDocument/references", question, position, patience, found.uses));
    if (!in_time) break;
  }
  for (const SourceText& file : question.files) {
    const auto open = open_.find(uri_of(file.path));
    if (open == open_.end() || !open->second.found) found.unread.insert(file.path);
  }
  for (const std::string& uri : opened) {
    open_.erase(uri);
    PEDRO_RETURN_IF_ERROR(
        send(json_rpc::notification("textDocument/didClose", {{"textDocument", {{"uri", uri}}}}),
             cancel));
  }
  return in_time ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace diagnostics
}  // namespace pedro
