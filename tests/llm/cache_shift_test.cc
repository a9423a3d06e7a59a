#include "llm/cache_shift.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "support/temp_folder.h"
#include "tokenizer/gguf_builder.h"

namespace pedro {
namespace {

using Ids = std::vector<TokenId>;

// Returns `count` consecutive ids. The ids of different runs do not overlap.
Ids run(int first, int count) {
  Ids ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

Ids join(std::initializer_list<Ids> parts) {
  Ids ids;
  for (const Ids& part : parts) ids.insert(ids.end(), part.begin(), part.end());
  return ids;
}

}  // namespace

// Measured on a llama-server, which always evaluates the last id of a prompt.
TEST_CASE("cache shift: our kept parts equal a server's") {
  const Ids a = run(0, 100), b = run(100, 80), c = run(200, 120), d = run(400, 10),
            marker = run(500, 3), e = run(600, 80), f = run(700, 80);
  const Ids b_begin(b.begin(), b.begin() + 3), c_begin(c.begin(), c.begin() + 40),
      a_end(a.begin() + 50, a.end());
  const Ids old = join({a, b, c});
  struct Row {
    const char* what;
    Ids cached, prompt;
    std::size_t shortest, kept;
  };
  const std::vector<Row> rows = {
      {"a block left", old, join({a, c}), 64, 220},
      {"a run of just that length", old, join({a, c}), 120, 220},
      {"one of one id more is wanted", old, join({a, c}), 121, 100},
      {"a longer run is wanted", old, join({a, c}), 256, 100},
      {"a block left, and a tail came", old, join({a, c, d}), 64, 220},
      {"a block left, and a marker came behind", old, join({a, c, marker}), 64, 220},
      {"a marker in place of the block", old, join({a, marker, c}), 64, 100},
      {"the block's first ids in its place", old, join({a, b_begin, c}), 64, 223},
      {"two blocks left", join({a, b, c, e, f}), join({a, c, f}), 64, 300},
      {"what is between two blocks is short", join({a, b, c, f}), join({a, c_begin, f}), 64, 100},
      {"the first ids left", old, join({a_end, b, c}), 64, 250},
      {"the same", old, old, 64, 300},
      {"more than there was", old, join({old, d}), 64, 300},
      {"nothing", {}, a, 64, 0},
      {"an empty prompt", a, {}, 64, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(kept_by_shift(row.cached, row.prompt, row.shortest) == row.kept);
  }
}

TEST_CASE("cache shift: the cache of a model with a state, or of one that is not known, stays") {
  const TempFolder folder;
  const auto model = [&](std::string_view architecture, std::string_view key) {
    GgufBuilder builder;
    if (!architecture.empty()) builder.text("general.architecture", architecture);
    if (!key.empty()) builder.number(key, 4);
    return folder.write("model.gguf", builder.bytes());
  };
  CHECK(has_no_state(model("llama", "llama.context_length")));
  CHECK_FALSE(has_no_state(model("", "")));
  for (const char* key : {".ssm.conv_kernel", ".ssm.state_size", ".wkv.head_size",
                          ".shortconv.l_cache", ".kda.head_dim"}) {
    CAPTURE(key);
    CHECK_FALSE(has_no_state(model("mix", "mix" + std::string(key))));
    CHECK(has_no_state(model("mix", "other" + std::string(key))));
  }
  CHECK_FALSE(has_no_state(folder.at("nowhere.gguf")));
  CHECK_FALSE(has_no_state(folder.write("text.gguf", "no model")));
}

}  // namespace pedro
