#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "command.h"
#include "job/journal_text.h"
#include "sys/folder_lock.h"
#include "sys/growing_file.h"
#include "sys/sleep.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxLogLineBytes = 4u << 20;
constexpr double kLookEvery_s = 0.1;
constexpr int kLooksBeforeDoubt = 20;  // a new job is locked slightly later

struct LogsOptions {
  std::string job;
  bool follow = false;
};

/// Prints a journal line by line while it is written.
class JournalPrinter {
 public:
  JournalPrinter(CommandContext& context, const JobStore& store, std::string id)
      : context_(context), folder_(store.folder(id)), path_(store.journal_path(id)) {}

  /// Prints new lines. Returns false if there are none.
  Result<bool> print_new() {
    PEDRO_RETURN_IF_ERROR(open());
    if (!journal_) return false;
    PEDRO_TRY(const std::string part, journal_->read_new());
    rest_ += part;
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos;
         end = rest_.find('\n', begin)) {
      take(std::string_view(rest_).substr(begin, end + 1 - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
    if (rest_.size() > kMaxLogLineBytes) rest_.clear();
    std::fflush(stdout);
    return !part.empty();
  }

  /// Returns true if the journal contains the end of the job.
  bool ended() const { return ended_; }
  /// Returns true if the job has no process any more and its journal has no end.
  bool died() {
    if (journal_ && journal_->removed()) return true;
    if (!journal_ && ++looks_ < kLooksBeforeDoubt) return false;
    // Checks the lock last, because the check holds it for a moment.
    return !process_alive(process_) && FolderLock::take(folder_).ok();
  }

 private:
  // Opens the journal if it exists.
  Status open() {
    if (journal_ || context_.files.info(path_).kind == FileKind::kMissing) return {};
    PEDRO_TRY(journal_, GrowingFile::open(path_));
    return {};
  }

  void take(std::string_view line) {
    const Result<Json> event = parse_json(line, {.max_bytes = kMaxLogLineBytes});
    if (event && event->is_object()) note(*event);
    if (context_.global.json) {
      print(line);
    } else if (event) {
      print(journal_text(*event));
    }
  }

  void note(const Json& event) {
    const std::string type = text_of(event, "type");
    if (type == "thread.started") {
      ended_ = false;  // the job was resumed
      process_ = {static_cast<long>(number_of(event, "pid")), number_of(event, "start_ticks")};
    } else if (type == "thread.completed") {
      ended_ = true;
    }
  }

  CommandContext& context_;
  std::string folder_;
  std::string path_;
  std::optional<GrowingFile> journal_;
  std::string rest_;  // an incomplete line
  ProcessIdentity process_;
  bool ended_ = false;
  int looks_ = 0;
};

Result<int> follow(CommandContext& context, const std::string& id, JournalPrinter& printer) {
  for (bool last = false;;) {
    if (context.cancel.cancelled()) return kExitSignal + context.cancel.signal();
    PEDRO_TRY(const bool more, printer.print_new());
    if (more) continue;
    if (std::ferror(stdout) != 0) return kExitInternal;  // the reader has closed the pipe
    if (printer.ended()) return kExitDone;
    if (last) {
      print_error(fmt::format(
          "pedrocli: {}: is not running and did not finish; `pedrocli status {}` shows what it did",
          id, id));
      return kExitInternal;
    }
    last = printer.died();  // prints its last lines first
    if (!last) sleep_unless_cancelled(kLookEvery_s, context.cancel);
  }
}

Result<int> run_logs(CommandContext& context, const LogsOptions& options) {
  PEDRO_TRY(const JobStore store, open_job_store(context));
  PEDRO_TRY(const std::string id, choose_job(store, options.job));
  JournalPrinter printer(context, store, id);
  if (options.follow) return follow(context, id, printer);
  for (;;) {
    PEDRO_TRY(const bool more, printer.print_new());
    if (!more || context.cancel.cancelled()) return kExitDone;
  }
}

}  // namespace

CommandFunction add_logs_command(CLI::App& command) {
  auto options = std::make_shared<LogsOptions>();
  command.add_option("job", options->job, "The job's id (default: the newest)");
  command.add_flag("--f,--follow", options->follow,
                   "Continue until the job ends; exit code 0 if it finished, with any outcome,\n"
                   "1 if its process died");
  return running(run_logs, options);
}

}  // namespace pedro
