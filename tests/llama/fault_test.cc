// Runs whole builds whose server fails, with a proxy in front of the real server. Each must end as
// documented in docs/server.md, in time, and without losing work.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "llama/fault_case.h"
#include "llama/session.h"
#include "support/fault_proxy.h"
#include "support/marked_processes.h"

namespace pedro {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr long long kMoreMemoryKb = 80 * 1024;  // needs up to four times as much memory itself
#else
constexpr long long kMoreMemoryKb = 20 * 1024;
#endif

std::string git(Session& session, std::vector<std::string> args) {
  Command command{.argv = {"git", "-C", session.folder.at("project")}};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  return result->out;
}

void check_tree(Session& session, Left left) {
  CHECK(git(session, {"status", "--porcelain"}).empty());
  if (left == Left::kNothing || left == Left::kNoJob) {
    CHECK(git(session, {"branch", "--list"}) == "* main\n");
    CHECK(session.folder.read("project/main.c") == "int main(void) { return 1; }\n");
    return;
  }
  CHECK(git(session, {"branch", "--show-current"}) == "pedrocli/issue-7-main-fails\n");
  CHECK(git(session, {"log", "--format=%s"}) ==
        (left == Left::kCommit ? "Return 0\ninit\n" : "wip: main fails\ninit\n"));
  CHECK(git(session, {"show", "HEAD:main.c"}) == "int main(void) { return 0;  // fixed }\n");
}

void check_journal(Session& session, const FaultCase& one) {
  const std::string jobs = session.folder.at("state/pedrocli/jobs");
  if (one.left == Left::kNoJob) {
    CHECK((!std::filesystem::exists(jobs) || std::filesystem::is_empty(jobs)));
    return;
  }
  const std::vector<Json> journal = session.journal();  // all lines are JSON
  REQUIRE_FALSE(journal.empty());
  CHECK(text_of(journal.front(), "type") == "thread.started");
  CHECK(text_of(journal.back(), "type") == "thread.completed");
  CHECK(number_of(journal.back(), "exit_code") == one.exit_code);
  // A failed request is repeated. A loading model only causes a wait.
  const std::string& notice = one.notice;
  const bool again = notice.starts_with("; ") || (notice.find("; trying again") != notice.npos &&
                                                  !notice.starts_with("the model"));
  bool told = false;
  for (const Json& event : journal) {
    const Json& item = member(event, "item");
    if (text_of(item, "type") != "error" || one.notice.empty()) continue;
    if (text_of(item, "message").find(one.notice) == std::string::npos) continue;
    told = true;
    CHECK(truth_of(item, "retry") == again);
  }
  CHECK((told || one.notice.empty()));
}

/// Runs a case and returns its peak memory, in KB. The cases share the folder `cache`, except for
/// its server data: a proxy may reuse the address of an earlier one with other capabilities.
long long check(const FaultCase& one, const std::string& cache) {
  std::filesystem::remove_all(cache + "/servers");
  Session session;
  const FaultProxy proxy(rules_of(one, session.server_url), session.server_url);
  session.server_url = proxy.url();
  session.environment = one.settings;
  session.environment["PEDROCLI_GIT_STAY_ON_BRANCH"] = "true";
  session.environment["PEDROCLI_CACHE"] = cache;
  session.environment["PEDROCLI_MODEL_STEERING"] = "single";  // one request per call
  session.environment["PEDROCLI_FAULT_TEST"] = session.folder.path();
  const std::string marker = "PEDROCLI_FAULT_TEST=" + session.folder.path();
  session.timeout_s = one.limit_s;
  const PeakMemory peak(marker, "pedrocli");
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::string> args = {"build", "-issue", "7", "-backend", one.backend};
  args.insert(args.end(), one.flags.begin(), one.flags.end());
  if (std::find(args.begin(), args.end(), "-max-rounds") == args.end())
    args.insert(args.end(), {"-max-rounds", "8"});
  const ProcessResult result = session.pedrocli(args);
  const double took_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  MESSAGE(fmt::format("{} {}: exit {} after {:.1f} s, {} MB", one.happening, one.variant,
                      result.exit_code, took_s, peak.kb() / 1024));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == one.exit_code);
  CHECK(result.err.find(one.error) != std::string::npos);
  if (one.happening != "restarts") CHECK(result.err.find("evaluated again") == std::string::npos);
  CHECK(of_marked_processes(marker, "status").empty());
  check_journal(session, one);
  check_tree(session, one.left);
  CHECK(proxy.applied(0) > 0);
  return peak.kb();
}

}  // namespace

TEST_CASE("faults: each fault ends as documented") {
  const TempFolder cache;
  Session first;  // compiles the vocabulary, which takes memory too
  first.environment["PEDROCLI_CACHE"] = cache.path();
  CHECK(first.pedrocli({"doctor"}).exit_code == 0);
  FaultCase undisturbed;
  undisturbed.happening = "works";
  const long long usual_kb = check(undisturbed, cache.path());
  const char* only = std::getenv("PEDROCLI_FAULT");  // runs only happenings that contain this text
  for (const FaultCase& one : fault_cases()) {
    if (only != nullptr && one.happening.find(only) == std::string::npos) continue;
    CAPTURE(one.happening);
    CAPTURE(one.variant);
    CHECK(check(one, cache.path()) - usual_kb < kMoreMemoryKb);
  }
}

TEST_CASE("faults: a job whose time ended during a reply can be resumed") {
  const std::vector<FaultCase> cases = fault_cases();
  const auto slow = std::find_if(cases.begin(), cases.end(), [](const FaultCase& one) {
    return one.happening == "is slower than the job has time";
  });
  REQUIRE(slow != cases.end());
  Session session;
  const FaultProxy proxy(rules_of(*slow, session.server_url), session.server_url);
  session.server_url = proxy.url();
  session.environment["PEDROCLI_MODEL_STEERING"] = "single";
  REQUIRE(session.pedrocli({"build", "-issue", "7", "-max-time", "6s"}).exit_code == 6);
  const ProcessResult result = session.pedrocli({"resume", "-max-time", "1m"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  check_tree(session, Left::kCommit);
  const std::vector<Json> journal = session.journal();
  CHECK(std::count_if(journal.begin(), journal.end(), [](const Json& event) {
          return event.contains("resumed_after") && number_of(event, "resumed_after") == 3;
        }) == 1);
  CHECK(text_of(journal.back(), "outcome") == "done");
}

TEST_CASE("faults: each line of the page has its test, and each test its line") {
  std::ifstream in(SERVER_PAGE);
  REQUIRE(in.good());
  std::set<std::string> documented;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| … ")) documented.insert(line.substr(6, line.find(" |", 6) - 6));
  }
  std::set<std::string> tested;
  for (const FaultCase& one : fault_cases()) tested.insert(one.happening);
  CHECK(documented == tested);
}

}  // namespace pedro
