// `pedrocli blog` end to end with replies from a list.
#include "base/json.h"
#include "cli/program.h"

namespace pedro {
namespace {

std::string done(const Json& args) {
  return to_line(Json{{"tool", "phase_complete"}, {"args", args}});
}

const std::string kBrief = done({{"topic", "bees"},
                                 {"audience", "gardeners"},
                                 {"angle", "what one hive did"},
                                 {"points", Json::array({"more fruit"})}});
const std::string kOutline =
    done({{"sections",
           Json::array({{{"heading", "One hive"}, {"points", Json::array({"what it did"})}},
                        {{"heading", "What it cost"}, {"points", Json::array({"little"})}}})}});
const std::string kTldr = done({{"tldr", Json::array({"A hive pays.", "Start small."})}});
const std::string kTitle = done({{"title", "A hive <b>pays</b>"},
                                 {"tags", Json::array({"bees"})},
                                 {"summary", "One hive doubled the harvest."}});
const std::string kSocial =
    done({{"x", "A hive pays."}, {"bluesky", "A hive pays."}, {"linkedin", "A hive pays."}});
const std::string kNoEdits = done({{"edits", Json::array()}});

std::string research(const std::string& quote) {
  return done({{"facts", Json::array({{{"fact", "The harvest doubled."}, {"quote", quote}}})}});
}

std::string section(const std::string& text) {
  return done({{"text", text}});
}

struct Blog : Program {
  ProcessResult blog(const std::vector<std::string>& replies, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"blog",
                                     "-backend",
                                     "manual",
                                     "-content",
                                     "The harvest doubled in\none year. See https://bees.example/a",
                                     "-out",
                                     "post"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  std::string file(const std::string& name) { return folder.read("project/post/" + name); }
};

}  // namespace

TEST_CASE("blog: notes become a post with its page, social texts, outline and versions") {
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, research("the harvest doubled in one year"), kOutline,
                  section("It \"doubled in one year\", as [they](https://bees.example/a) say."),
                  section("### A box\n\nLittle."), kTldr, kTitle, kSocial, kNoEdits});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::string post = bench.file("post.md");
  CHECK(post.starts_with("---\ntitle: \"A hive <b>pays</b>\"\ndate: "));
  CHECK(post.find("tags: [\"bees\"]\nsummary: \"One hive doubled the harvest.\"\n") !=
        std::string::npos);
  CHECK(post.find("**TL;DR**\n\n- A hive pays.\n- Start small.\n\n## One hive\n\nIt \"doubled") !=
        std::string::npos);
  CHECK(post.find("\n## What it cost\n\n### A box\n\nLittle.\n") != std::string::npos);
  CHECK(bench.file("post.html").find("<h1>A hive &lt;b&gt;pays&lt;/b&gt;</h1>") !=
        std::string::npos);
  CHECK(bench.file("post.html").find("<a href=\"https://bees.example/a\">they</a>") !=
        std::string::npos);
  CHECK(text_of(*parse_json(bench.file("social.json")), "x") == "A hive pays.");
  CHECK(bench.file("outline.md") ==
        "## One hive\n\n- what it did\n\n## What it cost\n\n- little\n");
  CHECK(std::filesystem::exists(bench.folder.at("project/post/versions/09-edit.md")));
  CHECK(result.out.find("- sections: 2\n") != std::string::npos);
}

TEST_CASE("blog: a quotation or a link that the material has not is refused") {
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, research("tripled"), research("doubled"), kOutline,
                  section("They said \"it was the best year ever\"."),
                  section("See [this](https://elsewhere.example)."), section("Fine."),
                  section("# No\n\nx"), section("Fine."), kTldr, kTitle, kSocial, kNoEdits});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("- \"tripled\" does not stand in it\n") != std::string::npos);
  CHECK(result.err.find("the quotation \"it was the best year ever\" stands nowhere") !=
        std::string::npos);
  CHECK(result.err.find("the link https://elsewhere.example stands nowhere") != std::string::npos);
  CHECK(result.err.find("the heading \"No\" has level 1, 3 is the highest") != std::string::npos);
}

