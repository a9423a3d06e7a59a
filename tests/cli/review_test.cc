// Tests `pedrocli review` end to end with prepared replies.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "json_schema/schema.h"
#include "json_schema/validate.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

const std::string kGathered =
    R"({"tool":"phase_complete","args":{"purpose":"divides","watch":[]}})";
const std::string kNothing = R"({"tool":"phase_complete","args":{"findings":[]}})";
const std::string kVerdict =
    R"({"tool":"phase_complete","args":{"verdict":"request_changes","summary":"b may be 0"}})";

std::string found(const std::string& file, int line, const std::string& severity,
                  const std::string& text) {
  const Json finding = {{"file", file},         {"line", line},
                        {"severity", severity}, {"category", "correctness"},
                        {"explanation", text},  {"suggestion", "look at b"}};
  const Json call = {{"tool", "phase_complete"}, {"args", {{"findings", Json::array({finding})}}}};
  return to_line(call);
}

struct Review : Program {
  Review() {
    folder.write("project/math.c", "int one(void) {\n  return 1;\n}\n");
    folder.write("project/gone.c", "int gone;\n");
    commit_project();
    git({"checkout", "-q", "-b", "feature"});
    folder.write(
        "project/math.c",
        "int one(void) {\n  return 1;\n}\n\nint div(int a, int b) {\n  return a / b;\n}\n");
    git({"commit", "-qam", "math: div"});
    before = all_files();
  }
  ProcessResult review(const std::vector<std::string>& replies,
                       std::vector<std::string> more = {"-branch", "feature"}) {
    std::vector<std::string> args = {"review", "-backend", "manual"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  /// Installs a gh that shows the branch as a pull request, and runs `rest` for other commands.
  void gh(const std::string& rest) {
    folder.write("diff", git({"diff", "main...feature"}));
    install_gh(
        "case \"$1 $2\" in\n"
        "'pr view') echo '{\"title\":\"div\",\"body\":\"adds div\",\"headRefOid\":\"c0ffee\"}';;\n"
        "'pr diff') cat ../diff;;\n"
        "*) " +
        rest + ";;\nesac\n");
  }
  std::map<std::string, std::string> before;
};

}  // namespace

TEST_CASE("review: findings of both phases are one list, and no byte of the project changes") {
  Review bench;
  const ProcessResult result =
      bench.review({kGathered, found("math.c", 6, "medium", "b may be 0"),
                    found("math.c", 6, "high", "divides by zero"), kVerdict});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("    5 + int div(int a, int b) {\n") != std::string::npos);
  CHECK(
      result.out.starts_with("# Review of feature since main\n\nverdict: request changes\n\n"
                             "b may be 0\n\n## Findings\n\n"
                             "- math.c:6: high correctness: divides by zero\n  b may be 0\n"
                             "  suggestion: look at b\n"));
  CHECK(bench.all_files() == bench.before);
}

TEST_CASE("review: a finding that points elsewhere is refused, and said to the model") {
  Review bench;
  const ProcessResult result =
      bench.review({kGathered, found("math.c", 99, "high", "x"), kNothing, kNothing, kVerdict});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("do not refer to a line of the diff above:\n- math.c:99\n") !=
        std::string::npos);
  CHECK(result.out.find("## Findings\n\n(none)\n") != std::string::npos);
}

