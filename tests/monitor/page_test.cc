// The pages of `pedrocli report` in headless Chromium: a page around them looks at them in frames
// and writes down what it sees. Skipped (77) where there is no Chromium.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <mutex>
#include <set>

#include "base/text.h"
#include "markdown/markdown.h"
#include "monitor/job_page.h"
#include "monitor/journal_lines.h"
#include "support/loopback_server.h"
#include "support/temp_folder.h"
#include "sys/process.h"

namespace pedro {
namespace {

std::string chromium() {
  const RealProcessRunner processes;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (const std::string path = processes.find(name); !path.empty()) return path;
  }
  return "";
}

// Loads /page into a frame of each width, and puts a row of facts about each into the document.
constexpr const char* kAround = R"html(<!doctype html><meta charset="utf-8"><body><script>
const seen = [];
function look(frame, width) {
  const page = frame.contentWindow, root = page.document.documentElement;
  const wide = [...page.document.querySelectorAll('body *')].filter(e =>
      !e.closest('svg') && e.getBoundingClientRect().right > width + 1);
  const title = page.document.querySelector('h1');
  return 'width ' + width + ': overflow ' + (root.scrollWidth - width) + ', beyond ' +
      wide.length + ', requests ' + page.performance.getEntriesByType('resource').length +
      ', background ' + page.getComputedStyle(page.document.body).backgroundColor +
      ', title ' + (title ? title.textContent : 'none') +
      ', columns ' + page.document.querySelectorAll('svg rect').length;
}
const widths = [360, 1200];
for (const width of widths) {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'border:0;height:900px;width:' + width + 'px';
  frame.src = '/page';
  frame.onload = () => {
    frame.contentDocument.addEventListener('securitypolicyviolation', e =>
        seen.push('violation of ' + e.violatedDirective));
    seen.push(look(frame, width));
    if (seen.length < widths.length) return;
    const out = document.createElement('pre');
    out.textContent = 'SEEN\n' + seen.sort().join('\n') + '\nEND';
    document.body.appendChild(out);
  };
  document.body.appendChild(frame);
}
</script></body>)html";

// What a browser saw of a page.
struct Sight {
  std::vector<std::string> rows;
  std::string console;
  std::set<std::string> asked;  // of the server
};

enum class Scheme { kDark = 0, kLight = 1 };

Sight look_at(const std::string& page, Scheme scheme) {
  Sight sight;
  std::mutex mutex;
  LoopbackServer server([&](const LoopbackRequest& request) {
    const std::lock_guard lock(mutex);
    sight.asked.insert(request.target);
    LoopbackReply reply{.headers = {"Content-Type: text/html; charset=utf-8"}};
    if (request.target == "/around") reply.body = kAround;
    if (request.target == "/page") reply.body = page;
    if (reply.body.empty()) reply.status = 404;
    return reply;
  });
  const TempFolder folder;
  RealProcessRunner processes;
  const CancelToken cancel;
  const Command command{
      .argv = {chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--disable-background-networking", "--disable-component-update", "--no-first-run",
               // Whatever the page might ask of any host arrives at our server.
               fmt::format("--host-resolver-rules=MAP * 127.0.0.1:{}", server.port()),
               "--user-data-dir=" + folder.path(), "--window-size=1300,1000",
               fmt::format("--blink-settings=preferredColorScheme={}", static_cast<int>(scheme)),
               "--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom",
               server.url("/around")},
      .environment = {{"HOME", folder.path()}},
      .timeout_s = 120,
      .max_output_bytes = 4u << 20};
  const Result<ProcessResult> ran = processes.run(command, cancel);
  REQUIRE(ran.ok());
  for (const std::string_view line : split_lines(ran->err)) {
    if (line.find("CONSOLE") != std::string_view::npos) sight.console += std::string(line) + "\n";
  }
  const std::size_t begin = ran->out.find("SEEN\n");
  const std::size_t end = ran->out.find("\nEND", begin);
  REQUIRE_MESSAGE(begin != std::string::npos, ran->err);
  REQUIRE(end != std::string::npos);
  for (const std::string_view line :
       split_lines(std::string_view(ran->out).substr(begin + 5, end - begin - 5))) {
    sight.rows.emplace_back(line);
  }
  return sight;
}

// A job with everything that could be too wide.
JobFigures wide_job() {
  JobFigures job = figures_in(small_journal());
  const InferenceFigures first = job.inferences.front();
  for (int i = 0; i < 80; ++i) {
    job.inferences.push_back(first);
    job.inferences.back().phase = static_cast<std::size_t>(i / 41);
    job.inferences.back().usage.prompt_tokens = 1'000'000 + i;
  }
  job.task = std::string(180, 'w');
  job.model = std::string(150, 'm');
  job.phases[0].name = std::string(60, 'p');
  job.tools[0].name = std::string(60, 't');
  return job;
}

}  // namespace

TEST_CASE("page: a job's page fits a phone, asks for nothing and knows the dark") {
  const JobFigures job = wide_job();
  const std::string page = job_page(job, ModelRegistry::builtin());
  const Sight light = look_at(page, Scheme::kLight);
  const Sight dark = look_at(page, Scheme::kDark);
  const auto row = [&](int width, const char* background) {
    return fmt::format(
        "width {}: overflow 0, beyond 0, requests 0, background {}, title {}, columns {}", width,
        background, job.task, 2 * job.inferences.size());
  };
  CHECK(light.rows ==
        std::vector<std::string>{row(1200, "rgb(255, 255, 255)"), row(360, "rgb(255, 255, 255)")});
  CHECK(dark.rows ==
        std::vector<std::string>{row(1200, "rgb(22, 22, 22)"), row(360, "rgb(22, 22, 22)")});
  for (const Sight* sight : {&light, &dark}) {
    CHECK(sight->console == "");
    std::set<std::string> asked = sight->asked;
    asked.erase("/favicon.ico");  // of the page around
    CHECK(asked == std::set<std::string>{"/around", "/page"});
  }
}

TEST_CASE("page: the page of all jobs does so too") {
  const std::vector<JobFigures> jobs(3, wide_job());
  const Sight sight = look_at(jobs_page(jobs, ModelRegistry::builtin()), Scheme::kLight);
  REQUIRE(sight.rows.size() == 2);
  for (const std::string& row : sight.rows) {
    CHECK(row.find("overflow 0, beyond 0, requests 0, background rgb(255, 255, 255), title Jobs "
                   "of pedrocli, ") != std::string::npos);
  }
  CHECK(sight.console == "");
}

TEST_CASE("page: what the test looks for is seen where it is") {
  const Sight sight = look_at(
      "<!doctype html><body style='background:red'><h1>x</h1><div style='width:2000px'>y</div>"
      "<img src='http://elsewhere.test/z.png'><script>console.error('heard')</script></body>",
      Scheme::kLight);
  REQUIRE(sight.rows.size() == 2);
  CHECK(sight.rows[1].find("width 360: overflow 0,") == std::string::npos);
  CHECK(sight.rows[1].find("requests 1,") != std::string::npos);
  CHECK(sight.console.find("heard") != std::string::npos);
  CHECK(sight.asked.contains("/z.png"));
}

}  // namespace pedro

int main(int argc, char** argv) {
  if (pedro::chromium().empty()) {
    fmt::print("SKIPPED: no chromium in PATH\n");
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
