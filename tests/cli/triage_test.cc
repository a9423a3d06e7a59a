// Tests `pedrocli triage` end to end with prepared replies.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"

namespace pedro {
namespace {

const std::string kLookForDivision =
    R"({"tool":"search","args":{"action":"grep","pattern":"div"}})";

std::string found(int line) {
  return R"json({"tool":"phase_complete","args":{"severity":"high","category":"bug",)json"
         R"json("component":"math","cause":"div does not look at b",)json"
         R"json("evidence":[{"file":"math.c","line":)json" +
         std::to_string(line) +
         R"json(,"shows":"a / b"}],"reproduction":"div(1, 0)",)json"
         R"json("labels":["bug","math"],"next":"debug"}})json";
}

std::string with_labels(const std::vector<std::string>& labels) {
  Json call = *parse_json(found(2));
  call["args"]["labels"] = labels;
  return to_line(call);
}

// The start of a gh script that shows an issue. Further cases and the end must follow.
const std::string kShowIssue =
    "case $2 in view) echo '{\"number\":7,\"title\":\"div\",\"body\":\"b\"}';; ";

struct Triage : Program {
  Triage() {
    folder.write("project/math.c", "int div(int a, int b) {\n  return a / b;\n}\n");
    commit_project();
    before = all_files();
  }
  ProcessResult triage(const std::vector<std::string>& replies,
                       std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"triage", "-backend", "manual", "-description", "div crashes"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  /// The ids of all jobs, newest first.
  std::vector<std::string> jobs() {
    const std::string listed = run({"list"}).out;
    std::vector<std::string> ids;
    for (const std::string_view line : split_lines(listed)) {
      ids.emplace_back(line.substr(0, line.find(' ')));
    }
    return ids;
  }
  std::map<std::string, std::string> before;
};

}  // namespace

TEST_CASE("triage: the findings are printed, and no byte of the project changes") {
  Triage bench;
  const ProcessResult result = bench.triage({kLookForDivision, found(2)});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(
      result.out.starts_with("# div crashes\n\nseverity: high\ncategory: bug\ncomponent: math\n"
                             "cause: div does not look at b\nreproduction: div(1, 0)\nnext: debug\n"
                             "\n## evidence\n\n- math.c:2: a / b\n\n## labels\n\n- bug\n- math\n"));
  CHECK(bench.all_files() == bench.before);
  CHECK(bench.run({"status"}).out.find("state    done") != std::string::npos);
}

TEST_CASE("triage: a place that is not there is refused, and said to the model") {
  Triage bench;
  const ProcessResult result = bench.triage({found(4), found(3)});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("These places do not exist:\n- math.c:4: the file has 3 lines\n") !=
        std::string::npos);
  CHECK(result.out.find("- math.c:3: a / b\n") != std::string::npos);
}

TEST_CASE("triage: the end of a log is in the report, and omitted lines are counted") {
  Triage bench;
  std::string log;
  for (int i = 0; i < 4000; ++i) log += "line " + std::to_string(i) + "\n";
  const std::string path = bench.folder.write("crash.log", log);
  const ProcessResult result = bench.triage({found(2)}, {"-error-logs", path});
  CAPTURE(result.exit_code);
  CHECK(result.err.find("line 3999\n") != std::string::npos);
  CHECK(result.err.find("line 3\n") == std::string::npos);
  CHECK(result.err.find(" begins]\n(14314 bytes before this omitted)\n") != std::string::npos);
}

TEST_CASE("triage: -json ends with the findings, and keeps them in the job's folder") {
  Triage bench;
  const ProcessResult result = bench.triage({found(2)}, {"-json"});
  CHECK(result.exit_code == 0);
  const auto lines = split_lines(result.out);
  REQUIRE(!lines.empty());
  const Json last = *parse_json(lines.back());
  CHECK(text_of(last, "type") == "thread.completed");
  CHECK(text_of(member(last, "result"), "next") == "debug");
  const std::string report = text_of(last, "report");
  const std::string kept = report.substr(0, report.rfind('/')) + "/result.json";
  CHECK(std::filesystem::exists(kept));
}

TEST_CASE("triage: a model that does not come to an end is exit 6") {
  Triage bench;
  const ProcessResult result = bench.triage({"hm", "hm"}, {"-max-rounds", "2"});
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("Stopped at a limit: ") != std::string::npos);
}

TEST_CASE(
    "triage: nothing to do, -label without an issue, and a phase that could write are refused") {
  Triage bench;
  CHECK(bench.run({"triage", "-backend", "manual"}).err.find("-description TEXT") !=
        std::string::npos);
  CHECK(bench.triage({}, {"-label"}).exit_code == 2);
  bench.folder.write("project/.pedro/prompts/triage/1-triage.md",
                     "---\ntools: bash\nallow: read execute\noutput: triage/triage.schema.json\n"
                     "---\n{{task}}\n{{finish}}\n");
  const ProcessResult result = bench.triage({found(2)});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("phase 'triage': allow: this agent only reads, got 'execute'") !=
        std::string::npos);
}

