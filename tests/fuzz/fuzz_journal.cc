// Reads any bytes as a job's journal. All readers of journals must accept it: job lists, readable
// lines, the conversation, the figures and their pages.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "agent/context_history.h"
#include "base/utf8.h"
#include "fuzz/require.h"
#include "job/job_store.h"
#include "job/journal_text.h"
#include "job/read_journal.h"
#include "monitor/job_page.h"

namespace {

using namespace pedro;

constexpr const char* kId = "20260301-120000-000-build-0000";

bool is_clean(std::string_view text) {
  return text == make_printable(text);
}

void check_lines(const FileSystem& files, const std::string& path, std::string_view file) {
  long long events = 0;
  const auto reading = read_journal(files, path, [&](const Json& event) {
    ++events;
    require(event.is_object(), "an event that is no object", file);
    const std::string line = journal_text(event);
    require(is_clean(line), "a line that is not printable", file);
    require(line.empty() || line.ends_with('\n'), "a line without its end", file);
  });
  require(reading.ok(), "it is not read", file);
  require(reading->events == events, "another number of events", file);
}

void check_summary(FakeFileSystem& files, std::string_view file) {
  const JobStore store(files, "/state", [](const ProcessIdentity&) { return false; });
  const auto job = store.load(kId);
  require(job.ok(), "a job that is not loaded", file);
  const auto jobs = store.list(10);
  require(jobs.ok() && jobs->size() == 1, "a job that is not listed", file);
}

void check_figures(const FileSystem& files, const std::string& path, std::string_view file) {
  const auto figures = read_figures(files, path);
  require(figures.ok(), "figures that are not read", file);
  require(figures->tools.size() <= 101, "more tools than are told apart", file);
  const std::string page = job_page(*figures, ModelRegistry::builtin());
  require(is_valid_utf8(page), "a page that is no UTF-8", file);
  require(page.find("<script") == std::string::npos, "a page with a script", file);
  (void)jobs_page(std::span(&*figures, 1), ModelRegistry::builtin());
}

void check_conversation(const FileSystem& files, const std::string& path, std::string_view file) {
  const auto history = ContextHistory::read(files, path);
  if (!history) return require(is_clean(history.error().message), "a wild error", file);
  for (long long window : {500, 8000}) {
    Budget budget;
    budget.context_tokens = window;
    (void)forecast(*history, budget, CompactionRules());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  FakeFileSystem files;
  const std::string folder = std::string("/state/jobs/") + kId;
  const std::string path = folder + "/journal.jsonl";
  files.folders["/state"] = files.folders["/state/jobs"] = files.folders[folder] = true;
  files.files[path] = std::string(file);
  check_lines(files, path, file);
  check_summary(files, file);
  check_figures(files, path, file);
  check_conversation(files, path, file);
  return 0;
}
