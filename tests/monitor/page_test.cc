// Tests the pages of `pedrocli report` and of posts in headless Chromium. A surrounding page
// inspects them in frames and sends its findings. Skipped (77) without Chromium.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <mutex>
#include <set>

#include "base/text.h"
#include "blog/blog_post.h"
#include "markdown/markdown.h"
#include "monitor/conversation_html.h"
#include "monitor/job_page.h"
#include "monitor/journal_lines.h"
#include "support/loopback_server.h"
#include "support/temp_folder.h"
#include "sys/file_system.h"
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

// Shows each page in a frame of each width. Sends a row of facts for each frame after all have
// loaded.
constexpr const char* kLook = R"html(<script>
function look(frame) {
  const page = frame.contentWindow, root = page.document.documentElement;
  const width = frame.clientWidth;
  const beyond = [...page.document.querySelectorAll('body *')].filter(e =>
      !e.closest('svg') && !e.parentElement.closest('pre') && e.getBoundingClientRect().right > width + 1);
  return page.location.pathname + ' width ' + width + ': overflow ' + (root.scrollWidth - root.clientWidth) +
      ', beyond ' + beyond.length +
      ', requests ' + page.performance.getEntriesByType('resource').length +
      ', background ' + page.getComputedStyle(page.document.body).backgroundColor +
      ', columns ' + page.document.querySelectorAll('svg rect').length;
}
addEventListener('load', () => {
  const rows = [...document.querySelectorAll('iframe')].map(look);
  fetch('/seen', {method: 'POST', body: rows.join('\n')});
});
</script></body>)html";

constexpr int kWidths[] = {360, 1200};

std::string page_around(std::size_t pages) {
  std::string html = "<!doctype html><meta charset=\"utf-8\"><body>";
  for (std::size_t i = 0; i < pages; ++i) {
    for (const int width : kWidths) {
      html += fmt::format(
          "<iframe style=\"border:0;height:900px;width:{}px\" src=\"/page{}\"></iframe>", width, i);
    }
  }
  return html + kLook;
}

// The findings of a browser about the pages.
struct Sight {
  std::vector<std::string> rows;
  std::string console;
  std::set<std::string> asked;  // requested from any server, except the browser's own requests
};

enum class Scheme { kDark = 0, kLight = 1 };

// On a busy machine a browser sometimes starts but never shows a page.
constexpr int kMaxTries = 5;
constexpr double kTry_s = 30;

// Ends the browser as soon as the findings arrive, because its regular shutdown is slow.
Sight look_once(const std::vector<std::string>& pages, Scheme scheme) {
  Sight sight;
  std::mutex mutex;
  CancelToken seen;
  LoopbackServer server([&](const LoopbackRequest& request) {
    const std::lock_guard lock(mutex);
    if (request.target == "/seen") {
      for (const std::string_view row : split_lines(request.body)) sight.rows.emplace_back(row);
      seen.cancel(SIGTERM);
      return LoopbackReply{};
    }
    const bool own = request.target == "/favicon.ico" || request.target.starts_with("/time/");
    if (!own) sight.asked.insert(request.target);
    // Forbids caching: otherwise one frame would wait for the other.
    LoopbackReply reply{
        .headers = {"Content-Type: text/html; charset=utf-8", "Cache-Control: no-store"}};
    if (request.target == "/around") reply.body = page_around(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (request.target == fmt::format("/page{}", i)) reply.body = pages[i];
    }
    if (reply.body.empty()) reply.status = 404;
    return reply;
  });
  const TempFolder folder;
  RealProcessRunner processes;
  const Command command{
      .argv = {"sh", "-c", "exec \"$@\" 2>\"$HOME/log\"", "sh", chromium(), "--headless=new",
               "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-sync",
               "--disable-extensions", "--disable-quic", "--disable-background-networking",
               "--disable-component-update", "--no-first-run",
               // Sends the requests for every host to our server.
               fmt::format("--host-resolver-rules=MAP * 127.0.0.1:{}", server.port()),
               "--user-data-dir=" + folder.at("profile"), "--window-size=1300,1000",
               fmt::format("--blink-settings=preferredColorScheme={}", static_cast<int>(scheme)),
               "--enable-logging=stderr", "--v=0", server.url("/around")},
      .environment = {{"HOME", folder.path()}},
      .timeout_s = kTry_s,
      .max_output_bytes = 4u << 20};
  (void)processes.run(command, seen);
  const std::string log = folder.read("log");
  for (const std::string_view line : split_lines(log)) {
    if (line.find("CONSOLE") != std::string_view::npos) sight.console += std::string(line) + "\n";
  }
  const std::lock_guard lock(mutex);
  return sight;
}

Sight look_at(const std::vector<std::string>& pages, Scheme scheme) {
  Sight sight;
  for (int i = 0; i < kMaxTries && sight.rows.empty(); ++i) sight = look_once(pages, scheme);
  REQUIRE_FALSE(sight.rows.empty());
  return sight;
}

// A job with long texts and large numbers in every place that could become too wide.
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

