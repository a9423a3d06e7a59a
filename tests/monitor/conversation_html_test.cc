#include "monitor/conversation_html.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "job/refusals.h"

namespace pedro {
namespace {

Json item(const Json& fields) {
  return {{"type", "item.completed"}, {"item", fields}};
}

Json turn(int round) {
  return {{"type", "turn.started"}, {"phase", "work"}, {"round", round}};
}

std::string html_of(const std::vector<Json>& events) {
  ConversationHtml rounds;
  for (const Json& event : events) rounds.hear(event);
  return rounds.html();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("conversation: a round has its message, call, diff, result, check and output") {
  const std::string html = html_of({
      {{"type", "phase.started"}, {"phase", "work"}},
      turn(1),
      item({{"type", "reasoning"}, {"text", "it says bad"}}),
      item({{"type", "agent_message"}, {"text", "I edit <a.txt>"}}),
      {{"type", "turn.completed"},
       {"usage", {{"input_tokens", 90}, {"cached_input_tokens", 80}, {"output_tokens", 7}}}},
      item({{"type", "tool_call"},
            {"tool", "file"},
            {"args",
             {{"action", "replace"}, {"path", "a.txt"}, {"old", "x\nbad"}, {"new", "x\ngood"}}},
            {"ok", true},
            {"text", "1 occurrence replaced"}}),
      item({{"type", "file_change"}, {"changes", {{{"path", "a.txt"}}}}}),
      item({{"type", "command_execution"},
            {"command", "make test"},
            {"status", "failed"},
            {"exit_code", 2},
            {"duration_s", 0.5},
            {"aggregated_output", "1 test failed"}}),
      item({{"type", "error"}, {"message", "the user says: be quick"}}),
      {{"type", "phase.completed"},
       {"phase", "work"},
       {"end", "completed"},
       {"output", {{"summary", "says good"}}}},
  });
  CAPTURE(html);
  for (const char* part :
       {"<div id=\"round-1\">", "href=\"#round-1\"", "work round 1",
        "90 tokens, 80 cached, 7 written", "it says bad", "I edit &lt;a.txt&gt;",
        "<del>- bad</del>\n<ins>+ good</ins>", "  x\n", "1 occurrence replaced", "changed: a.txt",
        "check failed, exit 2</span> make test", "1 test failed",
        "<h4>the user says</h4>\n<pre class=\"said\">be quick</pre>",
        "end of the phase work: completed", "&quot;summary&quot;: &quot;says good&quot;"}) {
    CAPTURE(part);
    CHECK(html.find(part) != std::string::npos);
  }
}

TEST_CASE("conversation: refusals are marked with their reason, hostile texts are escaped") {
  const std::string hostile = "\"><script>alert(1)</script>\x1b[2J";
  const std::string html = html_of({
      turn(1),
      item({{"type", "tool_call"},
            {"tool", hostile},
            {"args", {{hostile, hostile + "\n"}}},
            {"ok", false},
            {"valid", false},
            {"text", hostile}}),
      turn(2),
      item({{"type", "error"}, {"message", "reply not used: " + hostile}}),
      item({{"type", "policy_decision"}, {"allowed", false}, {"action", hostile}, {"by", hostile}}),
      turn(3),
      item({{"type", 7}, {"args", 3}}),
      {{"type", "phase.completed"}, {"phase", Json::array()}, {"output", hostile}},
  });
  CAPTURE(html);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find('\x1b') == std::string::npos);
  CHECK(html.find("refused</span>") != std::string::npos);
  CHECK(count(html, "class=\"round has-bad\"") == 2);
  CHECK(count(html, "<a class=\"bad\" href=") == 2);
}

TEST_CASE("conversation: without rounds there is no section") {
  CHECK(html_of({}) == "");
  CHECK(html_of({{{"type", "thread.started"}}, {{"type", "thread.completed"}}}) == "");
}

TEST_CASE("conversation: the size of a page is limited, and what is missing is stated") {
  ConversationHtml rounds;
  const std::string text(ConversationHtml::kMaxTextBytes * 2, '<');
  for (int i = 1; i <= 400; ++i) {
    rounds.hear(turn(i));
    for (int part = 0; part < 5; ++part) {
      rounds.hear(item({{"type", "agent_message"}, {"text", text}}));
    }
  }
  const std::string html = rounds.html();
  CHECK(html.size() < 9u << 20);
  CHECK(html.find("parts of this round are left out") != std::string::npos);
  CHECK(html.find(" rounds are left out: this page shows the first 1 MiB and the last 7 MiB") !=
        std::string::npos);
  CHECK(html.find("<div id=\"round-1\">") != std::string::npos);
  CHECK(html.find("<div id=\"round-200\">") == std::string::npos);
  CHECK(html.find("<div id=\"round-400\">") != std::string::npos);
  CHECK(count(html, "<a href=\"#round-") == count(html, "<div id=\"round-"));
}

TEST_CASE("refusals: counted with the most frequent reason") {
  Refusals refusals;
  CHECK(refusals.text() == "");
  const auto hear = [&](const Json& fields) { refusals.hear(fields); };
  hear({{"type", "tool_call"}, {"tool", "file"}, {"ok", true}, {"text", "fine"}});
  hear({{"type", "tool_call"}, {"tool", "file"}, {"ok", false}, {"valid", true}, {"text", "gone"}});
  hear({{"type", "error"}, {"message", "something to know"}});
  CHECK(refusals.count() == 0);
  hear({{"type", "tool_call"},
        {"tool", "phase_complete"},
        {"ok", false},
        {"valid", true},
        {"text", "no change\nmore"}});
  CHECK(refusals.text() == "1 refusal: no change");
  for (int i = 0; i < 2; ++i) hear({{"type", "error"}, {"message", "reply not used: no call"}});
  hear({{"type", "tool_call"}, {"tool", "git"}, {"ok", false}, {"valid", false}, {"text", ""}});
  CHECK(refusals.text() == "4 refusals, 2 of them: no call");
}

}  // namespace pedro
