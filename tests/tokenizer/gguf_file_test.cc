#include "tokenizer/gguf_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tokenizer/gguf_builder.h"

namespace pedro {
namespace {

std::string error_of(const std::string& bytes) {
  const auto file = GgufFile::open(bytes);
  return file ? "" : file.error().message;
}

template <typename T>
std::string error_of(const Result<T>& value) {
  return value ? "" : value.error().message;
}

std::string small_file() {
  return GgufBuilder()
      .tensors(290)
      .text("general.architecture", "qwen2")
      .number("qwen2.context_length", 32768)
      .text("tokenizer.chat_template", "{{ x }}")
      .truth("yes", true)
      .texts("names", {"a", "", "ccc"})
      .integers("kinds", {1, -2})
      .reals("scores", {0.5F, -3})
      .number("u8", GgufType::kUint8, std::uint8_t{200})
      .number("i8", GgufType::kInt8, std::int8_t{-1})
      .number("u16", GgufType::kUint16, std::uint16_t{65535})
      .number("i16", GgufType::kInt16, std::int16_t{16})
      .number("i32", GgufType::kInt32, std::int32_t{-7})
      .number("u64", GgufType::kUint64, std::uint64_t{1} << 40U)
      .number("i64", GgufType::kInt64, std::int64_t{64})
      .number("f32", GgufType::kFloat32, 1.0F)
      .number("f64", GgufType::kFloat64, 1.0)
      .bytes();
}

}  // namespace

TEST_CASE("gguf file: its contents") {
  const std::string bytes = small_file();
  const auto file = GgufFile::open(bytes);
  REQUIRE(file.ok());
  CHECK(file->version() == 3);
  CHECK(file->tensors() == 290);
  CHECK(file->architecture() == "qwen2");
  CHECK(file->context_length() == 32768U);
  CHECK(file->chat_template() == "{{ x }}");
  CHECK(file->model_name().empty());
  CHECK(file->truth("yes").value() == true);
  CHECK(file->integer("u8").value() == 200U);
  CHECK(file->integer("u16").value() == 65535U);
  CHECK(file->integer("i16").value() == 16U);
  CHECK(file->integer("u64").value() == std::uint64_t{1} << 40U);
  CHECK(file->integer("i64").value() == 64U);

  const auto names = file->texts("names").value();
  REQUIRE(names);
  CHECK(std::vector<std::string>(names->begin(), names->end()) ==
        std::vector<std::string>{"a", "", "ccc"});
  const auto kinds = file->numbers("kinds").value();
  REQUIRE(kinds);
  CHECK(kinds->size() == 2);
  CHECK(kinds->integer(1) == -2);
  const auto scores = file->numbers("scores").value();
  CHECK(scores->real(0) == 0.5F);
  CHECK(scores->real(1) == -3);
}

TEST_CASE("gguf file: a missing key is empty, one of another type is an error") {
  const std::string bytes = small_file();
  const auto file = GgufFile::open(bytes);
  REQUIRE(file.ok());
  CHECK_FALSE(file->text("x").value());
  CHECK_FALSE(file->truth("").value());
  CHECK_FALSE(file->integer("zzz").value());
  CHECK_FALSE(file->texts("name").value());
  CHECK_FALSE(file->numbers("namesx").value());
  CHECK(error_of(file->text("yes")) == "yes: it is of type bool, not string");
  CHECK(error_of(file->truth("u8")) == "u8: it is of type uint8, not bool");
  CHECK(error_of(file->integer("f32")) == "f32: it is of type float32, not an integer");
  CHECK(error_of(file->integer("names")) == "names: it is of type array, not an integer");
  CHECK(error_of(file->integer("i32")) == "i32: it is -7, out of range");
  CHECK(error_of(file->integer("i8")) == "i8: it is -1, out of range");
  CHECK(error_of(file->texts("i64")) == "i64: it is of type int64, not array");
  CHECK(error_of(file->texts("kinds")) ==
        "kinds: it is of type array of int32, not array of string");
  CHECK(error_of(file->numbers("names")) ==
        "names: it is of type array of string, not array of int32 or float32");
}

TEST_CASE("gguf file: version 2, and one without keys") {
  CHECK(error_of(GgufBuilder(2).text("a", "b").bytes()).empty());
  CHECK(error_of(GgufBuilder().bytes()).empty());
  const std::string bytes = GgufBuilder().bytes();
  const auto file = GgufFile::open(bytes);
  CHECK(file->architecture().empty());
  CHECK_FALSE(file->context_length());
}

TEST_CASE("gguf file: hostile ones") {
  const auto with_array = [](GgufType type, std::uint64_t count) {
    return GgufBuilder().begin_array("a", type, count).bytes();
  };
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  struct Row {
    std::string bytes;
    std::string error;
  };
  const Row rows[] = {
      {"", "byte 0: the file type of 4 bytes, but only 0 are left"},
      {"GGU", "byte 0: the file type of 4 bytes, but only 3 are left"},
      {"GGML....", "byte 0: not a GGUF file: it does not begin with 'GGUF'"},
      {"GGUF", "byte 4: the version of 4 bytes, but only 0 are left"},
      {std::string("GGUF\0\0\0\3", 8) + std::string(16, '\0'),
       "byte 4: the file is big-endian; only little-endian ones can be read"},
      {GgufBuilder(1).bytes(), "byte 4: GGUF of version 1; only 2 and 3 can be read"},
      {GgufBuilder(4).bytes(), "byte 4: GGUF of version 4; only 2 and 3 can be read"},
      {GgufBuilder(0).bytes(), "byte 4: GGUF of version 0; only 2 and 3 can be read"},
      {GgufBuilder().bytes(kHuge),
       "byte 16: 18446744073709551615 keys, but only 0 bytes are left, and 10000 keys are the "
       "limit"},
      {GgufBuilder().text("a", "b").bytes(3),
       "byte 16: 3 keys, but only 22 bytes are left, and 10000 keys are the limit"},
      {GgufBuilder().text("a", "12345678901234567").bytes(2),
       "byte 62: a key of 8 bytes, but only 0 are left"},
      {GgufBuilder().add(kHuge).add(std::uint64_t{0}).bytes(1),
       "byte 32: a key of 18446744073709551615 bytes, but only 8 are left"},
      {GgufBuilder().begin("a", GgufType::kString).add(kHuge).bytes(),
       "byte 45: a string of 18446744073709551615 bytes, but only 0 are left"},
      {GgufBuilder().begin("a", static_cast<GgufType>(13)).bytes() + "    ",
       "byte 33: there is no type 13"},
      {GgufBuilder().begin("a", GgufType::kUint32).add(std::uint16_t{1}).bytes(),
       "byte 37: a value of 4 bytes, but only 2 are left"},
      {with_array(GgufType::kString, kHuge),
       "byte 37: an array of 18446744073709551615 values, but only 0 bytes are left"},
      {with_array(GgufType::kUint8, 1), "byte 37: an array of 1 values, but only 0 bytes are left"},
      {with_array(GgufType::kFloat64, kHuge / 8 + 2),
       "byte 37: an array of 2305843009213693953 values, but only 0 bytes are left"},
      {GgufBuilder().begin_array("a", GgufType::kFloat64, 3).add(1.0).bytes(),
       "byte 37: an array of 3 values, but only 8 bytes are left"},
      {with_array(GgufType::kArray, 0), "byte 37: an array of arrays"},
      {GgufBuilder().begin_array("a", GgufType::kString, 1).add(std::uint64_t{5}).add('x').bytes(),
       "byte 57: a string of 5 bytes, but only 1 are left"},
      {GgufBuilder().text("a", "b").text("c", "d").text("a", "e").bytes(),
       "byte 68: the key 'a' appears twice"},
      {GgufBuilder().text(std::string(65'536, 'k'), "").bytes(),
       "byte 24: a key of more than 65535 bytes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes.substr(0, 40));
    CHECK(error_of(row.bytes) == row.error);
  }
}

TEST_CASE("gguf file: cut off anywhere it is an error with a place") {
  const std::string bytes = small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string error = error_of(bytes.substr(0, size));
    CAPTURE(size);
    CHECK(error.starts_with("byte "));
  }
}

}  // namespace pedro