// A round with long lines, hostile texts and a diff.
std::string wide_rounds() {
  const std::string wide = std::string(400, 'w') + "<script>document.title = 'x'</script>";
  ConversationHtml rounds;
  const auto item = [&rounds](const Json& fields) {
    rounds.hear({{"type", "item.completed"}, {"item", fields}});
  };
  rounds.hear({{"type", "phase.started"}, {"phase", wide}});
  rounds.hear({{"type", "turn.started"}, {"phase", wide}, {"round", 1}});
  item({{"type", "agent_message"}, {"text", wide}});
  item({{"type", "tool_call"},
        {"tool", "file"},
        {"args", {{"old", wide}, {"new", wide + "2"}, {"path", wide}, {wide, wide}}},
        {"ok", false},
        {"valid", false},
        {"text", wide}});
  item({{"type", "command_execution"}, {"command", wide}, {"aggregated_output", wide}});
  item({{"type", "error"}, {"message", wide}});
  rounds.hear({{"type", "phase.completed"}, {"phase", wide}, {"output", {{"summary", wide}}}});
  return rounds.html();
}

}  // namespace

TEST_CASE("page: a link to a round unfolds it") {
  ConversationHtml rounds;
  for (int i = 1; i <= 3; ++i) {
    rounds.hear({{"type", "turn.started"}, {"phase", "work"}, {"round", i}});
    rounds.hear(
        {{"type", "item.completed"}, {"item", {{"type", "agent_message"}, {"text", "hello"}}}});
  }
  const std::string body = "<!doctype html><body>" + rounds.html() + R"html(<script>
    const rounds = [...document.querySelectorAll('.round')];
    console.error('before ' + rounds.map(r => r.open));
    document.querySelector('a[href="#round-2"]').click();
    requestAnimationFrame(() => setTimeout(() => console.error('after ' + rounds.map(r => r.open)), 0));
  </script></body>)html";
  const Sight sight = look_at({body}, Scheme::kLight);
  CHECK(sight.console.find("before false,false,true") != std::string::npos);
  CHECK(sight.console.find("after false,true,true") != std::string::npos);
}

TEST_CASE("page: reports fit a phone, ask for nothing and know the dark") {
  const JobFigures job = wide_job();
  const std::vector<JobFigures> jobs(3, job);
  const ModelRegistry& models = ModelRegistry::builtin();
  std::string rounds = wide_rounds();
  CHECK(rounds.find("<script") == std::string::npos);
  rounds = replace_all(rounds, "<details ", "<details open ");
  const std::vector<std::string> pages = {job_page(job, models, rounds), jobs_page(jobs, models)};
  const std::size_t columns[] = {2 * job.inferences.size(), 3 + 6 * job.inferences.size()};
  struct Row {
    Scheme scheme;
    const char* background;
  };
  for (const Row& row :
       {Row{Scheme::kLight, "rgb(255, 255, 255)"}, Row{Scheme::kDark, "rgb(22, 22, 22)"}}) {
    const Sight sight = look_at(pages, row.scheme);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      for (const int width : kWidths) {
        expected.push_back(fmt::format(
            "/page{} width {}: overflow 0, beyond 0, requests 0, background {}, columns {}", i,
            width, row.background, columns[i]));
      }
    }
    CHECK(join(sight.rows, "\n") == join(expected, "\n"));
    CHECK(sight.console == "");
    CHECK(join({sight.asked.begin(), sight.asked.end()}, " ") == "/around /page0 /page1");
  }
}

TEST_CASE("page: a post fits a phone, asks for nothing and knows the dark") {
  const std::string wide(300, 'w');
  const BlogPost post{.title = wide,
                      .summary = "wide",
                      .date = "2024-01-01",
                      .language = "en",
                      .tags = {"wide"},
                      .tldr = {wide},
                      .sections = {{wide, "`" + wide + "`\n\n```c\n" + wide + "\n```\n\n> " + wide +
                                              "\n\n1. " + wide}},
                      .cited = {{"https://wide.test/" + wide, ""}, {wide, wide}}};
  const auto recorded =
      RealFileSystem().read(TEST_DATA "/sessions/blog/expected/post.html", 1u << 20);
  REQUIRE(recorded.ok());
  for (const auto& [scheme, background] :
       {std::pair{Scheme::kLight, "rgb(255, 255, 255)"}, {Scheme::kDark, "rgb(22, 22, 22)"}}) {
    const Sight sight = look_at({page_of(post), *recorded}, scheme);
    std::vector<std::string> expected;
    for (const int page : {0, 1}) {
      for (const int width : kWidths) {
        expected.push_back(fmt::format(
            "/page{} width {}: overflow 0, beyond 0, requests 0, background {}, columns 0", page,
            width, background));
      }
    }
    CHECK(join(sight.rows, "\n") == join(expected, "\n"));
    CHECK(sight.console == "");
    CHECK(join({sight.asked.begin(), sight.asked.end()}, " ") == "/around /page0 /page1");
  }
}

TEST_CASE("page: the test detects each planted fault") {
  const Sight sight = look_at(
      {"<!doctype html><body style='background:red'><h1>x</h1><div style='width:2000px'>y</div>"
       "<img src='http://elsewhere.test/z.png'><script>console.error('heard')</script></body>"},
      Scheme::kLight);
  REQUIRE(sight.rows.size() == 2);
  CHECK(sight.rows[0].find("/page0 width 360: overflow 16") != std::string::npos);
  CHECK(sight.rows[0].find("requests 1,") != std::string::npos);
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
