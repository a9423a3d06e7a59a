#include <doctest/doctest.h>

#include <string>

#include "acp/job_updates.h"

namespace pedro::acp {
namespace {

struct Replayed {
  void hear(const Json& event) { replay.hear(event, updates); }
  void start(const char* agent) {
    hear({{"type", "thread.started"}, {"thread_id", "J"}, {"agent", agent}, {"workdir", "/p"}});
  }
  void answer(const std::string& text) {
    hear({{"type", "phase.started"}, {"phase", "answer"}, {"total", 1}});
    const Json output = {{"answer", text}};
    hear({{"type", "phase.completed"}, {"phase", "answer"}, {"output", output}});
  }
  std::string said() {
    std::string text;
    for (const Json& update : all) text += text_of(member(update, "content"), "text") + "|";
    all.clear();
    return text;
  }

  std::vector<Json> all;
  JobUpdates updates{JobSources{[](const std::string&) { return "report"; }, nullptr},
                     [this](Json update) {
                       if (update.contains("content")) all.push_back(std::move(update));
                     }};
  JobReplay replay;
};

}  // namespace

TEST_CASE("job replay: each turn has its answer") {
  Replayed job;
  job.start("ask");
  job.answer("one");
  job.start("ask");  // a later process
  job.answer("two");
  job.answer("three");  // the same process
  job.hear({{"type", "thread.completed"}, {"exit_code", 0}, {"result", {{"answer", "three"}}}});
  CHECK(job.said() == "one|");
  CHECK_FALSE(job.updates.is_answered());
  job.replay.next_turn(job.updates);
  CHECK(job.said() == "two|");
  job.replay.next_turn(job.updates);
  CHECK(job.said() == "three|");
  CHECK(job.updates.is_answered());
  job.replay.next_turn(job.updates);
  CHECK(job.said() == "");
}

TEST_CASE("job replay: a job of another agent is one turn") {
  Replayed job;
  job.start("build");
  job.answer("not an answer");
  job.start("build");
  job.hear({{"type", "thread.completed"}, {"exit_code", 0}, {"report", "/r.md"}});
  CHECK(job.said() == "report|");
  CHECK_FALSE(job.updates.is_answered());
}

}  // namespace pedro::acp