TEST_CASE("triage: -label asks gh for the labels that were found") {
  Triage bench;
  bench.install_gh("echo \"$@\" >>asked\n" + kShowIssue + "esac\n");
  const ProcessResult result =
      bench.run({"triage", "-backend", "manual", "-issue", "7", "-label"}, typed({found(2)}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.folder.read("bin/asked").find("issue edit 7 --add-label=bug --add-label=math\n") !=
        std::string::npos);
}

TEST_CASE("triage: a label stays one label, whatever it contains") {
  Triage bench;
  bench.install_gh("printf '<%s>\\n' \"$@\" >>asked\n" + kShowIssue + "esac\n");
  const ProcessResult result =
      bench.run({"triage", "-backend", "manual", "-issue", "7", "-label"},
                typed({with_labels({"needs: a, b", "say \"why\"", "two words"})}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  // In CSV notation, which gh expects.
  CHECK(bench.folder.read("bin/asked")
            .ends_with("<issue>\n<edit>\n<7>\n<--add-label=\"needs: a, b\">\n"
                       "<--add-label=\"say \"\"why\"\"\">\n<--add-label=two words>\n"));
}

TEST_CASE("triage: labels that gh refuses leave the report, gh's words and the command, exit 2") {
  Triage bench;
  bench.install_gh(kShowIssue + "*) echo \"'math' not found\" >&2; exit 1;; esac\n");
  const ProcessResult result =
      bench.run({"triage", "-backend", "manual", "-issue", "7", "-label"}, typed({found(2)}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.out.find("cause: div does not look at b\n") != std::string::npos);
  CHECK(result.out.find(
            "\n"
            "## Not done\n"
            "\n"
            "- -label: gh issue: 'math' not found\n"
            "  continue with: gh 'issue' 'edit' '7' '--add-label=bug' '--add-label=math'\n") !=
        std::string::npos);
}

TEST_CASE("triage: an issue of the project's own is not labelled as another of its number") {
  Triage bench;
  bench.folder.write("project/.pedro/issues/3.md", "# div crashes\n");
  bench.install_gh("echo \"$@\" >>asked\n");
  const ProcessResult result =
      bench.run({"triage", "-backend", "manual", "-issue", "3", "-label"}, typed({found(2)}));
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("-label: the issue was not read from GitHub") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("bin/asked")));
}

TEST_CASE("triage: a log without an end is refused, by the name of its flag") {
  Triage bench;
  const ProcessResult result = bench.triage({}, {"-error-logs", "/dev/zero"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("-error-logs: /dev/zero: does not end within 256 MiB; give a file\n") !=
        std::string::npos);
  CHECK(bench.triage({}, {"-error-logs", "nowhere"}).err.find("-error-logs: nowhere: ") !=
        std::string::npos);
}

TEST_CASE("triage: -resume of a job that has handed on nothing yet goes on with the job itself") {
  Triage bench;
  CHECK(bench.triage({kLookForDivision}).exit_code == 4);  // standard input ended
  const std::string id = bench.jobs().front();

  const auto refused = [&](const std::vector<std::string>& args) {
    const ProcessResult result = bench.run(args);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(refused({"triage", "-backend", "manual", "-description", "mul crashes", "-resume", id})
            .find("-resume " + id + ": its input has changed") != std::string::npos);
  std::filesystem::create_directories(bench.folder.at("other"));
  CHECK(
      refused({"triage", "-backend", "manual", "-resume", id, "-workdir", bench.folder.at("other")})
          .find(": works in " + bench.project() + "; try `pedrocli resume " + id + "`\n") !=
      std::string::npos);

  const ProcessResult result = bench.triage({found(2)}, {"-resume", id});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("continuing after 1 rounds") != std::string::npos);
  CHECK(result.out.find("- rounds: 2\n") != std::string::npos);
  CHECK(bench.jobs() == std::vector<std::string>{id});
  CHECK(bench.all_files() == bench.before);
}

TEST_CASE("triage: a job that hit a limit is resumed without giving its task again") {
  Triage bench;
  CHECK(bench.triage({kLookForDivision}, {"-max-rounds", "1"}).exit_code == 6);
  const std::string id = bench.jobs().front();
  const ProcessResult result = bench.run(
      {"triage", "-backend", "manual", "-resume", id.substr(id.size() - 4)}, typed({found(2)}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("# div crashes\n"));
  CHECK(bench.jobs() == std::vector<std::string>{id});
  // The job has passed on everything: no further prompt is needed.
  const ProcessResult again = bench.triage({}, {"-resume", id});
  CHECK(again.exit_code == 0);
  CHECK(again.out.find("- rounds: 0\n") != std::string::npos);
  CHECK(bench.jobs().size() == 2);
}

TEST_CASE("triage: piped input is kept in the job, and resume does not read it anew") {
  Triage bench;
  const std::string recording = bench.folder.at("session.jsonl");
  bench.folder.write("report.txt", "div crashes\n");
  const ProcessResult recorded = bench.run({"triage", "-backend", "manual", "-file",
                                            bench.folder.at("report.txt"), "-record", recording},
                                           typed({kLookForDivision, found(2)}));
  REQUIRE(recorded.exit_code == 0);
  const std::vector<std::string> args = {"triage", "-replay", recording, "-max-rounds", "1"};
  const ProcessResult first = bench.run(args, "div crashes\n");
  CAPTURE(first.err);
  CHECK(first.exit_code == 6);
  const ProcessResult last = bench.run({"resume", "-max-rounds", "9"}, "something else\n");
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
  CHECK(last.out.starts_with("# div crashes\n\nseverity: high\n"));
}

TEST_CASE("triage: a job stores no secret of its task or flags, and can still be resumed") {
  Triage bench;
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const std::vector<std::string> args = {
      "triage",      "-backend", "manual", "-description", "div crashes with " + secret,
      "-max-rounds", "1"};
  CHECK(bench.run(args, typed({kLookForDivision})).exit_code == 6);
  const std::string id = bench.jobs().front();
  const std::string log = bench.folder.read("state/pedrocli/jobs/" + id + "/answers.log");
  CHECK(log.find(secret) == std::string::npos);
  const ProcessResult last = bench.run({"resume", "-max-rounds", "9"}, typed({found(2)}));
  CAPTURE(last.err);
  CHECK(last.exit_code == 0);
}

}  // namespace pedro
