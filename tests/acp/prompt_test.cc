#include "acp/prompt.h"

#include <doctest/doctest.h>

namespace pedro::acp {
namespace {

std::string shown(const char* blocks) {
  const auto read = read_prompt(*parse_json(blocks), "/p");
  if (const auto* error = std::get_if<json_rpc::RpcError>(&read)) return error->message;
  const Prompt& prompt = std::get<Prompt>(read);
  std::string text = prompt.text + (prompt.material.empty() ? "" : " | " + prompt.material);
  for (const Image& image : prompt.images) text += " | " + image.media_type;
  return text;
}

}  // namespace

TEST_CASE("prompt: texts, links and embedded texts become the task") {
  struct Row {
    const char* blocks;
    const char* expected;
  };
  for (const Row& row : std::vector<Row>{
           {R"([{"type":"text","text":" Who rides\nfree? "}])", "Who rides\nfree?"},
           {R"([{"type":"text","text":"See "},{"type":"resource_link","name":"n",
                "uri":"file:///p/src/a%20b.c#L3"},{"type":"text","text":"."}])",
            "See src/a b.c."},
           {R"([{"type":"resource_link","name":"n","uri":"https://example.org/x"}])",
            "https://example.org/x"},
           {R"([{"type":"resource_link","name":"n","uri":"file:///other/x"}])", "/other/x"},
           {R"([{"type":"text","text":"Fix "},{"type":"resource","resource":
                {"uri":"file:///p/a.c","text":"int a;\n"}}])",
            "Fix a.c | a.c:\nint a;"},
           {R"("text")", "session/prompt: prompt: expected a list of content blocks"},
           {R"([])", "session/prompt: the prompt has no text"},
           {R"([{"type":"text","text":" "}])", "session/prompt: the prompt has no text"},
           {R"([{"type":"text","text":"a"},{"type":"image","data":"iVBORw0KGgo=",
                "mimeType":"image/jpeg"}])",
            "a | image/png"},
           {R"([{"type":"text","text":"a"},{"type":"image","data":"","mimeType":"image/png"}])",
            "session/prompt: prompt/1: not an image: expected a PNG, JPEG, GIF or WebP file"},
           {R"([{"type":"text","text":"a"},{"type":"image","data":"*","mimeType":"image/png"}])",
            "session/prompt: prompt/1: data: expected base64"},
           {R"([{"type":"text","text":"a"},{"type":"audio","data":"","mimeType":"audio/wav"}])",
            "session/prompt: prompt/1: expected a block of text, an image, a link or an embedded "
            "text, got \"audio\""},
           {R"([{"type":"resource","resource":{"uri":"u","blob":""}}])",
            "session/prompt: prompt/0: expected a block of text, an image, a link or an embedded "
            "text, got \"resource\""},
           {R"([7])",
            "session/prompt: prompt/0: expected a block of text, an image, a link or an embedded "
            "text, got \"number\""},
       }) {
    CAPTURE(row.blocks);
    CHECK(shown(row.blocks) == row.expected);
  }
  Json large = Json::array();
  large.push_back({{"type", "text"}, {"text", std::string(kMaxPromptBytes + 1, 'x')}});
  CHECK(shown(to_line(large).c_str()).find("65537 bytes of text, but the limit is 65536") !=
        std::string::npos);
}

TEST_CASE("prompt: a command is split off only if it is known") {
  const std::vector<std::string> names = {"build", "undo"};
  using Parts = std::pair<std::string, std::string>;
  CHECK(split_command("/build Add a\ntest", names) == Parts{"build", "Add a\ntest"});
  CHECK(split_command("/undo", names) == Parts{"undo", ""});
  CHECK(split_command("/usr/bin is large", names) == Parts{"", "/usr/bin is large"});
  CHECK(split_command("/builds", names) == Parts{"", "/builds"});
  CHECK(split_command("build it", names) == Parts{"", "build it"});
}

TEST_CASE("prompt: the newest exchanges fit the budget; the oldest of them is shortened") {
  const std::vector<Exchange> all = {
      {"first", std::string(5000, 'a')}, {"second", std::string(5000, 'b')}, {"third", "c"}};
  const auto chosen = newest_exchanges(all, 2000);
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].user == "second");
  CHECK(chosen[0].agent.size() <= 1988);
  CHECK(chosen[0].agent.find("left out") != std::string::npos);
  CHECK(chosen[1].agent == "c");
  CHECK(newest_exchanges(all, 100'000).size() == 3);
  CHECK(newest_exchanges({}, 1000).empty());
}

}  // namespace pedro::acp
