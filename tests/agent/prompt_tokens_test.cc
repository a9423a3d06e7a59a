// Counts the Qwen2.5 tokens of each phase's first prompt: the table of docs/prompts.md, and its
// limit. Skipped (77) without the vocabulary from scripts/fetch-vocab.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "agent/prompt_bench.h"
#include "base/text.h"
#include "chat_format/format_family.h"
#include "chat_format/prompt_encoder.h"
#include "tokenizer/fetched_vocabularies.h"

namespace pedro {
namespace {

constexpr std::size_t kMost = 2500;
constexpr std::size_t kMostOfBlog = 1500;

VocabularyTokenizer* tokenizer = nullptr;

std::size_t count(const std::string& family, const ChatRequest& request) {
  const auto found = find_format(family);
  REQUIRE(found.ok());
  const auto prompt = render_conversation(**found, request);
  REQUIRE(prompt.ok());
  const auto ids = encode_prompt(*prompt, *tokenizer);
  REQUIRE(ids.ok());
  return ids->size();
}

// The tokens of a phase's first prompt, with declared tools and with tools as text.
struct Count {
  std::string agent;
  std::string phase;
  std::size_t declared = 0;
  std::size_t as_text = 0;
};

std::vector<Count> all_counts() {
  std::vector<Count> counts;
  for (const bool declared : {true, false}) {
    PromptBench bench;
    bench.info.has_tools = declared;
    std::size_t at = 0;
    for (const std::string& agent : agent_names(bench.library)) {
      const auto workflow = load_workflow(bench.library, bench.registry, agent);
      REQUIRE(workflow.ok());
      ChatRequest request;
      if (declared)
        request.tools =
            declared_tools(bench.registry, *workflow, bench.feedback, EndSchema::kAnyObject);
      bench.each_prompt(*workflow, [&](const Phase& phase, const std::vector<ChatMessage>& prompt) {
        request.messages = prompt;
        if (declared) counts.push_back({agent, phase.name});
        (declared ? counts[at].declared : counts[at].as_text) =
            count(declared ? "hermes" : "chatml", request);
        ++at;
      });
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("prompts: the token table matches the counts, and no count exceeds its ceiling") {
  const auto page = RealFileSystem().read(PEDROCLI_SOURCE "/docs/prompts.md", 1 << 20);
  REQUIRE(page.ok());
  std::string table;
  for (const Count& row : all_counts()) {
    const std::string line =
        fmt::format("| {} | {} | {} | {} |\n", row.agent, row.phase, row.declared, row.as_text);
    table += line;
    const std::size_t most = row.agent == "blog" ? kMostOfBlog : kMost;
    CHECK_MESSAGE(row.declared <= most, line);
    CHECK_MESSAGE(row.as_text <= most, line);
  }
  CHECK_MESSAGE(page->find("|---|---|---|---|\n" + table + "\n") != std::string::npos,
                "docs/prompts.md has another table; it is now\n", table);
}

}  // namespace pedro

int main(int argc, char** argv) {
  const auto opened = pedro::open_fetched("qwen2.5");
  if (!opened) {
    fmt::print("SKIPPED: {}\n", opened.error().message);
    return 77;
  }
  pedro::tokenizer = opened->get();
  return doctest::Context(argc, argv).run();
}