TEST_CASE("blog: edits are made in the post, and one that cannot be made is refused") {
  Blog bench;
  const auto edit = [](const std::string& old_text, const std::string& new_text) {
    return done({{"edits", Json::array({{{"old", old_text}, {"new", new_text}}})}});
  };
  const ProcessResult result = bench.blog({
      kBrief,
      research("doubled"),
      kOutline,
      section("Rather good."),
      section("Fine."),
      kTldr,
      kTitle,
      kSocial,
      edit("nowhere", "x"),
      edit("Rather good", "Good"),
      edit("Fine", "Well"),
  });
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("`old` has to stand exactly once in the sections: \"nowhere\"") !=
        std::string::npos);
  CHECK(bench.file("post.md").find("## One hive\n\nGood.\n\n## What it cost\n\nWell.\n") !=
        std::string::npos);
}

TEST_CASE("blog: a text for X is counted as X counts") {
  Blog bench;
  std::string wide;
  for (int i = 0; i < 141; ++i) wide += "蜂";
  const std::string social = done({{"x", wide}, {"bluesky", "b"}, {"linkedin", "l"}});
  const ProcessResult result =
      bench.blog({kBrief, research("doubled"), kOutline, section("One."), section("Two."), kTldr,
                  kTitle, social, kSocial, kNoEdits});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("x: 282 characters, 280 are allowed") != std::string::npos);
}

TEST_CASE("blog: nothing runs in the page that a model wrote") {
  Blog bench;
  const ProcessResult result = bench.blog(
      {kBrief, research("doubled"), kOutline, section("<script>alert(1)</script>"),
       section("<b onclick=x>One.</b>"), section("One."), section("[x](javascript:alert(1))"),
       section("Two."), kTldr, kTitle, kSocial, kNoEdits});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("there is HTML, which is left out") != std::string::npos);
  CHECK(bench.file("post.html").find("<script") == std::string::npos);
}

TEST_CASE("blog: a limit leaves no post.md, and -resume goes on where it was") {
  Blog bench;
  const ProcessResult first =
      bench.blog({kBrief, research("doubled"), kOutline, section("One.")}, {"-max-rounds", "4"});
  CHECK(first.exit_code == 6);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/post/post.md")));
  const std::string line = bench.run({"list"}).out;
  const std::string id = line.substr(0, line.find(' '));
  const ProcessResult second =
      bench.blog({section("Two."), kTldr, kTitle, kSocial, kNoEdits}, {"-resume", id});
  CAPTURE(second.err);
  CHECK(second.exit_code == 0);
  CHECK(bench.file("post.md").find("## One hive\n\nOne.\n\n## What it cost\n\nTwo.\n") !=
        std::string::npos);
  CHECK(bench.blog({kBrief}).err.find("there is a post.md") != std::string::npos);
}

TEST_CASE("blog: -research reads files, folders and pages; -publish gets the post's path") {
  Blog bench;
  bench.folder.write("project/notes/a.txt", "Hives are warm.\n");
  bench.folder.write("project/notes/b.html", "<p>Hives &amp; hats</p><script>no()</script>");
  const ProcessResult result = bench.blog(
      {kBrief, research("doubled"), research("Hives are warm."), research("Hives & hats"), kOutline,
       section("One."), section("Two."), kTldr, kTitle, kSocial, kNoEdits},
      {"-research", "notes", "-publish", "echo published"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("published post/post.md") != std::string::npos);
  CHECK(bench.file("post.md").find("## Sources\n\n- notes/a.txt\n- notes/b.html\n") !=
        std::string::npos);
  CHECK(bench.blog({}, {"-research", "nowhere"}).exit_code == 2);
  CHECK(bench.blog({}, {"-research", "file:///etc/passwd"}).exit_code == 2);
  CHECK(bench.run({"blog", "-backend", "manual"}).exit_code == 2);
}

}  // namespace pedro