TEST_CASE("review: a part that the model comes to no end with is named, exit 6") {
  Review bench;
  std::vector<std::string> replies = {kGathered};
  for (int i = 0; i < 16; ++i) replies.push_back("hm " + std::to_string(i));
  replies.insert(replies.end(), {kNothing, kVerdict});
  const ProcessResult result =
      bench.review(replies, {"-branch", "feature", "-sarif", bench.folder.at("findings.sarif")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find(
            "## Not reviewed\n\n- math.c: the model did not finish the phase 'security'\n") !=
        std::string::npos);
  const auto sarif = parse_json(bench.folder.read("findings.sarif"));
  REQUIRE(sarif.ok());
  const Json& invocation = (*sarif)["runs"][0]["invocations"][0];
  CHECK(invocation["executionSuccessful"] == false);
  CHECK(invocation["toolExecutionNotifications"][0]["message"]["text"] ==
        "not reviewed: math.c: the model did not finish the phase 'security'");
}

TEST_CASE("review: names the parts that it did not reach") {
  Review bench;
  bench.folder.write("project/.pedro/prompts/review/2-security.md",
                     "---\nmax_rounds: 2\nfor_each: parts\nevidence: diff_lines\n"
                     "output: review/findings.schema.json\n---\n{{part}}\n{{finish}}\n");
  std::string text;
  for (int i = 1; i <= 600; ++i)
    text += "int a_rather_long_name_of_number_" + std::to_string(i) + ";\n";
  bench.folder.write("project/many.c", text);
  bench.git({"add", "many.c"});
  const ProcessResult result = bench.review({kGathered, "hm", "hm", "hm", "hm"}, {"-staged"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("- many.c (1 of 2): the model did not finish the phase 'security'\n- "
                        "many.c (2 of 2): the review ended first\n") != std::string::npos);
}

TEST_CASE("review: a diff that is too large for one prompt is cut, and every line is shown") {
  Review bench;
  std::string text;
  for (int i = 1; i <= 1200; ++i)
    text += "int a_rather_long_name_of_number_" + std::to_string(i) + ";\n";
  bench.folder.write("project/many.c", text);
  bench.git({"add", "-A"});
  std::vector<std::string> replies = {kGathered};
  for (int i = 0; i < 6; ++i) replies.push_back(kNothing);
  replies.push_back(kVerdict);
  const ProcessResult result = bench.review(replies, {"-staged"});
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  for (int i = 1; i <= 1200; ++i) {
    const std::string line = "+ int a_rather_long_name_of_number_" + std::to_string(i) + ";\n";
    CHECK_MESSAGE(result.err.find(line) != std::string::npos, line);
  }
  CHECK(result.err.find("Part 3 of 3 of the diff:\n") != std::string::npos);
}

TEST_CASE("review: untracked and binary files are named as not reviewed") {
  Review bench;
  bench.folder.write("project/new.c", "int x;\n");
  bench.folder.write("project/math.c", "int two;\n");
  const std::string binary("\0\1\2", 3);
  bench.folder.write("project/gone.c", binary);
  const ProcessResult result = bench.review({kGathered, kNothing, kNothing, kVerdict}, {});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("- gone.c: a binary file\n") != std::string::npos);
  CHECK(result.out.find("- new.c: not in git yet; git add it\n") != std::string::npos);
}

TEST_CASE("review: -sarif output matches the standard's schema") {
  Review bench;
  const std::string path = bench.folder.at("findings.sarif");
  const ProcessResult result =
      bench.review({kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict},
                   {"-branch", "feature", "-sarif", path});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const auto sarif = parse_json(bench.folder.read("findings.sarif"));
  REQUIRE(sarif.ok());
  const auto schema_json = parse_json(
      *RealFileSystem().read(std::string(TEST_DATA) + "/sarif-2.1.0.schema.json", 1 << 20));
  REQUIRE(schema_json.ok());
  const auto schema = parse_schema(*schema_json);
  REQUIRE(schema.ok());
  const auto violation = validate(*schema, *sarif);
  CHECK_MESSAGE(!violation, (violation ? to_string(*violation) : ""));
  CHECK((*sarif)["runs"][0]["results"][0]["level"] == "error");
  Json broken = *sarif;
  broken["runs"][0]["results"][0]["level"] = "severe";
  CHECK(validate(*schema, broken).has_value());
}

TEST_CASE("review: -sarif overwrites only the output of a review") {
  Review bench;
  const std::vector<std::string> replies = {kGathered, kNothing, kNothing, kVerdict};
  const ProcessResult refused = bench.review(replies, {"-branch", "feature", "-sarif", "math.c"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err == "pedrocli: -sarif math.c: exists, but is not SARIF; name a new file\n");
  CHECK(bench.all_files() == bench.before);
  for (const char* json : {R"({"runs":[]})", R"({"version":"2.1.0"})", R"({"version":"2.1.0",)"}) {
    bench.folder.write("runs.json", json);
    CHECK(bench.review(replies, {"-branch", "feature", "-sarif", bench.folder.at("runs.json")})
              .exit_code == 2);
    CHECK(bench.folder.read("runs.json") == json);
  }
  CHECK(bench.run({"list"}).out.find("review") == std::string::npos);
  bench.folder.write("findings.sarif", "");
  const std::string path = bench.folder.at("findings.sarif");
  for (int i = 0; i < 2; ++i) {
    const ProcessResult result = bench.review(replies, {"-branch", "feature", "-sarif", path});
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
  }
  const ProcessResult shown = bench.review(replies, {"-branch", "feature", "-sarif", "-"});
  CHECK(shown.exit_code == 0);
  const auto sarif = parse_json(shown.out);
  REQUIRE(sarif.ok());
  CHECK((*sarif)["runs"][0]["invocations"][0]["executionSuccessful"] == true);
  std::vector<std::string> without_verdict = {kGathered, kNothing, kNothing, "hm", "hm",
                                              "hm",      "hm",     "hm",     "hm"};
  const ProcessResult cut = bench.review(without_verdict, {"-branch", "feature", "-sarif", "-"});
  CHECK(cut.exit_code == 6);
  CHECK((*parse_json(cut.out))["runs"][0]["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("review: -range covers the changes between two commits, and -json lists the findings") {
  Review bench;
  bench.git({"rm", "-q", "gone.c"});
  bench.git({"commit", "-qm", "no gone.c"});
  const ProcessResult result =
      bench.review({kGathered, found("gone.c", 1, "low", "was it used?"), kNothing, kVerdict},
                   {"-range", "HEAD~1..HEAD", "-json"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("    1 - int gone;\n") != std::string::npos);
  CHECK(result.err.find("int div") == std::string::npos);
  const std::vector<std::string_view> lines = split_lines(result.out);
  const auto last = parse_json(lines.back());
  REQUIRE(last.ok());
  const Json& review = member(*last, "result");
  const Json finding = {{"file", "gone.c"},
                        {"line", 1},
                        {"severity", "low"},
                        {"category", "correctness"},
                        {"explanation", "was it used?"},
                        {"suggestion", "look at b"},
                        {"old_line", true}};
  CHECK(review == Json{{"verdict", "request_changes"},
                       {"summary", "b may be 0"},
                       {"findings", Json::array({finding})},
                       {"not_reviewed", Json::array()}});
}

TEST_CASE("review: a finding in a deleted file refers to the old file") {
  Review bench;
  bench.git({"rm", "-q", "gone.c"});
  bench.git({"commit", "-qm", "no gone.c"});
  bench.gh("cat >body; echo '{}'");
  const ProcessResult result =
      bench.review({kGathered, found("gone.c", 1, "low", "was it used?"), kNothing, kVerdict},
                   {"-pr", "12", "-post", "-sarif", bench.folder.at("findings.sarif")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const auto body = parse_json(bench.folder.read("bin/body"));
  REQUIRE(body.ok());
  const Json& comment = (*body)["comments"][0];
  CHECK(comment["path"] == "gone.c");
  CHECK(comment["line"] == 1);
  CHECK(comment["side"] == "LEFT");
  const auto sarif = parse_json(bench.folder.read("findings.sarif"));
  REQUIRE(sarif.ok());
  const Json& found_there = (*sarif)["runs"][0]["results"][0];
  const Json& place = found_there["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "gone.c");
  CHECK(place["region"]["startLine"] == 1);
  CHECK(found_there["properties"]["old_line"] == true);
}

TEST_CASE("review: without changes, untracked files are named") {
  Review bench;
  bench.folder.write("project/new.c", "int x;\n");
  CHECK(bench.review({}, {}).err ==
        "pedrocli: uncommitted changes: there is nothing to review; one file or folder is not in "
        "git yet and not included (git add it): new.c\n");
  for (const char* name : {"a", "b", "c", "d", "e/f"}) {
    bench.folder.write(std::string("project/") + name, "x\n");
  }
  const ProcessResult result = bench.review({}, {});
  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "pedrocli: uncommitted changes: there is nothing to review; 6 files or folders are not in "
        "git yet and not included (git add them): a, b, c, d, e/ and 1 more\n");
}

TEST_CASE("review: a conflict that is not resolved is named as not reviewed") {
  Review bench;
  bench.folder.write("project/new.c", "int x;\n");
  bench.git({"checkout", "-q", "main"});
  bench.folder.write("project/math.c", "int one;\n");
  bench.git({"commit", "-qam", "one"});
  Command merge{.argv = {"git", "-c", "user.name=t", "-c", "user.email=t@localhost", "merge", "-q",
                         "feature"},
                .folder = bench.project()};
  merge.environment = bench.environment();
  REQUIRE(bench.processes.run(merge, bench.cancel).ok());  // reports a conflict
  bench.git({"add", "new.c"});
  const ProcessResult result = bench.review({kGathered, kNothing, kNothing, kVerdict}, {"-staged"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("- math.c: an unresolved conflict\n") != std::string::npos);
}

TEST_CASE("review: -resume keeps an earlier job's findings instead of asking again") {
  Review bench;
  const ProcessResult first =
      bench.review({kGathered, found("math.c", 6, "high", "divides by zero")});
  CHECK(first.exit_code == 4);  // standard input ended
  const std::string jobs = bench.run({"list"}).out;
  const std::string id = jobs.substr(0, jobs.find(' '));
  const ProcessResult second =
      bench.review({kNothing, kVerdict}, {"-branch", "feature", "-resume", id});
  CAPTURE(second.err);
  CHECK(second.exit_code == 0);
  CHECK(second.out.find("divides by zero") != std::string::npos);
  bench.folder.write("project/math.c", "other\n");
  bench.git({"commit", "-qam", "other"});
  const ProcessResult third = bench.review({}, {"-branch", "feature", "-resume", id});
  CHECK(third.exit_code == 2);
  CHECK(third.err.find("its input has changed") != std::string::npos);
}

TEST_CASE("review: flags that contradict each other, and changes that are not there, are exit 2") {
  Review bench;
  CHECK(bench.review({}, {"-branch", "x", "-staged"}).exit_code == 2);
  CHECK(bench.review({}, {"-post"}).exit_code == 2);
  CHECK(bench.review({}, {"-range", "--output=/tmp/x..y"}).exit_code == 2);
  CHECK(bench.review({}, {"-range", "main"}).exit_code == 2);
  CHECK(bench.review({}, {"-branch", "nowhere"}).exit_code == 2);
  CHECK(bench.review({}, {"-range", ".."}).err == "pedrocli: -range: expected A..B, got '..'\n");
  CHECK(
      bench.review({}, {"-branch", "main"}).err ==
      "pedrocli: -branch main: is the main branch, and there is no other to compare it with; give "
      "-range A...main\n");
  CHECK(bench.review({}, {}).err.find("there is nothing to review") != std::string::npos);
}

TEST_CASE(
    "review: -pr reads the change by gh, and -post gives it back a comment for each finding") {
  Review bench;
  bench.gh("echo \"$@\" >asked; cat >body; echo '{}'");
  const ProcessResult result =
      bench.review({kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict},
                   {"-pr", "12", "-post"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("# Review of #12: div\n"));
  CHECK(bench.folder.read("bin/asked").find("repos/{owner}/{repo}/pulls/12/reviews") !=
        std::string::npos);
  const auto body = parse_json(bench.folder.read("bin/body"));
  REQUIRE(body.ok());
  CHECK((*body)["comments"][0]["line"] == 6);
  CHECK((*body)["comments"][0]["side"] == "RIGHT");
  CHECK((*body)["commit_id"] == "c0ffee");
}

TEST_CASE("review: a secret that the model writes is in no comment, report or SARIF") {
  Review bench;
  bench.folder.write("project/.env", "KEY=correct-horse-battery\n");
  bench.gh("cat >body; echo '{}'");
  const std::vector<std::string> replies = {
      kGathered, found("math.c", 6, "high", "correct-horse-battery is the key"), kNothing,
      kVerdict};
  const ProcessResult result =
      bench.review(replies, {"-pr", "12", "-post", "-sarif", bench.folder.at("findings.sarif")});
  CAPTURE(result.err);
  for (const std::string& text :
       {result.out, bench.folder.read("bin/body"), bench.folder.read("findings.sarif")}) {
    CHECK(text.find("correct-horse") == std::string::npos);
    CHECK(text.find("[masked: KEY of .env] is the key") != std::string::npos);
  }
}

TEST_CASE("review: a refusal by gh leaves the report, the command to continue, and exit 2") {
  Review bench;
  bench.gh("echo 'HTTP 422: Unprocessable Entity' >&2; exit 1");
  const std::vector<std::string> replies = {
      kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict};
  const ProcessResult result = bench.review(replies, {"-pr", "12", "-post"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.out.find("- math.c:6: high correctness: divides by zero\n") != std::string::npos);
  CHECK(result.out.find(
            "\n"
            "## Not done\n"
            "\n"
            "- -post: gh api: HTTP 422: Unprocessable Entity\n"
            "  continue with: pedrocli 'review' '-backend' 'manual' '-pr' '12' '-post' -resume ") !=
        std::string::npos);
  const std::string job = bench.run({"list"}).out.substr(0, bench.run({"list"}).out.find(' '));
  CHECK(bench.folder.read("state/pedrocli/jobs/" + job + "/report.md") == result.out);
  bench.gh("echo \"$@\" >asked; cat >body; echo '{}'");
  const ProcessResult again = bench.review({}, {"-pr", "12", "-post", "-resume", job});
  CAPTURE(again.err);
  CHECK(again.exit_code == 0);
  CHECK(bench.folder.read("bin/body").find("divides by zero") != std::string::npos);
}

TEST_CASE("review: the command to go on with has its flag before the words") {
  Review bench;
  bench.gh("exit 1");
  const std::vector<std::string> replies = {
      kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict};
  const ProcessResult result = bench.review(replies, {"-pr", "12", "-post", "--"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  const std::string list = bench.run({"list"}).out;
  CHECK(result.out.find("  continue with: pedrocli 'review' '-backend' 'manual' '-pr' '12' '-post' "
                        "-resume " +
                        list.substr(0, list.find(' ')) + " '--'\n") != std::string::npos);
}

TEST_CASE("review: a job killed after posting does not post again") {
  Review bench;
  bench.gh("cat >/dev/null; echo x >>posted; kill -9 $PPID");
  const std::vector<std::string> replies = {
      kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict};
  REQUIRE(bench.review(replies, {"-pr", "12", "-post"}).exit_code == 137);
  REQUIRE(bench.folder.read("bin/posted") == "x\n");
  const ProcessResult again = bench.run({"resume"});
  CAPTURE(again.err);
  CHECK(again.exit_code == 2);
  CHECK(again.out.find("- -post: the job stopped during this step") != std::string::npos);
  CHECK(bench.folder.read("bin/posted") == "x\n");
}

TEST_CASE("review: findings that cannot be written as SARIF are in the report all the same") {
  Review bench;
  const std::vector<std::string> replies = {
      kGathered, found("math.c", 6, "high", "divides by zero"), kNothing, kVerdict};
  const ProcessResult result =
      bench.review(replies, {"-branch", "feature", "-sarif", "/proc/findings.sarif"});
  CAPTURE(result.err);
  CHECK(result.exit_code != 0);
  CHECK(result.out.find("divides by zero") != std::string::npos);
  CHECK(result.out.find("\n## Not done\n\n- -sarif: ") != std::string::npos);
}

TEST_CASE("review: a review without findings and verdict is posted with a sentence") {
  Review bench;
  bench.gh("cat >body; echo '{}'");
  std::vector<std::string> replies = {kGathered, kNothing, kNothing, "hm", "hm",
                                      "hm",      "hm",     "hm",     "hm"};
  const ProcessResult result = bench.review(replies, {"-pr", "12", "-post"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("verdict: none: the model did not finish the phase 'compile'\n") !=
        std::string::npos);
  const auto body = parse_json(bench.folder.read("bin/body"));
  REQUIRE(body.ok());
  CHECK(text_of(*body, "body") ==
        "No findings in this change.\n\nThere is no verdict: the model did not finish the phase "
        "'compile'.");
}

TEST_CASE("review: parts that another window cuts in another way are looked at again") {
  Review bench;
  std::string text;
  for (int i = 1; i <= 600; ++i)
    text += "int a_rather_long_name_of_number_" + std::to_string(i) + ";\n";
  bench.folder.write("project/many.c", text);
  bench.git({"add", "-A"});
  const ProcessResult first = bench.review({kGathered, kNothing, kNothing}, {"-staged"});
  CHECK(first.exit_code == 4);  // standard input ended
  const std::string jobs = bench.run({"list"}).out;
  const std::string id = jobs.substr(0, jobs.find(' '));
  bench.extra_environment["PEDROCLI_MODEL_CONTEXT_SIZE"] = "9000";
  std::vector<std::string> replies(40, kNothing);
  const ProcessResult second = bench.review(replies, {"-staged", "-resume", id});
  CAPTURE(second.exit_code);
  for (int i = 1; i <= 600; ++i) {
    const std::string line = "+ int a_rather_long_name_of_number_" + std::to_string(i) + ";\n";
    CHECK_MESSAGE(second.err.find(line) != std::string::npos, line);
  }
  CHECK(second.err.find("the phase 'security' and the later ones run again") != std::string::npos);
}

TEST_CASE("review: a project's phase about lines of the diff must run per part") {
  Review bench;
  const std::string path = "project/.pedro/prompts/review/2-security.md";
  for (const char* wrong :
       {"---\nevidence: diff_lines\noutput: review/findings.schema.json\n---\n{{finish}}\n",
        "---\noutput: review/findings.schema.json\n---\n{{part}}{{finish}}\n"}) {
    bench.folder.write(path, wrong);
    const ProcessResult result =
        bench.review({kGathered, found("math.c", 6, "high", "x"), kNothing, kVerdict});
    CHECK(result.exit_code == 3);
    CHECK_MESSAGE(
        result.err.find("review/2-security.md: " +
                        std::string(wrong[4] == 'e' ? "evidence: diff_lines" : "{{part}}") +
                        " is about one part: expected 'for_each: parts'\n") != std::string::npos,
        result.err);
  }
}

}  // namespace pedro
