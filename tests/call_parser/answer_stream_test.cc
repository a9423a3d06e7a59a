#include "call_parser/answer_stream.h"

#include <doctest/doctest.h>

#include <vector>

namespace pedro {

TEST_CASE("answer stream: the text of the argument, unescaped, in parts of any size") {
  struct Row {
    const char* reply;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {R"({"tool":"phase_complete","args":{"answer":"Children."}})", "Children."},
           {R"({"args" : { "answer" : "a\nb\t\"c\" \\ \/" } })", "a\nb\t\"c\" \\ /"},
           {R"(I look. {"answer":"é\u00e9\ud83d\ude00"})", "éé😀"},
           {R"({"answer":"an \ud83d\ude0)", "an "},
           {R"({"answer":"a \)", "a "},
           {"{\"answer\":\"caf\xC3", "caf"},
           {R"({"answer":"\u0zz0 not JSON for long"})", ""},
           {R"({"answers":"no","note":"\"answer\"","answer":"yes","answer":"no"})", "yes"},
           {R"({"answer":{"answer":"inner"}})", "inner"},
           {R"({"answer":17,"other":"text"})", ""},
           {R"(<parameter=answer>tags</parameter>)", ""},
           {R"({"answer":"not yet the end)", "not yet the end"},
           {"", ""},
       }) {
    CAPTURE(row.reply);
    const std::string_view reply = row.reply;
    for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
      AnswerStream stream("answer");
      for (std::size_t at = 0; at < reply.size(); at += size) {
        stream.feed(reply.substr(at, size));
      }
      CHECK(stream.text() == row.expected);
    }
  }
}

}  // namespace pedro
