// Tests `pedrocli blog` end to end with prepared replies.
#include <chrono>

#include "base/json.h"
#include "base/text.h"
#include "cli/program.h"
#include "support/loopback_server.h"

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
           Json::array({{{"heading", "One hive"}, {"notes", Json::array({1})}},
                        {{"heading", "What it cost"}, {"notes", Json::array({2, 3, 4})}}})}});
const std::string kTldr =
    done({{"tldr", Json::array({"One hive doubled the harvest.", "It cost little."})}});
const std::string kTitle = done({{"title", "A hive <b>pays</b>"},
                                 {"tags", Json::array({"bees"})},
                                 {"summary", "One hive doubled the harvest."}});
const std::string kSocial =
    done({{"x", "A hive pays."}, {"bluesky", "A hive pays."}, {"linkedin", "A hive pays."}});

std::string research(int note = 1) {
  return done({{"notes", Json::array({note})}});
}

std::string section(const std::string& text, const std::string& heading = "One hive",
                    int last_note = 1) {
  Json notes = Json::array();
  for (int note = 1; note <= last_note; ++note) notes.push_back({{"note", note}, {"text", text}});
  return done({{"notes", std::move(notes)}, {"heading", heading}});
}

const std::string kMore = section("More.", "One hive", 3);

// Two notes.
const std::string kContent =
    "The harvest doubled in\none year. See https://bees.example/a\n\nIt cost little.";

struct Blog : Program {
  ProcessResult blog(const std::vector<std::string>& replies, std::vector<std::string> more = {},
                     const std::string& out = "post") {
    std::vector<std::string> args = {"blog",   "-backend", "manual", "-content",
                                     kContent, "-out",     out};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, typed(replies));
  }
  std::string file(const std::string& name) { return folder.read("project/post/" + name); }
};

}  // namespace

TEST_CASE("blog: notes become a post with its page, social texts, outline and versions") {
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, kOutline,
                  section("It \"doubled in one year\", as [they](https://bees.example/a) say."),
                  section("### A box\n\nLittle.", "What it cost"), kTldr, kTitle, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::string post = bench.file("post.md");
  CHECK(post.starts_with("---\ntitle: \"A hive <b>pays</b>\"\ndate: "));
  CHECK(post.find("tags: [\"bees\"]\nsummary: \"One hive doubled the harvest.\"\n") !=
        std::string::npos);
  CHECK(post.find("**TL;DR**\n\n- One hive doubled the harvest.\n- It cost little.\n\n## One "
                  "hive\n\nIt \"doubled") != std::string::npos);
  CHECK(post.find("\n## What it cost\n\n### A box\n\nLittle.\n") != std::string::npos);
  CHECK(bench.file("post.html").find("<h1>A hive &lt;b&gt;pays&lt;/b&gt;</h1>") !=
        std::string::npos);
  CHECK(bench.file("post.html").find("<a href=\"https://bees.example/a\">they</a>") !=
        std::string::npos);
  CHECK(text_of(*parse_json(bench.file("social.json")), "x") == "A hive pays.");
  CHECK(bench.file("outline.md") ==
        "## One hive\n\n- The harvest doubled in one year. See https://bees.example/a\n\n"
        "## What it cost\n\n- It cost little.\n");
  CHECK(std::filesystem::exists(bench.folder.at("project/post/versions/08-social.md")));
  CHECK(result.out.find("- sections: 2\n") != std::string::npos);
}

TEST_CASE("blog: a quotation or a link that the material has not is refused") {
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, kOutline, section("They said \"it was the best year ever\"."),
                  section("See [this](https://elsewhere.example)."), section("Fine."),
                  section("# No\n\nx"), section("Fine."), kTldr, kTitle, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("the quotation \"it was the best year ever\" is not") != std::string::npos);
  CHECK(result.err.find("the link https://elsewhere.example is not") != std::string::npos);
  CHECK(result.err.find("the heading \"No\" has level 1, 3 is the highest") != std::string::npos);
}

