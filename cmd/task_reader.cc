#include "task_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/issue_source.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "chat/image.h"
#include "markdown/html_text.h"
#include "sys/read_parts.h"
#include "sys/terminal.h"
#include "sys/url.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTaskBytes = 256 * 1024;
constexpr std::size_t kMaxTitleBytes = 120;
constexpr std::size_t kMaxLogBytes = 24 * 1024;
constexpr std::size_t kMaxStreamBytes = 256u << 20;  // of a pipe or an endless device
std::string short_title(std::string_view line) {
  if (line.size() <= kMaxTitleBytes) return std::string(line);
  std::string_view kept = truncate_utf8(line, kMaxTitleBytes - 3);
  const std::size_t blank = kept.rfind(' ');
  if (blank != kept.npos && blank > kMaxTitleBytes / 2) kept = kept.substr(0, blank);
  return fmt::format("{}...", trim(kept));
}

// Returns true for agents that are commands. `pedrocli run` runs all others.
bool is_command(std::string_view agent) {
  return agent == "build" || agent == "debug" || agent == "triage" || agent == "ask";
}

class TaskReader {
 public:
  TaskReader(CommandContext& context, const TaskOptions& options, const std::string& root,
             const std::string& remote, Http& http)
      : context_(context), options_(options), root_(root), remote_(remote), http_(http) {}

  Result<BuildTask> read() {
    if (options_.issue.empty() && options_.description.empty() && options_.file.empty()) {
      return from_pipe();
    }
    if (options_.issue == "-" && options_.file == "-") {
      return usage_error("-issue - and -file - both need standard input");
    }
    BuildTask task;
    if (!options_.issue.empty()) {
      PEDRO_RETURN_IF_ERROR(add_issue(task));
    }
    if (!options_.description.empty()) add(task, options_.description);
    if (!options_.file.empty()) {
      PEDRO_TRY(const std::string text, read_file(options_.file));
      add_others(task, "file", text);
    }
    if (trim(task.text).empty()) return usage_error("the task is empty");
    for (const std::string& path : options_.images) {
      PEDRO_TRY(const Image image, read_image(context_.files, path));
      add(task, fmt::format("{}: {}", make_printable(base_name(path)), image_mark(image)));
    }
    for (const std::string& path : options_.logs) {
      PEDRO_RETURN_IF_ERROR(add_log(task, path));
    }
    return task;
  }

 private:
  Result<BuildTask> from_pipe() {
    const Error nothing = usage_error(
        fmt::format("nothing to do: give -issue N, {} or -file F; see `pedrocli {} -help`",
                    options_.agent == "debug" ? "-symptoms TEXT" : "-description TEXT",
                    is_command(options_.agent) ? options_.agent : "run"));
    if (is_terminal(StandardStream::kIn)) return nothing;
    PEDRO_TRY(const std::string text, read_stream("-", kMaxTaskBytes, context_.cancel));
    if (trim(text).empty()) return nothing;
    BuildTask task;
    add_others(task, "file", text);
    return task;
  }

  Status add_issue(BuildTask& task) {
    IssueSources sources{context_.files,  context_.processes,
                         http_,           context_.environment,
                         context_.cancel, root_,
                         remote_,         {}};
    if (options_.issue == "-") {
      PEDRO_TRY(sources.stdin_text, read_stream("-", kMaxTaskBytes, context_.cancel));
    }
    PEDRO_TRY(const Issue issue, fetch_issue(options_.issue, sources));
    task.issue_number = issue.number;
    task.at_forge = issue.at_forge;
    task.at_github = issue.at_github;
    task.title = issue.title;
    task.text =
        marked(issue.number > 0 ? fmt::format("issue {}", issue.number) : "issue", render(issue));
    const std::string omitted = omitted_parts(issue);
    print_note(context_.global,
               fmt::format("issue {}from {}: {}{}",
                           issue.number > 0 ? fmt::format("{} ", issue.number) : "", issue.source,
                           issue.title, omitted.empty() ? "" : fmt::format(" ({})", omitted)));
    return {};
  }

  Result<std::string> read_file(const std::string& path) {
    if (path == "-") return read_stream("-", kMaxTaskBytes, context_.cancel);
    const bool stream = context_.files.info(path).kind == FileKind::kOther;
    Result<std::string> text = stream ? read_stream(path, kMaxTaskBytes, context_.cancel)
                                      : context_.files.read(path, kMaxTaskBytes);
    if (text || text.error().kind == ErrorKind::kInterrupted) return text;
    return usage_error("-file " + text.error().message);
  }

  // Adds the end of a log, which has the relevant part. A log may be long and may grow while it is
  // read.
  Status add_log(BuildTask& task, const std::string& path) {
    const bool stream = context_.files.info(path).kind == FileKind::kOther;
    std::string tail;
    std::size_t left_out = 0;
    const Status read = read_parts(path, context_.cancel, [&](std::string_view part) {
      tail += part;
      if (stream && left_out > kMaxStreamBytes) {
        return Status(usage_error(fmt::format("{}: does not end within {} MiB; give a file", path,
                                              kMaxStreamBytes >> 20)));
      }
      if (tail.size() > 2 * kMaxLogBytes) {
        left_out += tail.size() - kMaxLogBytes;
        tail.erase(0, tail.size() - kMaxLogBytes);
      }
      return Status();
    });
    if (!read) return read.error().at(options_.logs_flag);
    const std::string_view kept = tail_utf8(tail, kMaxLogBytes);
    left_out += tail.size() - kept.size();
    const std::string note =
        left_out == 0 ? "" : fmt::format("({} bytes before this omitted)\n", left_out);
    add(task, marked(make_printable(base_name(path)), note + std::string(trim(kept))));
    return {};
  }

  static void name(BuildTask& task, std::string_view text) {
    const std::string clean = make_printable(trim(text));
    const auto lines = split_lines(clean);
    if (task.title.empty() && !lines.empty()) task.title = short_title(trim(lines[0]));
  }

  // Marks text whose author may not be the user.
  static void add_others(BuildTask& task, std::string_view what, std::string_view text) {
    if (trim(text).empty()) return;
    name(task, text);
    add(task, marked(what, text));
  }

  static void add(BuildTask& task, std::string_view text) {
    const std::string clean = make_printable(trim(text));
    name(task, clean);
    if (!task.text.empty()) task.text += "\n\n";
    task.text += clean;
  }

  CommandContext& context_;
  const TaskOptions& options_;
  const std::string& root_;
  const std::string& remote_;
  Http& http_;
};

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

Result<BuildTask> read_task(CommandContext& context, const TaskOptions& options,
                            const std::string& root, const std::string& remote, Http& http) {
  return TaskReader(context, options, root, remote, http).read();
}

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
