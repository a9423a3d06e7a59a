#include "llm/model_file.h"

#include <doctest/doctest.h>

#include "support/temp_folder.h"
#include "tokenizer/gguf_builder.h"

namespace pedro {
namespace {

GgufBuilder weights(std::string_view architecture) {
  return GgufBuilder().tensors(2).text("general.architecture", architecture);
}

// Qwen2.5 0.5B: 24 layers, 14 heads of 64, 2 of them with keys and values.
GgufBuilder qwen() {
  return weights("qwen2")
      .number("qwen2.context_length", 32768)
      .number("qwen2.block_count", 24)
      .number("qwen2.embedding_length", 896)
      .number("qwen2.attention.head_count", 14)
      .number("qwen2.attention.head_count_kv", 2);
}

Result<ModelFile> model_of(const GgufBuilder& builder) {
  const TempFolder folder;
  return read_model_file(RealFileSystem(), folder.write("model.gguf", builder.bytes()));
}

}  // namespace

TEST_CASE("model file: window, template and the size of the cache for one token") {
  const auto model = model_of(qwen().text("tokenizer.chat_template", "{{ x }}"));
  REQUIRE(model.ok());
  CHECK(model->name == "model");
  CHECK(model->trained_tokens == 32768);
  CHECK(model->has_template);
  CHECK(model->cache_bytes_per_token == 24 * 2 * (64 + 64) * 2);  // llama.cpp: 12 KiB
}

TEST_CASE("model file: heads for each layer, lengths of their own, and no attention") {
  const auto hybrid = model_of(weights("lfm2")
                                   .number("lfm2.block_count", 4)
                                   .number("lfm2.embedding_length", 100)
                                   .number("lfm2.attention.head_count", 10)
                                   .number("lfm2.attention.key_length", 32)
                                   .number("lfm2.attention.value_length", 16)
                                   .integers("lfm2.attention.head_count_kv", {0, 2, -1, 8}));
  REQUIRE(hybrid.ok());
  CHECK(hybrid->cache_bytes_per_token == 10 * (32 + 16) * 2);
  const auto recurrent = model_of(weights("mamba").number("mamba.block_count", 4));
  REQUIRE(recurrent.ok());
  CHECK(recurrent->cache_bytes_per_token == 0);
  CHECK(recurrent->trained_tokens == 0);
  CHECK_FALSE(recurrent->has_template);
}

TEST_CASE("model file: hostile numbers stay in range") {
  constexpr std::uint64_t kHuge = ~std::uint64_t{0} >> 1U;
  const auto model = model_of(weights("x")
                                  .number("x.context_length", GgufType::kUint64, kHuge)
                                  .number("x.block_count", GgufType::kUint64, kHuge)
                                  .number("x.embedding_length", GgufType::kUint64, kHuge)
                                  .number("x.attention.head_count", GgufType::kUint64, kHuge)
                                  .number("x.attention.key_length", GgufType::kUint64, kHuge));
  REQUIRE(model.ok());
  CHECK(model->cache_bytes_per_token == std::uint64_t{1} << 33U);
  CHECK(model->trained_tokens == 1LL << 40);
}

TEST_CASE("model file: files that cannot be served") {
  const auto error_of = [](const GgufBuilder& builder) {
    const auto model = model_of(builder);
    return model ? "" : model.error().message;
  };
  CHECK(error_of(GgufBuilder().text("general.architecture", "qwen2"))
            .ends_with("/model.gguf: it has a vocabulary, but no weights"));
  CHECK(error_of(weights("clip"))
            .ends_with("/model.gguf: it converts images for a model; name the model itself"));
  const TempFolder folder;
  const auto text = read_model_file(RealFileSystem(), folder.write("a.gguf", "hello, world"));
  CHECK(text.error().message.ends_with(
      "/a.gguf: byte 0: not a GGUF file: it does not begin with 'GGUF'"));
  CHECK(text.error().kind == ErrorKind::kUsage);
}

TEST_CASE("model file: a split model has the size of all its parts") {
  const TempFolder folder;
  const std::string first = folder.write("m-00001-of-00002.gguf", qwen().bytes());
  folder.write("m-00002-of-00002.gguf", std::string(1000, 'x'));
  folder.write("n-00002-of-00002.gguf", std::string(5000, 'x'));
  const auto model = read_model_file(RealFileSystem(), first);
  REQUIRE(model.ok());
  CHECK(model->bytes == qwen().bytes().size() + 1000);
}

}  // namespace pedro