TEST_CASE(
    "blog: addresses in text and claims in social texts are checked against the material too") {
  Blog bench;
  const auto social = [](const std::string& x) {
    return done({{"x", x}, {"bluesky", "A hive pays."}, {"linkedin", "A hive pays."}});
  };
  const ProcessResult result =
      bench.blog({kBrief, kOutline, section("See https://evil.example/x for more."),
                  section("See https://p.example and https://bees.example/a."), kMore, kTldr,
                  kTitle, social("They said \"it was the best year ever\""),
                  social("Read https://evil.example/y"), social("Read https://p.example")},
                 {"-prompt", "Announce https://p.example"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  for (const char* refused : {"the link https://evil.example/x is not",
                              "x: the quotation \"it was the best year ever\" is not",
                              "x: the link https://evil.example/y is not"}) {
    CHECK_MESSAGE(result.err.find(refused) != std::string::npos, refused);
  }
  CHECK(bench.file("social.json").find("Read https://p.example") != std::string::npos);
}

// Each section is valid alone, but together they form a link.
const std::vector<std::string> kLinkOfTwo = {
    kBrief, kOutline, section("See [it][r]."), section("More.\n\n[r]: https://evil.example"), kTldr,
    kTitle, kSocial};
const std::string kProblem = "the link https://evil.example is not in the material";

TEST_CASE("blog: remaining problems are reported, with exit code 5") {
  Blog bench;
  const ProcessResult result = bench.blog(kLinkOfTwo, {"-json"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  const std::vector<std::string_view> lines = split_lines(result.out);
  const auto last = parse_json(lines.back());
  REQUIRE(last.ok());
  const Json& found = member(*last, "result");
  CHECK(text_of(found, "post").ends_with("/project/post/post.md"));
  CHECK(number_of(found, "sections") == 2);
  CHECK(member(found, "problems") == Json::array({kProblem}));
}

TEST_CASE("blog: a note that its section does not say is written alone, or taken as it is") {
  const std::string wrong = done({{"text", "Frames cost 60 EUR."}});
  struct Row {
    const char* name;
    std::vector<std::string> edits;
    const char* expected;
  };
  for (const Row& row : {
           Row{"at once",
               {done({{"text", "Nine frames cost 54 EUR."}})},
               "Nine frames cost 54 EUR."},
           Row{"never", {wrong, wrong, wrong}, "9 frames for 54 EUR."},
       }) {
    CAPTURE(row.name);
    Blog bench;
    const std::string short_of_it =
        done({{"notes", Json::array({{{"note", 1}, {"text", "A frame is not cheap."}},
                                     {{"note", 2}, {"text", "There was also a smoker."}}})},
              {"heading", "What it cost"}});
    const std::string tldr =
        done({{"tldr", Json::array({"We got 14 kg of honey.", "There was also a smoker."})}});
    std::vector<std::string> replies = {kBrief,      kOutline,    section("We got 14 kg of honey."),
                                        short_of_it, short_of_it, tldr,
                                        kTitle,      kSocial};
    replies.insert(replies.end(), row.edits.begin(), row.edits.end());
    const ProcessResult result =
        bench.run({"blog", "-backend", "manual", "-content",
                   "- 14 kg of honey\n- 9 frames for 54 EUR\n- also a smoker", "-out", "post"},
                  typed(replies));
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const bool is_refused = result.err.find("\n- the number 54 is missing\n") != std::string::npos;
    CHECK(is_refused == (row.edits.size() > 1));
    CHECK(result.err.find("\n- note 1: the number 54 is missing\n") != std::string::npos);
    CHECK(bench.file("post.md").find("There was also a smoker.") != std::string::npos);
    CHECK(result.err.find("# Phase 8: edit") != std::string::npos);
    CHECK(bench.file("post.md").find(row.expected) != std::string::npos);
    CHECK(bench.file("post.md").find("cheap") == std::string::npos);
    CHECK(bench.file("post.md").find("60 EUR") == std::string::npos);
  }
}

TEST_CASE(
    "blog: a number that the notes do not have is named twice, then its sentence is left out") {
  Blog bench;
  const std::string invented = section("It took 77 days. Fine.");
  const std::string tldr = done({{"tldr", Json::array({"A hive pays.", "It took 77 days."})}});
  const ProcessResult result = bench.blog(
      {kBrief, kOutline, invented, invented, invented, kMore, tldr, tldr, tldr, kTitle, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("`phase_complete` was not accepted:\n"
                        "- the number 77 is not in the material\n") != std::string::npos);
  CHECK(result.err.find("This is still wrong:\n- the number 77 is not in the material\n") !=
        std::string::npos);
  CHECK(bench.file("post.md").find("77") == std::string::npos);
  CHECK(bench.file("post.md").find("## One hive\n\nFine.\n") != std::string::npos);
}

TEST_CASE("blog: a point of one word is no summary") {
  Blog bench;
  const std::string tldr = done({{"tldr", Json::array({"A hive pays.", "stg", "Start small."})}});
  const ProcessResult result =
      bench.blog({kBrief, kOutline, section("One."), kMore, tldr, kTitle, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.file("post.md").find("- A hive pays.\n- Start small.\n") != std::string::npos);
}

TEST_CASE("blog: the task is a title, a prompt or standard input, in a folder of its name") {
  struct Row {
    std::vector<std::string> args;
    std::string notes;
    const char* folder;
    const char* title;
  };
  const std::vector<std::string> replies = {kBrief, kOutline, section("One."), kMore,
                                            kTldr,  kTitle,   kSocial};
  for (const Row& row :
       {Row{{"-title", "Bees at work"}, "", "bees-at-work", "Bees at work"},
        Row{{"-prompt", "Write of bees"}, "", "write-of-bees", "A hive <b>pays</b>"},
        Row{{"-file", "thoughts.md"},
            "# My bees\n\nThe harvest doubled.\n\nIt cost little.\n",
            "my-bees",
            "A hive <b>pays</b>"}}) {
    CAPTURE(row.folder);
    Blog bench;
    bench.folder.write("project/thoughts.md", row.notes);
    std::vector<std::string> args = {"blog", "-backend", "manual", "-words", "300"};
    args.insert(args.end(), row.args.begin(), row.args.end());
    const ProcessResult result = bench.run(args, typed(replies));
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const std::string post =
        bench.folder.read("project/blog/" + std::string(row.folder) + "/post.md");
    CHECK(post.starts_with("---\ntitle: \"" + std::string(row.title) + "\"\n"));
    const char* words = row.notes.empty() ? "at most 150 words" : "at most 40 words";
    CHECK(result.err.find(words) != std::string::npos);
    CHECK(bench.run(args).err.find("post.md already exists; give another folder") !=
          std::string::npos);
  }
  Blog bench;
  CHECK(bench.run({"blog", "-backend", "manual", "-title", "x", "-words", "99"}).exit_code == 2);
  CHECK(bench.run({"blog", "-backend", "manual", "-content", "x", "-"}).exit_code == 2);
  const std::string recording = bench.folder.at("session.jsonl");
  REQUIRE(bench.blog(replies, {"-record", recording}).exit_code == 0);
  const ProcessResult again =
      bench.run({"blog", "-", "-replay", recording, "-out", "again"}, kContent);
  CAPTURE(again.err);
  CHECK(again.exit_code == 0);
  CHECK(bench.folder.read("project/again/post.md") == bench.file("post.md"));
}

TEST_CASE("blog: existing files in the folder are not overwritten") {
  for (const char* name : {"post.html", "social.json", "outline.md"}) {
    CAPTURE(name);
    Blog bench;
    bench.folder.write("project/" + std::string(name), "mine");
    const ProcessResult result = bench.blog({}, {}, ".");
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(std::string(name) + " already exists; give another") !=
          std::string::npos);
    CHECK(bench.folder.read("project/" + std::string(name)) == "mine");
  }
}

TEST_CASE("blog: a file that is called notes is a source like another") {
  Blog bench;
  bench.folder.write("project/notes", "Hives are warm.\n");
  const ProcessResult result =
      bench.blog({kBrief, research(), kOutline, section("One."), kMore, kTldr, kTitle, kSocial},
                 {"-research", "notes"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.file("post.md").find("## Sources\n\n- [notes](<../notes>)\n") != std::string::npos);
}

TEST_CASE("blog: a text for X is counted as X counts") {
  Blog bench;
  std::string wide;
  for (int i = 0; i < 141; ++i) wide += "蜂";
  const std::string social = done({{"x", wide}, {"bluesky", "b"}, {"linkedin", "l"}});
  const ProcessResult result =
      bench.blog({kBrief, kOutline, section("One."), kMore, kTldr, kTitle, social, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("x: 282 characters, 280 are allowed") != std::string::npos);
}

TEST_CASE("blog: nothing runs in the page that a model wrote") {
  Blog bench;
  const ProcessResult result = bench.blog(
      {kBrief, kOutline, section("<script>alert(1)</script>"), section("<b onclick=x>One.</b>"),
       section("One."), section("[x](javascript:alert(1))"), kMore, kTldr, kTitle, kSocial});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("it contains HTML, which is omitted") != std::string::npos);
  CHECK(bench.file("post.html").find("<script") == std::string::npos);
}

TEST_CASE("blog: a limit leaves no post.md, and -resume continues") {
  Blog bench;
  const ProcessResult first = bench.blog({kBrief, kOutline, section("One.")}, {"-max-rounds", "3"});
  CHECK(first.exit_code == 6);
  CHECK_FALSE(std::filesystem::exists(bench.folder.at("project/post/post.md")));
  const std::string line = bench.run({"list"}).out;
  const std::string id = line.substr(0, line.find(' '));
  const ProcessResult second = bench.blog({kMore, kTldr, kTitle, kSocial}, {"-resume", id});
  CAPTURE(second.err);
  CHECK(second.exit_code == 0);
  CHECK(bench.file("post.md").find("## One hive\n\nOne.\n\n## What it cost\n\nMore.\n") !=
        std::string::npos);
  CHECK(bench.blog({kBrief}).err.find("post.md already exists") != std::string::npos);
}

TEST_CASE("blog: notes are kept in the job, and are not read anew by resume") {
  Blog bench;
  const std::vector<std::string> replies = {kBrief, kOutline, section("One."), kMore,
                                            kTldr,  kTitle,   kSocial};
  const std::string recording = bench.folder.at("session.jsonl");
  REQUIRE(bench.blog(replies, {"-record", recording}).exit_code == 0);
  const std::string notes = kContent;
  bench.folder.write("project/notes.md", notes);
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{"-"}, {"-file", "notes.md"}}) {
    const std::string out = "out" + std::to_string(given.size());
    std::vector<std::string> args = {"blog", "-replay", recording, "-max-rounds", "3", "-out", out};
    args.insert(args.end(), given.begin(), given.end());
    const ProcessResult first = bench.run(args, notes);
    CAPTURE(first.err);
    CHECK(first.exit_code == 6);
    bench.folder.write("project/notes.md", "something else\n");
    const ProcessResult last = bench.run({"resume", "-max-rounds", "20"}, "something else\n");
    CAPTURE(last.err);
    CHECK(last.exit_code == 0);
    CHECK(bench.folder.read("project/" + out + "/post.md").find("One.\n") != std::string::npos);
    bench.folder.write("project/notes.md", notes);
  }
}

TEST_CASE("blog: -research reads files, folders and pages; -publish gets the post's path") {
  Blog bench;
  bench.folder.write("project/notes/a.txt", "Hives are warm.\n");
  bench.folder.write("project/notes/b.html", "<p>Hives &amp; hats</p><script>no()</script>");
  const ProcessResult result = bench.blog(
      {kBrief, research(), research(), kOutline, section("One."), kMore, kTldr, kTitle, kSocial},
      {"-research", "notes", "-publish", "echo published"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const std::string path = std::filesystem::canonical(bench.project()).string() + "/post/post.md";
  CHECK(result.err.find("published " + path) != std::string::npos);
  CHECK(bench.file("post.md").find("## Sources\n\n- [notes/a.txt](<../notes/a.txt>)\n"
                                   "- [notes/b.html](<../notes/b.html>)\n") != std::string::npos);
  CHECK(bench.blog({}, {"-research", "nowhere"}).exit_code == 2);
  CHECK(bench.blog({}, {"-research", "file:///etc/passwd"}).exit_code == 2);
  CHECK(bench.run({"blog", "-backend", "manual"}).exit_code == 2);
}

TEST_CASE("blog: -research takes the text of an address, and the post links to it") {
  LoopbackServer server({{.headers = {"Content-Type: text/html; charset=utf-8"},
                          .body = "<title>T</title><p>Hives &amp; hats</p><script>no()</script>"}});
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, research(), kOutline, section("One."), kMore, kTldr, kTitle, kSocial},
                 {"-research", server.url("/bees?x=1")});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("no()") == std::string::npos);
  CHECK(bench.file("post.md").find("## Sources\n\n- <" + server.url("/bees?x=1") + ">\n") !=
        std::string::npos);
  REQUIRE(server.requests().size() == 1);
  CHECK(server.requests()[0].method == "GET");
}

TEST_CASE("blog: -research refuses anything but text from an http(s) address, exit 2") {
  Blog bench;
  const std::string secret = bench.folder.write("secret", "the password\n");
  struct Row {
    const char* name;
    LoopbackReply reply;
    const char* expected;
  };
  const std::vector<Row> rows = {
      {"a redirect to a file",
       {.status = 302, .headers = {"Location: file://" + secret}},
       "HTTP 302; redirects are not followed"},
      {"a redirect to another address",
       {.status = 301, .headers = {"Location: /elsewhere"}},
       "HTTP 301; redirects are not followed"},
      {"nothing there", {.status = 404, .body = "gone"}, "HTTP 404"},
      {"no text",
       {.headers = {"Content-Type: image/png"}, .body = "PNG"},
       "expected text, got image/png"},
      {"no text, whatever is said of it",
       {.headers = {"Content-Type: text/plain"}, .body = "\xFF\xFE"},
       "is not text in utf-8"},
      {"a character set that is not read",
       {.headers = {"Content-Type: text/plain; charset=KOI8-R"}, .body = "x"},
       "is not text in koi8-r; expected utf-8, iso-8859-1 or windows-1252"},
      {"a page without text",
       {.headers = {"Content-Type: text/html"}, .body = "<script>x</script>"},
       "contains no text"},
      {"more than 2 MiB",
       {.headers = {"Content-Type: text/plain"}, .body = std::string((2u << 20) + 1, 'x')},
       "exceeds the limit of 2097152 bytes"},
      {"more than 2 MiB that no header announces",
       {.chunks = {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
                   std::string(1u << 16, 'x')},
        .after = AfterReply::kRepeat},
       "exceeds the limit of 2097152 bytes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    LoopbackServer server({row.reply});
    const ProcessResult result = bench.blog({}, {"-research", server.url("/page")});
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find(row.expected) != std::string::npos, result.err);
    CHECK(result.err.find("the password") == std::string::npos);
    CHECK(server.requests().size() == 1);
  }
  for (const std::string& address : std::vector<std::string>{
           "file://" + secret, "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "http://"}) {
    CAPTURE(address);
    CHECK(bench.blog({}, {"-research", address}).exit_code == 2);
  }
}

TEST_CASE("blog: -research reads pages in windows-1252, and JSON and XML as text") {
  struct Row {
    const char* name;
    LoopbackReply reply;
    const char* expected;
  };
  const std::vector<Row> rows = {
      {"said by a header",
       {.headers = {"Content-Type: text/plain; charset=ISO-8859-1"}, .body = "caf\xE9 \x80"},
       "café €"},
      {"said by the page",
       {.headers = {"Content-Type: text/html"},
        .body = "<meta charset=\"windows-1252\"><p>caf\xE9</p>"},
       "café"},
      {"JSON",
       {.headers = {"Content-Type: application/json"}, .body = R"({"hats": 2})"},
       R"({"hats": 2})"},
      {"XML",
       {.headers = {"Content-Type: application/atom+xml; charset=utf-8"}, .body = "<a>hats</a>"},
       "<a>hats</a>"}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    LoopbackServer server({row.reply});
    Blog bench;
    const ProcessResult shown = bench.blog({kBrief}, {"-research", server.url("/")});
    CHECK_MESSAGE(shown.err.find(row.expected) != std::string::npos, shown.err);
  }
}

TEST_CASE("blog: credentials in an address appear in no prompt and no post") {
  LoopbackServer server({{.headers = {"Content-Type: text/plain"}, .body = "Hives are warm."}});
  Blog bench;
  const std::string address = server.url("/bees?token=t0k3n");
  const ProcessResult result = bench.blog(
      {kBrief, research(), kOutline, section("One."), kMore, kTldr, kTitle, kSocial},
      {"-research", "http://user:s3cret@" + address.substr(std::string_view("http://").size())});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(bench.file("post.md").find("- <" + server.url("/bees") + ">\n") != std::string::npos);
  for (const std::string& text : {result.err, result.out, bench.file("post.md")}) {
    CHECK(text.find("s3cret") == std::string::npos);
    CHECK(text.find("t0k3n") == std::string::npos);
  }
}

TEST_CASE("blog: an unreachable address is not mistaken for the model's") {
  Blog bench;
  const ProcessResult result = bench.blog({}, {"-research", "http://127.0.0.1:1/x"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("-research: http://127.0.0.1:1/x: connection refused\n") !=
        std::string::npos);
}

TEST_CASE("blog: an invalid language or folder is exit 2 before anything else") {
  Blog bench;
  bench.folder.write("project/file", "x");
  CHECK(bench.blog({}, {"-lang", "en\ndraft: true"}).exit_code == 2);
  CHECK(bench.blog({}, {"-lang", "e"}).err.find("-lang: expected a language tag") !=
        std::string::npos);
  for (const char* out : {"file", "file/below/it"}) {
    const ProcessResult result = bench.blog({}, {}, out);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("/project/file is not a folder\n") != std::string::npos);
  }
}

TEST_CASE("blog: headings, points and titles are single lines that the material supports") {
  Blog bench;
  const auto outline = [](const std::string& heading) {
    return done({{"sections", Json::array({{{"heading", heading}, {"notes", Json::array({1})}},
                                           {{"heading", "Two"}, {"notes", Json::array({2})}}})}});
  };
  const auto tldr = [](const std::string& point, const std::string& other) {
    return done({{"tldr", Json::array({point, other})}});
  };
  const auto title = [](const std::string& text) {
    return done({{"title", text}, {"tags", Json::array({"a"})}, {"summary", "s"}});
  };
  const ProcessResult result = bench.blog(
      {kBrief, outline("See [evil](https://evil.example/x)"),
       outline("They said \"it was the best year\""), outline("One"), section("One."), kMore,
       tldr("x\n\n# Heading\n\n```", "Start small."), tldr("# Heading", "<b>x</b>"), kTldr,
       title("They said \"it was the worst year\""), title("a\nb"), title("No"), kSocial},
      {"-lang", "no"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  for (const char* refused :
       {"the link https://evil.example/x is not", "\"it was the best year\" is not",
        "```\": it has more than one line", "\"# Heading\": it is Markdown syntax",
        "\"<b>x</b>\": it contains HTML", "\"it was the worst year\" is not",
        "b\": it has more than one line"}) {
    CHECK_MESSAGE(result.err.find(refused) != std::string::npos, refused);
  }
  CHECK(bench.file("post.md").find("\nlang: \"no\"\n") != std::string::npos);
}

TEST_CASE("blog: a link matches the material as a whole, and leads out of the post") {
  Blog bench;
  std::vector<std::string> replies = {kBrief, kOutline};
  const std::vector<std::string> wrong = {"https://bees.example", "h", "bees.example/a",
                                          "#nowhere"};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    replies.push_back(section("See [it](" + wrong[i] + ")."));
    if (i == 1) replies.push_back(section("See [it](https://bees.example/a)."));
  }
  replies.insert(replies.end(), {kMore, kTldr, kTitle, kSocial});
  const ProcessResult result = bench.blog(replies);
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  for (const std::string& link : wrong) {
    CHECK_MESSAGE(result.err.find("the link " + link + " is not") != std::string::npos, link);
  }
}

// Runs by hand only, with -no-skip, because it takes 30 s.
TEST_CASE("blog: an address that says nothing more is given up after 30 s" * doctest::skip()) {
  LoopbackServer server({{.chunks = {"HTTP/1.1 200 OK\r\n"}, .after = AfterReply::kStall}});
  Blog bench;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(bench.blog({}, {"-research", server.url("/")}).exit_code == 2);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() > 29);
  CHECK(took.count() < 40);
}

TEST_CASE("blog: how earlier posts are written is found out once, and kept for the next post") {
  Blog bench;
  bench.folder.write("project/posts/a.md", "Bees hum. Hats do not.\n");
  const std::string guide = done({{"guide", "Sentences of three words."}});
  const std::vector<std::string> rest = {kBrief, kOutline, section("One."), kMore,
                                         kTldr,  kTitle,   kSocial};
  std::vector<std::string> first = rest;
  first.insert(first.begin(), guide);
  const ProcessResult made = bench.blog(first, {"-style", "posts"});
  CAPTURE(made.err);
  CHECK(made.exit_code == 0);
  CHECK(made.err.find("Bees hum. Hats do not.") != std::string::npos);
  const ProcessResult kept = bench.blog(rest, {"-style", "posts/a.md"}, "second");
  CAPTURE(kept.err);
  CHECK(kept.exit_code == 0);
  CHECK(kept.err.find("Bees hum.") == std::string::npos);
  CHECK(kept.err.find("Sentences of three words.") != std::string::npos);
  bench.folder.write("project/posts/a.md", "Bees hum. Hats are still.\n");
  const ProcessResult anew = bench.blog(first, {"-style", "posts"}, "third");
  CHECK(anew.exit_code == 0);
  CHECK(anew.err.find("Hats are still.") != std::string::npos);
  CHECK(bench.blog(rest, {"-style", "nowhere"}, "fourth").exit_code == 2);
}

TEST_CASE("blog: -list prints the models of the server, and needs nothing to write about") {
  LoopbackServer server(
      {{.headers = {"Content-Type: application/json"},
        .body = R"({"data":[{"id":"small"},{"id":"la\u001b[2Jrge"},{"other":1}]})"}});
  Blog bench;
  const ProcessResult text = bench.run({"blog", "-list", "-model-url", server.url("/v1")});
  CAPTURE(text.err);
  CHECK(text.exit_code == 0);
  CHECK(text.out.starts_with("small\nla"));
  CHECK(text.out.find('\x1b') == std::string::npos);
  CHECK(bench.run({"blog", "-list", "-json", "-model-url", server.url("")})
            .out.starts_with("{\"id\":\"small\"}\n"));
  REQUIRE(server.requests().size() == 2);
  CHECK(server.requests()[0].target == "/v1/models");
  CHECK(server.requests()[1].target == "/v1/models");
  LoopbackServer broken({{.status = 500}});
  const std::string with_password = replace_all(broken.url(""), "://", "://me:hunter2@");
  const ProcessResult failed = bench.run({"blog", "-list", "-model-url", with_password});
  CHECK(failed.exit_code == 4);
  CHECK(failed.err == "pedrocli: " + broken.url("/v1/models") + ": HTTP 500\n");
}

TEST_CASE("blog: a publisher that fails leaves the post, the report and the command, exit 2") {
  Blog bench;
  const ProcessResult result =
      bench.blog({kBrief, kOutline, section("One."), kMore, kTldr, kTitle, kSocial},
                 {"-publish", "echo no room >&2; exit 3;"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.out.find("- sections: 2\n") != std::string::npos);
  CHECK(result.out.find("\n"
                        "## Not done\n"
                        "\n"
                        "- -publish: exit 3: no room\n"
                        "  continue with: echo no room >&2; exit 3; '") != std::string::npos);
  CHECK(std::filesystem::exists(bench.folder.at("project/post/post.md")));
}

}  // namespace pedro
