// Tests `models get` without a network: the list, names, a model of the cache, and a failed
// download.
#include "cli/program.h"

namespace pedro {

TEST_CASE("models get: lists the weights, and those of the cache") {
  Program bench;
  bench.extra_environment["PEDROCLI_CACHE"] = bench.folder.at("cache");
  bench.folder.write("cache/models/smollm2-135m-instruct-q4_1.gguf", "weights");
  const ProcessResult list = bench.run({"models", "get"});
  CHECK(list.exit_code == 0);
  CHECK(list.out.starts_with(
      "qwen2.5-coder-1.5b     1117 MB  pedrocli models get qwen2.5-coder-1.5b\n"));
  CHECK(list.out.find("smollm2-135m             98 MB  in the cache\n") != std::string::npos);
  const ProcessResult found = bench.run({"models", "get", "smollm2-135m"});
  CAPTURE(found.err);
  CHECK(found.exit_code == 0);
  CHECK(found.out == bench.folder.at("cache/models/smollm2-135m-instruct-q4_1.gguf") + "\n");
  CHECK(found.err.find("pedrocli serve smollm2-135m") != std::string::npos);
  const Json json = *parse_json(bench.run({"models", "get", "smollm2-135m", "-json"}).out);
  CHECK(text_of(json, "path") == bench.folder.at("cache/models/smollm2-135m-instruct-q4_1.gguf"));
}

TEST_CASE("models get: an unknown name, and a download that fails") {
  Program bench;
  bench.extra_environment["PEDROCLI_CACHE"] = bench.folder.at("cache");
  bench.extra_environment["PIP_NO_INDEX"] = "1";
  bench.extra_environment["PIP_FIND_LINKS"] = bench.folder.at("none");
  const ProcessResult unknown = bench.run({"models", "get", "smollm2"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("there are no weights 'smollm2'") != std::string::npos);
  CHECK(unknown.err.find("serve -hf") != std::string::npos);
  const ProcessResult failed = bench.run({"models", "get", "smollm2-135m"});
  CAPTURE(failed.err);
  CHECK(failed.exit_code == 4);
  CHECK(failed.out.empty());
  CHECK(failed.err.find("cannot download smollm2-135m; the reason is above") != std::string::npos);
  CHECK_FALSE(
      std::filesystem::exists(bench.folder.at("cache/models/smollm2-135m-instruct-q4_1.gguf")));
}

}  // namespace pedro
