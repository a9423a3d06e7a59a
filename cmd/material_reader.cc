#include "material_reader.h"

#include <fmt/format.h>

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

Status add_address(CommandContext& context, const std::string& url, Http& http,
                   Material& material) {
  if (Status good = check_url(url); !good) return usage_error(good.error().message);
  HttpRequest request{.url = url, .headers = {"Accept: text/html, text/plain, text/markdown"}};
  request.idle_timeout_s = kFetchTimeout_s;
  request.timeout_s = kFetchTimeout_s;
  request.max_response_bytes = kMaxMaterialBytes;
  const Result<HttpResponse> answer = http.send(request, {}, context.cancel);
  if (!answer) {
    if (answer.error().kind == ErrorKind::kInterrupted) return answer.error();
    return usage_error(answer.error().message);
  }
  if (answer->status != 200) {
    return usage_error(fmt::format(
        "{}: HTTP {}{}", public_url(url), answer->status,
        answer->status / 100 == 3 ? "; redirects are not followed: give the address it leads to"
                                  : ""));
  }
  const std::string kind = to_lower(answer->content_type);
  const bool html = kind.starts_with("text/html") || kind.starts_with("application/xhtml");
  if (!html && !kind.empty() && !kind.starts_with("text/")) {
    return usage_error(fmt::format("{}: expected text, got {}", public_url(url), kind));
  }
  const std::string text = html ? html_to_text(answer->body) : std::string(trim(answer->body));
  if (text.empty()) return usage_error(public_url(url) + ": there is no text in it");
  material.add({url, make_printable(text)});
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
        if (Status added = add(path); !added) return added;
      }
    }
    if (files_ == 0) return usage_error(top + ": there is no text in this folder");
    return {};
  }

 private:
  Status add(const std::string& path) {
    const Result<std::string> text = context_.files.read(path, kMaxMaterialBytes);
    if (!text || !is_text(*text) || trim(*text).empty()) {
      print_note(context_.global, fmt::format("pedrocli: {}: left out, it is {}", path,
                                              text ? "no text" : "too long or not readable"));
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

Status add_material(CommandContext& context, const std::string& place, Http& http,
                    Material& material) {
  if (place.find("://") != std::string::npos) return add_address(context, place, http, material);
  const FileKind kind = context.files.info(place).kind;
  if (kind == FileKind::kMissing) return usage_error(place + ": no such file or folder");
  if (kind == FileKind::kFolder) return FolderReader(context, material).read(place);
  const Result<std::string> text = context.files.read(place, kMaxMaterialBytes);
  if (!text) return usage_error(text.error().message);
  if (!is_text(*text)) return usage_error(place + ": is no text in UTF-8");
  material.add({place, make_printable(is_page(place) ? html_to_text(*text) : *text)});
  return {};
}

}  // namespace pedro
