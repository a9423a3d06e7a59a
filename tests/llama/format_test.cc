// Tests `pedrocli format learn` with a real llama-server, whose chat template is Qwen2.5's.
#include "base/json.h"
#include "llama/session.h"

namespace pedro {

TEST_CASE("format learn: the family of the server's template") {
  Session session;
  const ProcessResult known = session.pedrocli({"format", "learn"});
  CHECK(known.exit_code == 0);
  CHECK(
      known.out.starts_with("hermes: turns, tools, calls and results are written as the "
                            "server's chat template writes them\nown-prompt "));
  CHECK(known.err.empty());

  const auto json = parse_json(session.pedrocli({"-json", "format", "learn"}).out);
  REQUIRE(json.ok());
  CHECK(text_of(*json, "format") == "hermes");
  CHECK(text_of(*json, "likeness") == "all");
  CHECK(text_of(*json, "calls") == "tags");
  CHECK_FALSE(truth_of(*json, "learned", true));
  CHECK(number_of(*json, "requests") <= 10);
}

TEST_CASE("format learn: a row for the server's template") {
  Session session;
  const ProcessResult learned = session.pedrocli({"format", "learn", "-format", "learned"});
  CHECK(learned.exit_code == 0);
  const auto lines = split_lines(learned.out);
  REQUIRE(lines.size() > 1);
  CHECK(lines[0].starts_with("learned: turns, tools, calls and results"));
  const auto row = parse_json(lines[1]);
  REQUIRE(row.ok());
  CHECK(text_of(*row, "name") == "learned");
  const Json& pieces = member(*row, "pieces");
  CHECK(text_of(pieces, "user") == "<|im_start|>user\n{{content}}<|im_end|>\n");
  CHECK(text_of(pieces, "tool") == "{{tool}}");
  CHECK(text_of(pieces, "call") ==
        "<tool_call>\n{\"name\": {{name_json}}, \"arguments\": {{arguments}}}\n</tool_call>");
}

TEST_CASE("format learn: exit codes") {
  Session session;
  const ProcessResult other = session.pedrocli({"format", "learn", "-format", "gemma"});
  CHECK(other.exit_code == 1);
  CHECK(other.out.starts_with("gemma: not all turns are written as the server's"));
  CHECK(session.pedrocli({"format", "learn", "-format", "gema"}).exit_code == 2);
}

}  // namespace pedro
