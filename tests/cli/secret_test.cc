// Checks that secrets seen by a job never appear in its output or files.
#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {

TEST_CASE("secrets: a job shows and keeps their names, wherever it meets them") {
  Program bench;
  const std::string of_env = "correct-horse-battery";
  const std::string random = std::string("Zk3q9VbT7xLm2RwP8sYd4") + "Zk3q9VbT7xLm2RwP8sYd4";
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/conf/env.txt", "DB_KEY=" + of_env + "\n");
  bench.folder.write("project/notes.txt", "ask the service, token: " + random + "\n");
  std::filesystem::create_symlink("conf/env.txt", bench.project() + "/.env");
  bench.folder.write("project/.pedro/issues/3.md", "# Be good\n\nUse -token " + random + ".\n");
  bench.commit_project();
  const std::vector<std::string> replies = {
      call("file", {{"action", "read"}, {"path", ".env"}}),
      kAnalyzed,
      kPlanned,
      call("bash", {{"action", "run"}, {"command", "cat conf/env.txt notes.txt; exit 3"}}),
      kEdit,
      kDone,
      kDelivered};
  const ProcessResult result =
      bench.run({"build", "-issue", "3", "-backend", "manual", "-debug", "-test-cmd",
                 "cat notes.txt conf/env.txt; grep -q good a.txt"},
                typed(replies));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("DB_KEY=[masked: DB_KEY of .env]") != std::string::npos);
  CHECK(result.err.find("ask the service, token: [masked: a value named like a secret]") !=
        std::string::npos);
  CHECK(result.err.find("Use -token [masked: a value named like a secret]") != std::string::npos);
  std::map<std::string, std::string> told = {{"stdout", result.out}, {"stderr", result.err}};
  told.merge(bench.files_below("state"));
  CHECK(told.size() > 4);
  for (const auto& [name, text] : told) {
    CAPTURE(name);
    CHECK(text.find(of_env) == std::string::npos);
    CHECK(text.find(random) == std::string::npos);
  }
}

TEST_CASE("secrets: read-only agents store none of the secrets in their input") {
  const std::string secret = std::string("ghp") + "_0123456789abcdefghijABCDEFGHIJ123456";
  struct Row {
    const char* name;
    std::vector<std::string> args;
  };
  for (const Row& row : {Row{"triage", {"triage", "-description", "It says " + secret}},
                         Row{"blog",
                             {"blog", "-content", "I use " + secret, "-title", "Of " + secret,
                              "-prompt", "Say " + secret, "-research", "notes.txt"}},
                         Row{"review", {"review", "-branch", "feature"}}}) {
    CAPTURE(row.name);
    Program bench;
    bench.folder.write("project/notes.txt", "nothing\n");
    bench.commit_project();
    bench.git({"checkout", "-q", "-b", "feature"});
    const std::string key = "MIIBVAIBADANBgkqhkiG9w0BAQEFAASCAT4wggE6AgEAAkEAq7BFUpkGp3fLQmlQ";
    bench.folder.write("project/notes.txt", "the key is " + secret + "\n-----BEGIN PRIVATE KEY" +
                                                "-----\n" + key + "\n-----END PRIVATE KEY-----\n");
    bench.git({"commit", "-qam", "With " + secret});
    std::vector<std::string> args = row.args;
    args.insert(args.end(), {"-backend", "manual", "-debug", "-max-rounds", "2"});
    const ProcessResult result = bench.run(args, typed({"hm", "hm"}));
    CAPTURE(result.err);
    CHECK(result.exit_code == 6);
    CHECK(result.err.find("[masked: GitHub token]") != std::string::npos);
    CHECK((result.out + result.err).find(secret) == std::string::npos);
    CHECK((result.out + result.err).find(key) == std::string::npos);
    auto files = bench.files_below("state");
    files.merge(bench.files_below("project/blog"));
    CHECK(files.size() > 2);
    for (const auto& [name, text] : files) {
      CAPTURE(name);
      CHECK(text.find(secret) == std::string::npos);
      CHECK(text.find(key) == std::string::npos);
    }
  }
}

