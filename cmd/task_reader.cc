#include "task_reader.h"

#include <fmt/format.h>

#include "agent/issue_source.h"
#include "base/marked_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/read_parts.h"
#include "sys/terminal.h"

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

}  // namespace

Result<BuildTask> read_task(CommandContext& context, const TaskOptions& options,
                            const std::string& root, const std::string& remote, Http& http) {
  return TaskReader(context, options, root, remote, http).read();
}

}  // namespace pedro
