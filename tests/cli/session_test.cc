// Replays recorded sessions of the agents. The model's replies are recorded, everything else is
// real. tests/data/sessions/README.md describes the sessions and how to record them again.
#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

const std::string kSessions = std::string(TEST_DATA) + "/sessions/";
const char* const kRecord = std::getenv("PEDROCLI_RECORD");

/// The outputs of a run, by their names below `expected`.
using Outputs = std::map<std::string, std::string>;

struct Session : Program {
  explicit Session(std::string session) : name(std::move(session)) {
    // Make sets these variables for its children. The recorded session ran without make.
    for (const char* variable : {"MAKELEVEL", "MAKEFLAGS", "MFLAGS"}) unsetenv(variable);
    const auto all = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
    fs::copy(kSessions + "bookings", project(), all);
    if (name == "cover") {
      fs::create_directories(folder.at("project/.pedro/agents"));
      fs::copy(kSessions + "cover/agent", folder.at("project/.pedro/agents/cover"), all);
    }
    commit_project();
    if (name == "review") {
      git({"checkout", "-q", "-b", "one-room"});
      git({"apply", kSessions + "review/change.diff"});
      git({"commit", "-qam", "bookings: look at one room"});
    }
    for (const char* given : {"triage/plan.log", "blog/notes.md"}) {
      fs::copy(kSessions + given, folder.at(given + std::string(given).find('/') + 1));
    }
    before = all_files();
  }

  /// Replays the recorded answers. In recording mode, types them again and records a new session.
  ProcessResult play(std::vector<std::string> args) {
    const std::string recording = kSessions + name + "/session.jsonl";
    if (kRecord == nullptr) {
      args.insert(args.end(), {"-replay", recording});
      return run(args);
    }
    const std::vector<std::string> answers = answers_of(recording);
    fs::remove(recording);
    args.insert(args.end(), {"-backend", "manual", "-record", recording});
    return run(args, typed(answers));
  }

  /// The texts of the assistant, in order.
  static std::vector<std::string> answers_of(const std::string& recording) {
    const auto text = RealFileSystem().read(recording, 1 << 20);
    REQUIRE(text.ok());
    std::vector<std::string> answers;
    for (const std::string_view line : split_lines(*text)) {
      const auto json = parse_json(line);
      REQUIRE(json.ok());
      if (json->contains("reply")) answers.push_back(text_of((*json)["reply"], "text"));
    }
    return answers;
  }

  /// Returns a file of the only job.
  std::string of_job(const std::string& file) const {
    for (const auto& job : fs::directory_iterator(folder.at("state/pedrocli/jobs"))) {
      if (fs::is_directory(job))
        return folder.read(job.path().string().substr(folder.path().size() + 1) + "/" + file);
    }
    return "(no job)";
  }

  /// The newest commit: its message and diff.
  std::string commit() {
    return git({"show", "--format=%B", "--no-ext-diff", "--no-color", job_branch()});
  }

  /// Replaces values that differ between runs.
  std::string without_chance(std::string text) const {
    text = replace_all(text, folder.path(), "SCRATCH");
    for (const char* line : {"- commit: ", "- patch: "}) {
      const std::size_t at = text.find(line);
      if (at == std::string::npos) continue;
      const std::size_t value = at + std::string_view(line).size();
      text.replace(value, text.find('\n', value) - value, "...");
    }
    return text;
  }

  void check(const Outputs& outputs) const {
    const std::string expected = kSessions + name + "/expected/";
    if (kRecord != nullptr) {
      fs::remove_all(expected);
      fs::create_directories(expected);
    }
    for (const auto& [file, written] : outputs) {
      CAPTURE(file);
      const std::string text = without_chance(written);
      if (kRecord != nullptr) {
        REQUIRE(RealFileSystem().write_atomic(expected + file, text, 0644).ok());
      }
      const auto wanted = RealFileSystem().read(expected + file, 1 << 20);
      REQUIRE(wanted.ok());
      CHECK(text == *wanted);
    }
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(expected)) ++files;
    CHECK(files == outputs.size());
  }

  std::string name;
  std::map<std::string, std::string> before;
};

}  // namespace

TEST_CASE("session: debug reproduces a fault by a test, fixes both its places and commits") {
  Session session("debug");
  const ProcessResult result = session.play(
      {"debug", "-symptoms",
       "A clash is not reported: with 'blue 9:30 11:00' and 'blue 10:00 10:30' nothing is printed "
       "and the exit code is 0. With 09:30 it works."});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  session.check({{"report.md", result.out}, {"commit.diff", session.commit()}});
  CHECK(session.git({"status", "--porcelain"}).empty());
  CHECK(session.git({"rev-list", "--count", "main.." + session.job_branch()}) == "1\n");
}

TEST_CASE("session: review finds a branch's problems, and changes no byte") {
  Session session("review");
  const std::string sarif = session.folder.at("findings.sarif");
  const ProcessResult result = session.play({"review", "-branch", "one-room", "-sarif", sarif});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  auto log = parse_json(session.folder.read("findings.sarif"));
  REQUIRE(log.ok());
  (*log)["runs"][0]["tool"]["driver"]["version"] = "...";
  session.check({{"report.md", result.out},
                 {"findings.json", session.of_job("result.json")},
                 {"findings.sarif", to_pretty(*log) + "\n"}});
  CHECK(session.all_files() == session.before);
}

TEST_CASE("session: triage leads from a report to two lines, and changes no byte") {
  Session session("triage");
  const ProcessResult result = session.play({"triage", "-description",
                                             "The plan of the new building has clashes that "
                                             "bookings does not report. The meeting room on "
                                             "the second floor is booked three times at the same "
                                             "time; only the clash in the blue room is "
                                             "printed, see the log.",
                                             "-error-logs", "../plan.log"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  session.check({{"report.md", result.out}, {"triage.json", session.of_job("result.json")}});
  CHECK(session.all_files() == session.before);
}

TEST_CASE("session: an agent of the project adds a test to it, on a branch") {
  Session session("cover");
  const ProcessResult result = session.play({"run", "cover", "what the README says of times"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  session.check({{"report.md", result.out}, {"commit.diff", session.commit()}});
  CHECK(session.git({"status", "--porcelain"}).empty());
}

TEST_CASE("session: blog writes a post from notes, and nothing outside its folder") {
  Session session("blog");
  const ProcessResult result = session.play(
      {"blog", "-file", "../notes.md", "-research", "README.md", "-words", "400", "-out", "post"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const auto file = [&](const std::string& path) {
    return session.folder.read("project/post/" + path);
  };
  const std::string post = file("post.md");
  const std::size_t at = post.find("\ndate: ");
  REQUIRE(at != std::string::npos);
  const std::string date = post.substr(at + 7, 10);
  session.check({{"report.md", result.out},
                 {"post.md", replace_all(post, date, "DATE")},
                 {"post.html", replace_all(file("post.html"), date, "DATE")},
                 {"social.json", file("social.json")},
                 {"outline.md", file("outline.md")}});
  auto after = session.all_files();
  std::vector<std::string> versions;
  for (const auto& [path, text] : after) {
    if (path.starts_with("post/versions/")) versions.push_back(path.substr(14));
  }
  CHECK(join(versions, " ") ==
        "03-research.md 04-outline.md 05-sections.md 06-tldr.md 07-headline.md "
        "08-social.md");
  std::erase_if(after, [](const auto& entry) { return entry.first.starts_with("post/"); });
  CHECK(after == session.before);
}

}  // namespace pedro
