// Whole builds whose server fails, by a proxy in front of the real one: each ends as docs/server.md
// says, in time, and nothing is lost. What the model has to say otherwise the proxy says for it; or
// the model itself, under a grammar of that one text, which takes it seconds.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include "llama/session.h"
#include "support/fault_proxy.h"
#include "sys/http.h"

namespace pedro {
namespace {

/// What a build leaves whose fourth reply, the one behind an edit, meets a fault. Written as
/// "commit", "wip", "nothing", "no job".
enum class Left : std::uint8_t {
  kCommit,   ///< all of it, as if nothing had happened
  kWip,      ///< the edit, as an unfinished commit on the job's branch
  kNothing,  ///< everything as it was
  kNoJob,    ///< the same, and it did not even come to a job
};

/// A case of tests/data/faults.json.
struct FaultCase {
  std::string happening;  ///< its line in docs/server.md
  std::string variant;
  /// As in fault_script.h; the path REPLY is that of a job's replies, and only of those.
  Json rules;
  int exit_code = 0;
  Left left = Left::kCommit;
  std::string error;   ///< is said on stderr
  std::string notice;  ///< stands in the journal
  double limit_s = 15;
  std::string backend = "llamacpp";
  bool streamed = false;                        ///< the server has no /slots
  bool by_model = false;                        ///< who says the calls
  std::map<std::string, std::string> settings;  ///< of the environment
};

FaultCase read_case(const Json& json) {
  FaultCase one;
  one.happening = text_of(json, "happening");
  one.variant = text_of(json, "variant");
  one.rules = member(json, "rules");
  one.exit_code = static_cast<int>(number_of(json, "exit"));
  const std::string left = text_of(json, "left");
  constexpr const char* kLefts[] = {"commit", "wip", "nothing", "no job"};
  one.left = static_cast<Left>(std::find(kLefts, std::end(kLefts), left) - kLefts);
  one.error = text_of(json, "error");
  one.notice = text_of(json, "notice");
  if (json.contains("limit_s")) one.limit_s = real_of(json, "limit_s");
  if (json.contains("backend")) one.backend = text_of(json, "backend");
  one.streamed = truth_of(json, "streamed", false);
  one.by_model = truth_of(json, "by_model", false);
  for (const auto& [name, value] : member(json, "settings").items()) one.settings[name] = value;
  return one;
}

std::vector<FaultCase> fault_cases() {
  std::ifstream in(TEST_DATA "/faults.json");
  const Result<Json> json = parse_json(std::string{std::istreambuf_iterator<char>(in), {}});
  REQUIRE_MESSAGE(json.ok(), json.error().message);
  std::vector<FaultCase> cases;
  for (const Json& one : member(*json, "cases")) cases.push_back(read_case(one));
  return cases;
}

constexpr const char* kMarker = "PEDROCLI_FAULT_TEST";  // in the environment of what we start

constexpr long long kMoreMemoryKb = 30 * 1024;

struct Call {
  const char* tool;
  const char* args;
};

constexpr Call kCalls[] = {
    {"phase_complete", R"({"summary":"It returns 1.","files":["main.c"]})"},
    {"phase_complete", R"({"steps":[{"file":"main.c","change":"Return 0."}],"test":"make test"})"},
    {"file",
     R"({"action":"replace","path":"main.c","old":"return 1;","new":"return 0;  // fixed"})"},
    {"phase_complete", R"({"summary":"It returns 0 now."})"},
    {"phase_complete", R"({"subject":"Return 0","body":"It returned 1."})"},
};

/// Those requests that are a job's, and not what finds out about the server.
Json reply_rule(const std::string& backend) {
  const bool native = backend == "llamacpp";
  return {{"path", native ? "/completion" : "/v1/chat/completions"}, {"has", "phase_complete"}};
}

std::string gbnf_literal(const std::string& text) {
  return '"' + replace_all(replace_all(text, "\\", "\\\\"), "\"", "\\\"") + '"';
}

Json tokens_of(const std::string& server, const std::string& text) {
  CurlHttp http;
  const auto answer = http.send(
      {.method = "POST", .url = server + "/tokenize", .body = to_line({{"content", text}})}, {},
      CancelToken());
  REQUIRE(answer.ok());
  return member(*parse_json(answer->body), "tokens");
}

/// The answer of a llama-server whose model said this, behind what the reply was begun with.
Json native_answer(const FaultCase& one, const std::string& server, const std::string& text) {
  const Json said = {
      {"content", text}, {"tokens", tokens_of(server, text)}, {"stop", true}, {"stop_type", "eos"}};
  if (!one.streamed) return {{"body", said}};
  return {{"headers", {"Content-Type: text/event-stream"}},
          {"body", "data: " + to_line(said) + "\n\n"}};
}

Json message_answer(const Call& call) {
  const Json tool_call = {{"index", 0},
                          {"id", "c1"},
                          {"type", "function"},
                          {"function", {{"name", call.tool}, {"arguments", call.args}}}};
  const Json choice = {{"index", 0},
                       {"delta", {{"tool_calls", Json::array({tool_call})}}},
                       {"finish_reason", "tool_calls"}};
  const Json event = {{"choices", Json::array({choice})}};
  return {{"headers", {"Content-Type: text/event-stream"}},
          {"body", "data: " + to_line(event) + "\n\ndata: [DONE]\n\n"}};
}

Json say(const FaultCase& one, const std::string& server, const Call& call) {
  Json rule = reply_rule(one.backend);
  rule["times"] = 1;
  const std::string rest = fmt::format(R"({}", "arguments": {})", call.tool, call.args);
  if (one.backend != "llamacpp") {
    rule["answer"] = message_answer(call);
  } else if (one.by_model) {
    rule["with"] = {{"grammar", "root ::= " + gbnf_literal(rest)}};
  } else {
    rule["answer"] = native_answer(one, server, rest);
  }
  return rule;
}

std::vector<FaultRule> rules_of(const FaultCase& one, const std::string& server) {
  Json rules = one.rules;
  for (Json& rule : rules) {
    if (text_of(rule, "path") == "REPLY") rule.update(reply_rule(one.backend));
  }
  for (const Call& call : kCalls) rules.push_back(say(one, server, call));
  if (one.streamed) rules.push_back({{"path", "/slots"}, {"answer", {{"status", 501}}}});
  Result<std::vector<FaultRule>> read = read_fault_script(to_line({{"rules", rules}}));
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  return *std::move(read);
}

std::string git(Session& session, std::vector<std::string> args) {
  Command command{.argv = {"git", "-C", session.folder.at("project")}};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  const auto result = session.processes.run(command, session.cancel);
  REQUIRE(result.ok());
  return result->out;
}

/// The files `name` of the processes that were started with this value of the marker, and live.
std::vector<std::string> of_processes(const std::string& value, const char* name) {
  std::vector<std::string> out;
  const auto read = [](const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string environment = read(entry.path() / "environ");
    if (environment.find(std::string(kMarker) + "=" + value) == std::string::npos) continue;
    out.push_back(read(entry.path() / name));
  }
  return out;
}

/// Looks, while it lives, how much memory those processes have come to.
class PeakMemory {
 public:
  explicit PeakMemory(std::string marker) : marker_(std::move(marker)) {
    thread_ = std::thread([this] {
      while (!stop_) {
        look();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
  }
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;
  ~PeakMemory() {
    stop_ = true;
    thread_.join();
  }
  long long kb() const { return kb_; }

 private:
  void look() {
    for (const std::string& status : of_processes(marker_, "status")) {
      const std::size_t at = status.find("VmHWM:");
      if (at == std::string::npos || !status.starts_with("Name:\tpedrocli\n")) continue;
      kb_ = std::max(kb_.load(), std::atoll(status.c_str() + at + 6));
    }
  }

  std::string marker_;
  std::atomic<long long> kb_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

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
    CHECK_FALSE(std::filesystem::exists(jobs));
    return;
  }
  const std::vector<Json> journal = session.journal();  // all lines are JSON
  REQUIRE_FALSE(journal.empty());
  CHECK(text_of(journal.front(), "type") == "thread.started");
  CHECK(text_of(journal.back(), "type") == "thread.completed");
  CHECK(number_of(journal.back(), "exit_code") == one.exit_code);
  bool told = false;
  for (const Json& event : journal) {
    const Json& item = member(event, "item");
    told = told || (text_of(item, "type") == "error" &&
                    text_of(item, "message").find(one.notice) != std::string::npos);
  }
  CHECK((told || one.notice.empty()));
}

/// How much memory it took, in KB. `cache` is a folder that all may share.
long long check(const FaultCase& one, const std::string& cache) {
  Session session;
  const FaultProxy proxy(rules_of(one, session.server_url), session.server_url);
  session.server_url = proxy.url();
  session.environment = one.settings;
  session.environment["PEDROCLI_CACHE"] = cache;
  session.environment[kMarker] = session.folder.path();
  session.timeout_s = one.limit_s;
  const PeakMemory peak(session.folder.path());
  const auto begun = std::chrono::steady_clock::now();
  const ProcessResult result =
      session.pedrocli({"build", "-issue", "7", "-max-rounds", "8", "-backend", one.backend});
  const double took_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == one.exit_code);
  CHECK(result.err.find(one.error) != std::string::npos);
  CHECK(of_processes(session.folder.path(), "status").empty());
  check_journal(session, one);
  check_tree(session, one.left);
  CHECK(proxy.applied(0) > 0);
  MESSAGE(fmt::format("{} {}: exit {} after {:.1f} s, {} MB", one.happening, one.variant,
                      result.exit_code, took_s, peak.kb() / 1024));
  return peak.kb();
}

}  // namespace

TEST_CASE("faults: what is documented is what happens") {
  const TempFolder cache;
  long long usual_kb = 0;
  for (const FaultCase& one : fault_cases()) {
    CAPTURE(one.happening);
    CAPTURE(one.variant);
    const long long kb = check(one, cache.path());
    if (usual_kb == 0) usual_kb = kb;
    CHECK(kb - usual_kb < kMoreMemoryKb);  // whatever came
  }
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
