#include <doctest/doctest.h>

#include <vector>

#include "llm/capabilities.h"
#include "support/temp_folder.h"

namespace pedro {

TEST_CASE("capability cache: an entry is found until the server changes") {
  const TempFolder folder;
  RealFileSystem files;
  CapabilityCache cache(files, folder.path() + "/servers");
  const Json props = {{"build_info", "b1"},
                      {"model_path", "m"},
                      {"total_slots", 1},
                      {"default_generation_settings", {{"n_ctx", 2048}, {"seed", 1}}}};
  const std::string key = CapabilityCache::key_of("http://a", props);
  CHECK_FALSE(cache.get(key));
  const Capabilities can{.grammar = true, .logit_bias = true, .reports_cache = true};
  cache.put(key, can);
  REQUIRE(cache.get(key));
  CHECK(*cache.get(key) == can);

  Json same = props;
  same["default_generation_settings"]["seed"] = 2;
  CHECK(CapabilityCache::key_of("http://a", same) == key);
  std::vector<Json> others(4, props);
  others[0]["build_info"] = "b2";
  others[1]["model_path"] = "n";
  others[2]["default_generation_settings"]["n_ctx"] = 4096;
  others[3]["chat_template"] = "x";
  for (const Json& other : others) CHECK(CapabilityCache::key_of("http://a", other) != key);
  CHECK(CapabilityCache::key_of("http://b", props) != key);
}

TEST_CASE("capability cache: an entry that cannot be stored or read is probed again") {
  const TempFolder folder;
  RealFileSystem files;
  CapabilityCache nowhere(files, "");
  nowhere.put("k", {.grammar = true});
  CHECK_FALSE(nowhere.get("k"));
  CapabilityCache cache(files, folder.path());
  for (const char* content : {"", "[1]", "{\"grammar\":", "\xff"}) {
    CAPTURE(content);
    REQUIRE(files.write_atomic(folder.path() + "/k.json", content, 0600).ok());
    CHECK_FALSE(cache.get("k"));
  }
}

}  // namespace pedro