TEST_CASE("secrets: hides files in folders, keys from their middle and commands' output") {
  Program bench;
  const std::string line = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SupV8SIPOoDMtO2ArHkrUW7ZVxlqKzDXU";
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/.gitignore", ".env\n*.pem\n");
  bench.folder.write("project/services/api/.env", "KEY=nested-value-1\n");
  bench.folder.write("project/certs/server.pem", std::string("-----BEGIN PRIVATE ") +
                                                     "KEY-----\nMIIE\n" + line + "\n" + line +
                                                     "\nZw==\n-----END PRIVATE KEY-----\n");
  bench.folder.write("project/large.env", std::string(2u << 20, '#') + "\n");
  bench.commit_project();
  const std::vector<std::string> replies = {
      call("file", {{"action", "read"}, {"path", "services/api/.env"}}),
      call("file", {{"action", "read"}, {"path", "certs/server.pem"}, {"start_line", 3}}),
      kAnalyzed,
      kPlanned,
      call("bash", {{"action", "run"},
                    {"command",
                     "printf 'K=%s\\n' written-va''lue-2 > .env; cat .env; "
                     "tail -n 3 certs/server.pem; base64 -w0 services/api/.env"}}),
      kEdit,
      kDone,
      kDelivered};
  const ProcessResult result = bench.run({"build", "-description", "Be good", "-backend", "manual",
                                          "-debug", "-test-cmd", "grep -q good a.txt"},
                                         typed(replies));
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(
      result.err.find(
          "warning: large.env has 2097153 bytes: the text after the first 1048576 is not masked") !=
      std::string::npos);
  CHECK(result.err.find("KEY=[masked: KEY of services/api/.env]") != std::string::npos);
  CHECK(result.err.find("K=[masked: K of .env]") != std::string::npos);
  CHECK(result.err.find("[masked: KEY of services/api/.env in base64]") != std::string::npos);
  std::map<std::string, std::string> told = {{"stdout", result.out}, {"stderr", result.err}};
  told.merge(bench.files_below("state"));
  for (const auto& [name, text] : told) {
    CAPTURE(name);
    CHECK(text.find("nested-value-1") == std::string::npos);
    CHECK(text.find("written-value-2") == std::string::npos);
    CHECK(text.find(line) == std::string::npos);
  }
}

TEST_CASE("secrets: secrets in the model's text do not leave the job") {
  const std::string secret = "correct-horse-battery";
  for (const bool as_json : {false, true}) {
    CAPTURE(as_json);
    Program bench;
    bench.folder.write("project/a.txt", "bad\n");
    bench.folder.write("project/.gitignore", ".env\n");
    bench.folder.write("project/.env", "KEY=" + secret + "\n");
    bench.commit_project();
    const Json subject = {{"subject", "Use " + secret}, {"body", "It is " + secret + "."}};
    const std::vector<std::string> replies = {
        call("phase_complete", {{"summary", "It is " + secret}, {"files", {"a.txt"}}}),
        kPlanned,
        call("bash", {{"action", "run"}, {"command", "true " + secret}}),
        call("file", {{"action", "read"}, {"path", secret}}),
        "no call, but " + secret,
        kEdit,
        kDone,
        to_line({{"tool", "phase_complete"}, {"args", subject}})};
    std::vector<std::string> args = {"build",         "-description",
                                     "Be good",       "-backend",
                                     "manual",        "-debug",
                                     "-test-cmd",     "grep -q good a.txt",
                                     "-metrics-file", bench.folder.at("metrics.prom")};
    if (as_json) args.push_back("-json");
    const ProcessResult result = bench.run(args, typed(replies));
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const std::string log = bench.git({"log", "--all", "--format=%B%D"});
    CHECK(log.find("Use [masked: KEY of .env]") != std::string::npos);
    const std::string page = bench.folder.at("job.html");
    CHECK(bench.run({"report", "-o", page}).exit_code == 0);
    std::map<std::string, std::string> told = {{"stdout", result.out},
                                               {"stderr", result.err},
                                               {"commits", log},
                                               {"page", bench.folder.read("job.html")},
                                               {"metrics", bench.folder.read("metrics.prom")},
                                               {"logs", bench.run({"logs"}).out},
                                               {"list", bench.run({"list"}).out}};
    told.merge(bench.files_below("state"));
    for (const auto& [name, text] : told) {
      CAPTURE(name);
      if (name.ends_with("answers.log")) continue;  // contains unmasked replies, for resuming
      CHECK(text.find(secret) == std::string::npos);
    }
  }
}

}  // namespace pedro
