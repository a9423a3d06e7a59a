#include "material_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "markdown/html_text.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxMaterialBytes = 2u << 20;
constexpr std::size_t kMaxFolderBytes = 16u << 20;
constexpr std::size_t kMaxFiles = 200;
constexpr double kFetchTimeout_s = 30;

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == bytes.npos && is_valid_utf8(bytes);
}

bool is_page(std::string_view name) {
  return name.ends_with(".html") || name.ends_with(".htm");
}

bool is_text_kind(std::string_view kind) {
  kind = trim(kind.substr(0, kind.find(';')));
  return kind.empty() || kind.starts_with("text/") || kind == "application/json" ||
         kind == "application/xml" || kind.ends_with("+json") || kind.ends_with("+xml");
}

std::string charset_of(std::string_view kind) {
  const std::size_t at = kind.find("charset=");
  if (at == kind.npos) return "";
  std::string_view name = trim(kind.substr(at + 8));
  if (name.starts_with('"')) name.remove_prefix(1);
  return std::string(name.substr(0, name.find_first_of("\"; ")));
}

// Decodes the body of a response to UTF-8.
Result<std::string> text_of_answer(const HttpResponse& answer, std::string_view kind, bool html) {
  std::string charset = charset_of(kind);
  if (charset.empty() && html) charset = charset_of_page(answer.body);
  std::optional<std::string> text = decode_text(answer.body, charset);
  if (!text) {
    return usage_error(fmt::format("is not text in {}; expected utf-8, iso-8859-1 or windows-1252",
                                   charset.empty() ? "utf-8" : make_printable(charset)));
  }
  return *std::move(text);
}

// Returns an address without user and password.
std::string without_user(std::string_view url) {
  const std::size_t scheme = url.find("://") + 3;
  const std::size_t end = std::min(url.find_first_of("/?#", scheme), url.size());
  const std::size_t at = url.substr(0, end).rfind('@');
  return std::string(url.substr(0, scheme)) +
         std::string(url.substr(at == url.npos || at < scheme ? scheme : at + 1));
}

// Returns the name of a source without secrets: readers of the post see it.
std::string name_of(const std::string& url, const Secrets& secrets) {
  const std::string name = without_user(url);
  const std::string query = to_lower(name.substr(std::min(name.find('?'), name.size())));
  bool secret = secrets.hide(name) != name;
  for (const char* word : {"token", "key", "secret", "pass", "sig", "auth", "credential"}) {
    secret = secret || query.find(word) != query.npos;
  }
  return secret ? public_url(url) : name;
}

Status add_address(CommandContext& context, const std::string& url, const Secrets& secrets,
                   Http& http, Material& material) {
  if (Status good = check_url(url); !good) return usage_error(good.error().message);
  HttpRequest request{
      .url = url,
      .headers = {
          "Accept: text/html, text/plain, text/markdown, application/json, application/xml"}};
  request.idle_timeout_s = kFetchTimeout_s;
  request.timeout_s = kFetchTimeout_s;
  request.max_response_bytes = kMaxMaterialBytes;
  const Result<HttpResponse> answer = http.send(request, {}, context.cancel);
  if (!answer) {
    if (answer.error().kind == ErrorKind::kInterrupted) return answer.error();
    // Removes the advice after the last ';', which is about a model's server.
    const std::string& why = answer.error().message;
    return usage_error(why.substr(0, why.rfind("; ")));
  }
  if (answer->status != 200) {
    return usage_error(fmt::format(
        "{}: HTTP {}{}", public_url(url), answer->status,
        answer->status / 100 == 3 ? "; redirects are not followed: give the address it leads to"
                                  : ""));
  }
  const std::string kind = to_lower(answer->content_type);
  const bool html = kind.starts_with("text/html") || kind.starts_with("application/xhtml");
  if (!html && !is_text_kind(kind)) {
    return usage_error(fmt::format("{}: expected text, got {}", public_url(url), kind));
  }
  const Result<std::string> said = text_of_answer(*answer, kind, html);
  if (!said) return said.error().at(public_url(url));
  const std::string text = html ? html_to_text(*said) : std::string(trim(*said));
  if (text.empty()) return usage_error(public_url(url) + ": contains no text");
  material.add({name_of(url, secrets), make_printable(text)});
  return {};
}

class FolderReader {
 public:
  FolderReader(CommandContext& context, Material& material)
      : context_(context), material_(material) {}

  Status read(const std::string& top) {
    std::vector<std::string> open = {top};
    while (!open.empty()) {
      const std::string folder = open.back();
      open.pop_back();
      const auto entries = context_.files.list(folder);
      if (!entries) return usage_error(entries.error().message);
      for (const FolderEntry& entry : *entries) {
        if (entry.name.starts_with('.')) continue;
        const std::string path = join_path(folder, entry.name);
        if (entry.kind == FileKind::kFolder) open.push_back(path);
        if (entry.kind != FileKind::kFile) continue;
        PEDRO_RETURN_IF_ERROR(add(path));
      }
    }
    if (files_ == 0) return usage_error(top + ": contains no text");
    return {};
  }

 private:
  Status add(const std::string& path) {
    const Result<std::string> text = context_.files.read(path, kMaxMaterialBytes);
    if (!text || !is_text(*text) || trim(*text).empty()) {
      print_note(context_.global, fmt::format("pedrocli: {}: skipped, it is {}", path,
                                              text ? "not text" : "too long or unreadable"));
      return {};
    }
    bytes_ += text->size();
    if (++files_ > kMaxFiles || bytes_ > kMaxFolderBytes) {
      return usage_error(fmt::format("{}: more than {} files or {} MiB; name those that matter",
                                     path, kMaxFiles, kMaxFolderBytes >> 20));
    }
    material_.add({path, make_printable(is_page(path) ? html_to_text(*text) : *text)});
    return {};
  }

  CommandContext& context_;
  Material& material_;
  std::size_t files_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Status add_material(CommandContext& context, const std::string& place, const Secrets& secrets,
                    Http& http, Material& material) {
  if (place.find("://") != std::string::npos) {
    return add_address(context, place, secrets, http, material);
  }
  const FileKind kind = context.files.info(place).kind;
  if (kind == FileKind::kMissing) return usage_error(place + ": no such file or folder");
  if (kind == FileKind::kFolder) return FolderReader(context, material).read(place);
  const Result<std::string> text = context.files.read(place, kMaxMaterialBytes);
  if (!text) return usage_error(text.error().message);
  if (!is_text(*text)) return usage_error(place + ": is not UTF-8 text");
  material.add({place, make_printable(is_page(place) ? html_to_text(*text) : *text)});
  return {};
}

}  // namespace pedro
