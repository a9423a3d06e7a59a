#include "job/journal.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "job/read_journal.h"

namespace pedro {
namespace {

const std::string kFolder = "/jobs/one";
const std::string kFile = "/jobs/one/journal.jsonl";

struct JournalDesk {
  JournalDesk() { REQUIRE(files.make_folders(kFolder, 0700)); }

  // Returns the text added since the last call, without its constant timestamp.
  std::string news() {
    std::string all = replace_all(files.files[kFile].substr(seen),
                                  "{\"ts\":\"2023-11-14T22:13:20.000Z\",\"type\":", "{");
    seen = files.files[kFile].size();
    return all;
  }

  FakeFileSystem files;
  FakeClock clock;
  std::string heard;
  std::size_t seen = 0;
  Journal journal{files, clock, kFolder, [this](std::string_view line) { heard += line; }};
};

JobHeader header() {
  return {"job-id", "build", "\nFix it\nin detail", "/w", "b", "qwen", "llamacpp", "hermes",
          "0.3.0",  {7, 9}};
}

}  // namespace

TEST_CASE("journal: a turn that gets no reply has failed") {
  JournalDesk desk;
  Journal& journal = desk.journal;
  const auto types = [&] {
    std::string all;
    const std::string news = desk.news();
    for (const std::string_view line : split_lines(news)) {
      all += std::string(line.substr(0, line.find_first_of(",}"))) + "}";
    }
    return all;
  };
  CHECK(journal.turn_started("plan", 1));
  CHECK(journal.turn_completed({"plan", 1, {1, 2, 3, 0, 0}}));
  CHECK(journal.phase_completed("plan", "completed", {}));
  CHECK(types() == R"({"turn.started"}{"turn.completed"}{"phase.completed"})");
  CHECK(journal.turn_started("plan", 2));
  CHECK(journal.phase_completed("plan", "at the limit", {}));
  CHECK(types() == R"({"turn.started"}{"turn.failed"}{"phase.completed"})");
  CHECK(journal.turn_started("plan", 3));
  (void)types();
  CHECK(journal.error("no server", Journal::Failure::kServers));
  CHECK(desk.news() ==
        "{\"turn.failed\",\"error\":{\"message\":\"no server\",\"server\":true}}\n"
        "{\"error\",\"message\":\"no server\"}\n");
}

TEST_CASE("journal: each event is one line of the documented shape") {
  JournalDesk desk;
  Journal& journal = desk.journal;
  const auto row = [&](const Status& status, const std::string& expected) {
    CHECK(status);
    CHECK(desk.news() == expected + "\n");
  };
  row(journal.thread_started(header()),
      R"({"thread.started","thread_id":"job-id","agent":"build","task":"Fix it","workdir":"/w",)"
      R"("branch":"b","model":"qwen","backend":"llamacpp","format":"hermes","version":"0.3.0",)"
      R"("pid":7,"start_ticks":9})");
  row(journal.phase_started("analyze", 1, 5),
      R"({"phase.started","phase":"analyze","number":1,"total":5})");
  row(journal.turn_started("analyze", 2), R"({"turn.started","phase":"analyze","round":2})");
  row(journal.turn_completed(
          {"analyze", 2, {100, 60, 20, 80, 500}, 64, CacheMiss{60, 17, "\xc3"}, 120, 8192}),
      R"({"turn.completed","phase":"analyze","round":2,)"
      R"("usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":20},)"
      R"("timings":{"prompt_ms":80.0,"prompt_per_second":500.0,"generate_ms":500.0,)"
      R"("generate_per_second":40.0},)"
      R"("cache":{"expected_tokens":64,"cached_tokens":60,"missed_tokens":4,)"
      R"("first_missed":{"position":60,"id":17,"text":"�"}},)"
      R"("tokens":{"window":8192,"window_used":120}})");
  row(journal.turn_completed({"analyze", 3, {1, 2, 3, 0, 0}}),
      R"({"turn.completed","phase":"analyze","round":3,)"
      R"("usage":{"input_tokens":1,"cached_input_tokens":2,"output_tokens":3},)"
      R"("timings":{"prompt_ms":0.0,"prompt_per_second":0.0,"generate_ms":0.0,)"
      R"("generate_per_second":0.0},"tokens":{"window":0,"window_used":0}})");
  row(journal.agent_message("hi"),
      R"({"item.completed","item":{"id":"item_0","type":"agent_message","text":"hi"}})");
  row(journal.reasoning("hm"),
      R"({"item.completed","item":{"id":"item_1","type":"reasoning","text":"hm"}})");
  const ToolCall call{"call-7", "file", Json{{"action", "read"}}};
  row(journal.tool_call_started(call),
      R"({"item.started","item":{"id":"call-7","type":"tool_call","tool":"file",)"
      R"("args":{"action":"read"},"status":"in_progress"}})");
  row(journal.tool_call_completed({call, {false, "no such file", {"a.cc"}}, true}),
      R"({"item.completed","item":{"id":"call-7","type":"tool_call","tool":"file",)"
      R"("args":{"action":"read"},"status":"failed","ok":false,"valid":true,)"
      R"("text":"no such file","changed":["a.cc"]}})");
  row(journal.command_started("make"),
      R"({"item.started","item":{"id":"item_2","type":"command_execution","command":"make",)"
      R"("status":"in_progress"}})");
  row(journal.command_started("ctest"),
      R"({"item.started","item":{"id":"item_3","type":"command_execution","command":"ctest",)"
      R"("status":"in_progress"}})");
  row(journal.command_completed({"make", 0, false, 1.5, "ok"}),
      R"({"item.completed","item":{"id":"item_2","type":"command_execution","command":"make",)"
      R"("status":"completed","exit_code":0,"timed_out":false,"duration_s":1.5,)"
      R"("aggregated_output":"ok"}})");
  row(journal.command_completed({"ctest", 0, true, 9, ""}),
      R"({"item.completed","item":{"id":"item_3","type":"command_execution","command":"ctest",)"
      R"("status":"failed","exit_code":0,"timed_out":true,"duration_s":9.0,)"
      R"("aggregated_output":""}})");
  row(journal.command_completed({"never started", 1, false, 0, ""}),
      R"({"item.completed","item":{"id":"item_4","type":"command_execution",)"
      R"("command":"never started","status":"failed","exit_code":1,"timed_out":false,)"
      R"("duration_s":0.0,"aggregated_output":""}})");
  row(journal.files_changed({{"a.cc", "update"}, {"b.cc", "add"}}),
      R"({"item.completed","item":{"id":"item_5","type":"file_change","changes":)"
      R"([{"path":"a.cc","kind":"update"},{"path":"b.cc","kind":"add"}],"status":"completed"}})");
  row(journal.notice("slow", Journal::Notice::kRetry),
      R"({"item.completed","item":{"id":"item_6","type":"error","message":"slow","retry":true}})");
  row(journal.notice("slow"),
      R"({"item.completed","item":{"id":"item_7","type":"error","message":"slow"}})");
  row(journal.phase_completed("analyze", "completed", Json{{"files", Json::array({"a"})}}),
      R"({"phase.completed","phase":"analyze","end":"completed","output":{"files":["a"]}})");
  row(journal.error("gone"), R"({"error","message":"gone"})");
  row(journal.thread_completed({"done", 0, "b2", "abc", "/r.md"}),
      R"({"thread.completed","outcome":"done","exit_code":0,"rounds":2,)"
      R"("usage":{"input_tokens":101,"cached_input_tokens":62,"output_tokens":23},)"
      R"("branch":"b2","commit":"abc","report":"/r.md"})");
}

TEST_CASE("journal: the sink hears the same bytes") {
  JournalDesk desk;
  CHECK(desk.journal.thread_started(header()));
  CHECK(desk.journal.agent_message("two\nlines and \xff"));
  CHECK(desk.heard == desk.files.files[kFile]);
  CHECK(split_lines(desk.heard).size() == 2);
  CHECK(desk.heard.starts_with(R"({"ts":"2023-11-14T22:13:20.000Z","type":"thread.started",)"));
}

TEST_CASE("journal: the summary is the first and the last line") {
  JournalDesk desk;
  const std::string path = kFolder + "/summary.json";
  CHECK(desk.journal.thread_started(header()));
  const std::string first(split_lines(desk.heard)[0]);
  CHECK(desk.files.files[path] == "{\"started\":" + first + ",\"ended\":null}\n");
  CHECK(desk.journal.notice("x"));
  CHECK(desk.journal.thread_completed({"limit", 6, "", "", ""}));
  const std::string last(split_lines(desk.heard)[2]);
  CHECK(desk.files.files[path] == "{\"started\":" + first + ",\"ended\":" + last + "}\n");
}

TEST_CASE("journal: a full disk is one error, and the sink still receives events") {
  JournalDesk desk;
  CHECK(desk.journal.thread_started(header()));
  desk.files.fail_writes_with = "No space left on device";
  const Status status = desk.journal.notice("a");
  REQUIRE_FALSE(status);
  CHECK(status.error().kind == ErrorKind::kInternal);
  CHECK(status.error().message ==
        "the job's journal cannot be written: /jobs/one/journal.jsonl: No space left on device");
  CHECK(desk.journal.notice("b"));
  desk.files.fail_writes_with.clear();
  CHECK(desk.journal.thread_completed({"failed", 1, "", "", ""}));
  CHECK(split_lines(desk.files.files[kFile]).size() == 1);
  CHECK(split_lines(desk.heard).size() == 4);
}

TEST_CASE("journal: a full one is one error, has the job's end and is readable") {
  JournalDesk desk;
  const LogLimit limit{.max_bytes = 64 << 10};
  Journal journal(desk.files, desk.clock, kFolder, {}, limit);
  CHECK(journal.thread_started(header()));
  const std::string text(4000, 'x');
  Status status;
  int written = 0;
  for (; status && written < 100; ++written) {
    CHECK(journal.is_full() == (desk.files.files[kFile].size() > limit.full_bytes()));
    status = journal.agent_message(text);
  }
  CHECK(written == 16);
  CHECK(journal.is_full());
  REQUIRE_FALSE(status);
  CHECK(status.error().kind == ErrorKind::kLimit);
  CHECK(status.error().message ==
        "/jobs/one/journal.jsonl: reached its limit of 65536 bytes; the job cannot be resumed "
        "after that");
  CHECK(journal.agent_message(text));
  CHECK(journal.error(status.error().message));
  CHECK(journal.thread_completed({"error", 6, "", "", ""}));
  CHECK(desk.files.files[kFile].size() < limit.max_bytes);
  CHECK(split_lines(desk.files.files[kFile]).back().find("thread.completed") != std::string::npos);
  Journal later(desk.files, desk.clock, kFolder, {}, limit);
  CHECK(later.go_on_from(journal.place()));
  CHECK(later.is_full());
}

TEST_CASE("journal: a resumed one continues at its last place, and keeps the text after it") {
  JournalDesk desk;
  CHECK(desk.journal.thread_started(header()).ok());
  CHECK(desk.journal.notice("first").ok());
  const JournalPlace place = desk.journal.place();
  CHECK(journal_place_from(to_json(place)).hash == place.hash);
  const std::string before = desk.files.files[kFile];
  CHECK(desk.journal.notice("lost").ok());

  Journal later(desk.files, desk.clock, kFolder, [](std::string_view) {});
  REQUIRE(later.go_on_from(place).ok());
  CHECK(desk.files.files[kFile] == before);
  CHECK(desk.files.files[kFolder + "/journal.cut.jsonl"].find("lost") != std::string::npos);
  JobHeader again = header();
  again.resumed_after = 3;
  CHECK(later.thread_started(again).ok());
  CHECK(desk.files.files[kFile].find(
            "\"resumed_after\":3,\"began\":\"2023-11-14T22:13:20.000Z\"") != std::string::npos);
  // Muted events were reported before. The item numbers continue.
  later.mute(true);
  const std::size_t told = desk.files.files[kFile].size();
  CHECK(later.agent_message("told").ok());
  CHECK(later.agent_message("told too").ok());
  CHECK(desk.files.files[kFile].size() == told);
  later.mute(false);
  CHECK(later.notice("second").ok());
  CHECK(desk.files.files[kFile].substr(told).find("item_1") != std::string::npos);

  desk.files.files[kFile][10] ^= 1;
  Journal changed(desk.files, desk.clock, kFolder);
  CHECK_FALSE(changed.go_on_from(place).ok());
}

TEST_CASE("journal: a line stays short, whatever is in it") {
  JournalDesk desk;
  const std::string long_text(5u << 20, 'x');
  const ToolCall call{"call-1", "file", Json{{"content", long_text}, {"path", "a"}}};
  CHECK(desk.journal.tool_call_completed({call, {true, long_text, {}}, true}));
  std::string line = desk.news();
  CHECK(line.size() < 24 * 1024);
  CHECK(line.find("bytes left out") != std::string::npos);
  CHECK(line.find(R"("path":"a")") != std::string::npos);

  Json many = Json::array();
  for (int i = 0; i < 100000; ++i) many.push_back("0123456789");
  CHECK(desk.journal.phase_completed("plan", "completed", many));
  CHECK(desk.news() ==
        "{\"phase.completed\",\"phase\":\"plan\",\"end\":\"completed\",\"output\":"
        "{\"left_out_bytes\":1300001}}\n");
  CHECK(desk.journal.agent_message(long_text));
  line = desk.news();
  CHECK(line.size() < 66 * 1024);
}

TEST_CASE("journal: reading returns every whole event and reports errors") {
  struct Row {
    const char* name;
    std::string text;
    const char* expected;
  };
  const Row rows[] = {
      {"an empty file", "", "[] junk 0"},
      {"two events", "{\"type\":\"a\"}\n{\"type\":\"b\"}\n", "[ab] junk 0"},
      {"a torn last line", "{\"type\":\"a\"}\n{\"type\":\"b", "[a] junk 0 torn"},
      {"a whole last line that only lacks its newline", "{\"type\":\"a\"}\n{\"type\":\"b\"}",
       "[ab] junk 0"},
      {"junk between", "{\"type\":\"a\"}\n\nxx\n[1]\n\xff\n{\"type\":\"b\"}\n", "[ab] junk 3"},
      {"zero bytes after a crash", std::string("{\"type\":\"a\"}\n\0\0\0\0", 17),
       "[a] junk 0 torn"},
      {"a line of 5 MB", "{\"type\":\"" + std::string(5u << 20, 'x') + "\"}\n{\"type\":\"b\"}\n",
       "[b] junk 1"},
      {"nesting that would end the stack", std::string(1u << 20, '[') + "\n{\"type\":\"b\"}\n",
       "[b] junk 1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeFileSystem files;
    files.files["/j"] = row.text;
    std::string types;
    const auto read =
        read_journal(files, "/j", [&](const Json& event) { types += text_of(event, "type"); });
    REQUIRE(read);
    CHECK(read->events == static_cast<long long>(types.size()));
    CHECK("[" + types + "] junk " + std::to_string(read->junk_lines) +
              (read->torn_tail ? " torn" : "") ==
          row.expected);
  }
  const auto missing = read_journal(FakeFileSystem(), "/j", [](const Json&) {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "/j: No such file or directory");
}

TEST_CASE("bounded json: texts are cut at any depth, the rest stays") {
  const Json value = {{"a", {{"b", Json::array({std::string(100, 'x'), 1, true})}}}};
  const std::string line = to_line(bounded_json(value, 60, 1000));
  CHECK(line ==
        R"({"a":{"b":["xxxxxxxxx\n[... 0 lines, 82 bytes left out ...]\nxxxxxxxxx",1,true]}})");
  CHECK(to_line(bounded_json(value, 1000, 1000)) == to_line(value));
  CHECK(to_line(bounded_json(value, 1000, 20)) == R"({"left_out_bytes":123})");
}

}  // namespace pedro
