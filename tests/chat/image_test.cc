#include "chat/image.h"

#include <doctest/doctest.h>

#include "base/base64.h"

namespace pedro {
namespace {

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "pixels";

}  // namespace

TEST_CASE("image: the first bytes decide the type, and limits hold") {
  struct Row {
    std::string bytes;
    const char* type;  // "": refused
  };
  for (const Row& row : std::vector<Row>{{kPng, "image/png"},
                                         {"\xff\xd8\xff\xe0 JFIF", "image/jpeg"},
                                         {"GIF89a..", "image/gif"},
                                         {"GIF87a..", "image/gif"},
                                         {"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"},
                                         {"RIFF\x01\x02\x03\x04WAVEfmt ", ""},
                                         {"\x89PNG", ""},
                                         {"<svg/>", ""},
                                         {"", ""}}) {
    CAPTURE(row.bytes);
    const Result<Image> image = image_of(row.bytes);
    CHECK((image ? image->media_type : "") == row.type);
  }
  CHECK(image_of(kPng + std::string(Image::kMaxBytes, 'x')).error().message ==
        "the image has 5242894 bytes, but the limit is 5242880");
  FakeFileSystem files;
  const Error missing = read_image(files, "/a.png").error();
  CHECK(missing.kind == ErrorKind::kUsage);
  CHECK(missing.message.find("/a.png", 1) == std::string::npos);  // once
  REQUIRE(files.write_atomic("/a.svg", "<svg/>", 0600).ok());
  const Error other = read_image(files, "/a.svg").error();
  CHECK(other.kind == ErrorKind::kUsage);
  CHECK(other.message == "/a.svg: not an image: expected a PNG, JPEG, GIF or WebP file");
}

TEST_CASE("image: marks are found in any text, and only well-formed ones") {
  const std::string mark = image_mark(*image_of(kPng));
  CHECK(mark.ends_with(", image/png, 14 bytes]"));
  const std::string text = "See " + mark + " and\n[image 0123456789abcdef, image/gif, 3 bytes]. ";
  const std::vector<FoundMark> marks = image_marks(text);
  REQUIRE(marks.size() == 2);
  CHECK(text.substr(marks[0].begin, marks[0].end - marks[0].begin) == mark);
  CHECK(marks[1].id == "0123456789abcdef");
  for (const char* other :
       {"[image ", "[image 0123456789abcdef", "[image 0123456789ABCDEF, image/]",
        "[image 0123456789abcdef, text/plain, 1 bytes]", "[image [image [image",
        "[image 0123456789abcdef/../x, image/png, 1 bytes]"}) {
    CAPTURE(other);
    CHECK(image_marks(other).empty());
  }
}

TEST_CASE("image folder: an image is stored once, and found by a later process") {
  FakeFileSystem files;
  const Image image = *image_of(kPng);
  std::string mark;
  {
    ImageFolder images(files, "/job/images");
    CHECK(images.empty());
    mark = images.add(image).value();
    CHECK(images.add(image).value() == mark);
    CHECK(images.ids().size() == 1);
    CHECK(images.describe(images.ids()[0], "a cat").ok());
  }
  ImageFolder images(files, "/job/images");
  REQUIRE(images.ids().size() == 1);  // without the description
  CHECK(images.load(images.ids()[0])->bytes == kPng);
  CHECK(images.description(images.ids()[0]) == "a cat");
  CHECK(images.description("0123456789abcdef").empty());
  for (std::size_t i = 1; i < ImageFolder::kMaxImages; ++i) {
    REQUIRE(images.add(*image_of(kPng + std::to_string(i))).ok());
  }
  CHECK(images.add(*image_of(kPng + "one more")).error().message == "a job has at most 16 images");
}

TEST_CASE("image folder: messages get the images of their marks, each once") {
  FakeFileSystem files;
  ImageFolder images(files, "/job/images");
  const std::string mark = images.add(*image_of(kPng)).value();
  ChatRequest chat;
  chat.messages = {
      text_message(Role::kSystem, mark), text_message(Role::kUser, mark + " twice: " + mark),
      text_message(Role::kAssistant, mark), text_message(Role::kTool, "result " + mark),
      text_message(Role::kUser, "[image 0123456789abcdef, image/png, 3 bytes]")};
  REQUIRE(add_images(chat, images).ok());
  const std::size_t expected[] = {1, 2, 1, 2, 1};
  for (std::size_t i = 0; i < 5; ++i) CHECK(chat.messages[i].content.size() == expected[i]);
  const ContentChunk& chunk = chat.messages[1].content[1];
  CHECK(chunk.kind == ContentChunk::Kind::kImage);
  CHECK(chunk.media_type == "image/png");
  CHECK(chunk.text == to_base64(kPng));
}

}  // namespace pedro
