#include "task_reader.h"

#include <fmt/format.h>

#include "agent/issue_source.h"
#include "base/text.h"
#include "base/utf8.h"
#include "sys/terminal.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxTaskBytes = 256 * 1024;
constexpr std::size_t kMaxTitleBytes = 120;

Error usage(std::string message) {
  return Error{ErrorKind::kUsage, std::move(message)};
}

class TaskReader {
 public:
  TaskReader(CommandContext& context, const BuildOptions& options, const std::string& root,
             const std::string& remote, Http& http)
      : context_(context), options_(options), root_(root), remote_(remote), http_(http) {}

  Result<BuildTask> read() {
    if (options_.issue.empty() && options_.description.empty() && options_.file.empty()) {
      return from_pipe();
    }
    if (options_.issue == "-" && options_.file == "-") {
      return usage("-issue - and -file - both want standard input");
    }
    BuildTask task;
    if (!options_.issue.empty()) {
      if (Status added = add_issue(task); !added) return added.error();
    }
    if (!options_.description.empty()) add(task, options_.description);
    if (!options_.file.empty()) {
      const Result<std::string> text = read_file(options_.file);
      if (!text) return text.error();
      add(task, *text);
    }
    if (trim(task.text).empty()) return usage("the task is empty");
    return task;
  }

 private:
  Result<BuildTask> from_pipe() {
    const Error nothing = usage(
        "nothing to do: give -issue N, -description TEXT or -file F; see `pedrocli build -help`");
    if (is_terminal(StandardStream::kIn)) return nothing;
    const Result<std::string> text = read_standard_input(kMaxTaskBytes);
    if (!text) return text.error();
    if (trim(*text).empty()) return nothing;
    BuildTask task;
    add(task, *text);
    return task;
  }

  Status add_issue(BuildTask& task) {
    IssueSources sources{context_.files,  context_.processes,
                         http_,           context_.environment,
                         context_.cancel, root_,
                         remote_,         {}};
    if (options_.issue == "-") {
      Result<std::string> text = read_standard_input(kMaxTaskBytes);
      if (!text) return text.error();
      sources.stdin_text = std::move(*text);
    }
    const Result<Issue> issue = fetch_issue(options_.issue, sources);
    if (!issue) return issue.error();
    task.issue_number = issue->number;
    task.title = issue->title;
    task.text = render(*issue);
    print_note(context_.global,
               fmt::format("issue {}from {}: {}",
                           issue->number > 0 ? fmt::format("{} ", issue->number) : "",
                           issue->source, issue->title));
    return {};
  }

  Result<std::string> read_file(const std::string& path) {
    if (path == "-") return read_standard_input(kMaxTaskBytes);
    const bool stream = context_.files.info(path).kind == FileKind::kOther;
    Result<std::string> text =
        stream ? read_stream(path, kMaxTaskBytes) : context_.files.read(path, kMaxTaskBytes);
    if (!text) return usage("-file " + text.error().message);
    return text;
  }

  static void add(BuildTask& task, std::string_view text) {
    const std::string clean = make_printable(trim(text));
    if (task.title.empty()) {
      const auto lines = split_lines(clean);
      if (!lines.empty()) task.title = truncate_utf8(trim(lines[0]), kMaxTitleBytes);
    }
    if (!task.text.empty()) task.text += "\n\n";
    task.text += clean;
  }

  CommandContext& context_;
  const BuildOptions& options_;
  const std::string& root_;
  const std::string& remote_;
  Http& http_;
};

}  // namespace

Result<BuildTask> read_task(CommandContext& context, const BuildOptions& options,
                            const std::string& root, const std::string& remote, Http& http) {
  return TaskReader(context, options, root, remote, http).read();
}

}  // namespace pedro
