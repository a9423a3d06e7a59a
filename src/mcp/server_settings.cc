#include "mcp/server_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

constexpr std::size_t kMaxServerNameBytes = 32;
constexpr std::size_t kMaxServers = 64;
constexpr std::size_t kMaxEntries = 256;  // of a list or an object
constexpr std::size_t kMaxTextBytes = 16 * 1024;

bool is_server_name(std::string_view name) {
  const auto fits = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kMaxServerNameBytes &&
         std::all_of(name.begin(), name.end(), fits);
}

// Reads one server. Messages begin with the key.
class SettingsReader {
 public:
  SettingsReader(const Json& server, const Environment& environment)
      : server_(server), environment_(environment) {}

  Result<ServerSettings> read() const {
    PEDRO_RETURN_IF_ERROR(check_keys());
    ServerSettings made;
    PEDRO_TRY(made.command, text("command"));
    PEDRO_TRY(made.url, text("url"));
    PEDRO_TRY(made.args, list("args"));
    PEDRO_TRY(made.env, object("env"));
    PEDRO_TRY(const auto headers, object("headers"));
    for (const auto& [name, value] : headers) made.headers.push_back(name + ": " + value);
    PEDRO_TRY(made.token_file, text("token_file"));
    PEDRO_TRY(const auto oauth, object("oauth"));
    for (const auto& [name, value] : oauth) {
      if (name == "clientId") made.client_id = value;
      if (name == "clientSecret") made.client_secret = value;
    }
    PEDRO_TRY(made.read, list("read"));
    PEDRO_TRY(made.write, list("write"));
    made.net = truth_of(server_, "net");
    PEDRO_RETURN_IF_ERROR(check_kind(made));
    std::vector<std::string> token_files = {made.token_file};
    std::erase(token_files, "");
    for (const std::vector<std::string>* paths : {&made.read, &made.write, &token_files}) {
      for (const std::string& path : *paths) {
        if (path.starts_with('/') || path.starts_with("~/")) continue;
        return config_error(fmt::format("'{}': expected a path that begins with '/' or '~/'",
                                        make_printable(path)));
      }
    }
    return made;
  }

 private:
  Status check_keys() const {
    const std::vector<std::string> known = {"type",  "command", "args",      "env",
                                            "url",   "headers", "net",       "read",
                                            "write", "oauth",   "token_file"};
    for (const auto& [key, value] : server_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string near = did_you_mean(key, known);
      if (near.empty()) continue;
      return config_error(fmt::format("unknown key '{}'{}", make_printable(key), near));
    }
    if (server_.contains("net") && !server_["net"].is_boolean()) {
      return config_error("net: expected true or false, got " + to_line(server_["net"]));
    }
    return {};
  }

  Status check_kind(const ServerSettings& made) const {
    const std::string type = text_of(server_, "type", made.url.empty() ? "stdio" : "http");
    if (type == "sse") {
      return config_error("type: the transport 'sse' of 2024 is not supported; use 'http'");
    }
    const std::vector<std::string> kinds = {"stdio", "http", "streamable-http", "streamableHttp"};
    if (std::find(kinds.begin(), kinds.end(), type) == kinds.end()) {
      return config_error(fmt::format("type: expected stdio or http, got '{}'",
                                      make_printable(truncate_utf8(type, 80))));
    }
    const bool runs = type == "stdio";
    if (runs && made.command.empty()) return config_error("command: expected a program");
    if (runs && !made.url.empty()) return config_error("url: is not for type stdio");
    if (!runs && !made.command.empty()) return config_error("command: is not for type http");
    return runs ? Status() : check_url(made.url);
  }

  static Error wrong(std::string_view key, std::string_view expected, const Json& value) {
    return config_error(
        fmt::format("{}: expected {}, got {}", key, expected, truncate_utf8(to_line(value), 80)));
  }

  // Replaces "${NAME}" and "${NAME:-text}".
  Result<std::string> expanded(std::string_view key, const std::string& text) const {
    if (text.size() > kMaxTextBytes || text.find('\0') != text.npos) {
      return config_error(
          fmt::format("{}: expected at most {} bytes without NUL", key, kMaxTextBytes));
    }
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const std::size_t begin = text.find("${", at);
      const std::size_t end = begin == text.npos ? text.npos : text.find('}', begin);
      out += text.substr(at, end == text.npos ? text.npos : begin - at);
      if (end == text.npos) return out;
      const std::string inner = text.substr(begin + 2, end - begin - 2);
      const std::size_t otherwise = inner.find(":-");
      const std::string name = inner.substr(0, otherwise);
      const std::string value = environment_.get(name);
      if (value.empty() && otherwise == inner.npos) {
        return config_error(
            fmt::format("{}: the environment variable '{}' is not set", key, make_printable(name)));
      }
      out += value.empty() ? inner.substr(otherwise + 2) : value;
      at = end + 1;
    }
  }

  Result<std::string> text(std::string_view key) const {
    const Json& value = member(server_, key);
    if (value.is_null()) return std::string();
    if (!value.is_string()) return wrong(key, "a string", value);
    return expanded(key, value.get<std::string>());
  }

  Result<std::vector<std::string>> list(std::string_view key) const {
    std::vector<std::string> texts;
    const Json& values = member(server_, key);
    if (values.is_null()) return texts;
    if (!values.is_array() || values.size() > kMaxEntries) {
      return wrong(key, "a list of at most 256 strings", values);
    }
    for (const Json& value : values) {
      if (!value.is_string()) return wrong(key, "a list of strings", values);
      PEDRO_TRY(std::string one, expanded(key, value.get<std::string>()));
      texts.push_back(std::move(one));
    }
    return texts;
  }

  Result<std::map<std::string, std::string>> object(std::string_view key) const {
    std::map<std::string, std::string> texts;
    const Json& values = member(server_, key);
    if (values.is_null()) return texts;
    if (!values.is_object() || values.size() > kMaxEntries) {
      return wrong(key, "an object with at most 256 strings", values);
    }
    for (const auto& [name, value] : values.items()) {
      if (!value.is_string()) return wrong(key, "an object with strings", values);
      PEDRO_TRY(texts[name], expanded(key, value.get<std::string>()));
    }
    return texts;
  }

  const Json& server_;
  const Environment& environment_;
};

}  // namespace

Result<ServerTable> read_servers(std::string_view place, const Json& servers,
                                 const Environment& environment) {
  ServerTable table;
  const std::string key = fmt::format("{}: mcpServers", place);
  if (!servers.is_object() || servers.size() > kMaxServers) {
    return config_error(key,
                        fmt::format("expected an object with at most {} servers", kMaxServers));
  }
  for (const auto& [name, server] : servers.items()) {
    if (name.starts_with("//")) continue;
    const std::string shown = make_printable(truncate_utf8(name, 80));
    if (!is_server_name(name)) {
      return config_error(key, fmt::format("'{}': a name has at most {} letters, digits, '-' and "
                                           "'_'",
                                           shown, kMaxServerNameBytes));
    }
    if (!server.is_object()) return config_error(key, name + ": expected an object");
    auto settings = SettingsReader(server, environment).read();
    if (!settings) return Error{ErrorKind::kConfig, settings.error().message}.at(name).at(key);
    table[name] = *std::move(settings);
  }
  return table;
}

}  // namespace pedro::mcp
