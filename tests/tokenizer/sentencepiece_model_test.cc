#include <doctest/doctest.h>

#include <string>

#include "tokenizer/protobuf_builder.h"
#include "tokenizer/source_text.h"
#include "tokenizer/vocabulary_readers.h"

namespace pedro {
namespace {

std::string read(const ProtobufBuilder& model) {
  return to_text(read_sentencepiece(model.bytes()));
}

ProtobufBuilder model_of(const ProtobufBuilder& piece) {
  return ProtobufBuilder()
      .message(1, piece)
      .message(2, make_trainer_spec())
      .message(3, make_normalizer_spec());
}

ProtobufBuilder trained_by(const ProtobufBuilder& trainer) {
  return ProtobufBuilder()
      .message(1, make_piece("a", 0, 1))
      .message(2, trainer)
      .message(3, make_normalizer_spec());
}

ProtobufBuilder normalized_by(const ProtobufBuilder& normalizer) {
  return ProtobufBuilder()
      .message(1, make_piece("a", 0, 1))
      .message(2, make_trainer_spec())
      .message(3, normalizer);
}

}  // namespace

TEST_CASE("sentencepiece model: pieces of all types") {
  const ProtobufBuilder model = ProtobufBuilder()
                                    .message(3, make_normalizer_spec())
                                    .message(1, make_piece("<unk>", 0, 2))
                                    .message(1, make_piece("<s>", 0, 3))
                                    .message(1, make_piece("</s>", 0, 3))
                                    .message(1, make_piece("[INST]", 0, 4))
                                    .message(1, make_piece("<0x0A>", 0, 6))
                                    .message(1, ProtobufBuilder().text(1, "\u2581a").real(2, -1.5F))
                                    .message(1, make_piece("old", -2, 5))
                                    .message(2, make_trainer_spec())
                                    .message(4, ProtobufBuilder())
                                    .integer(200, 5);
  CHECK(read(model) ==
        "characters reference by none space_prefix escape_spaces bos=1+ eos=2 unknown=0\n"
        "0 unknown '<unk>'\n1 control '<s>'\n2 control '</s>'\n3 user '[INST]'\n4 byte '\\x0a'\n"
        "5 normal '\u2581a' -1.5\n6 unused 'old' -2\n");
}

TEST_CASE("sentencepiece model: special pieces go by their names, and are control pieces") {
  const ProtobufBuilder model =
      ProtobufBuilder()
          .message(1, make_piece("<bos>", 0, 3))
          .message(1, make_piece("<s>", 0, 3))
          .message(1, make_piece("<eos>", 0, 1))
          .message(2, make_trainer_spec().text(45, "<u>").text(46, "<bos>").text(47, "<eos>"))
          .message(3, ProtobufBuilder().integer(3, 0).integer(4, 0).integer(5, 0));
  CHECK(read(model) ==
        "characters reference by none bos=0+\n"
        "0 control '<bos>'\n1 control '<s>'\n2 normal '<eos>'\n");
}

TEST_CASE("sentencepiece model: unsupported features are named") {
  struct Row {
    ProtobufBuilder model;
    std::string error;
  };
  const Row rows[] = {
      {trained_by(ProtobufBuilder()),
       "trainer_spec.model_type: 1 (unigram) cannot be read, only 2 (bpe)"},
      {trained_by(ProtobufBuilder().integer(3, 99)),
       "trainer_spec.model_type: 99 () cannot be read, only 2 (bpe)"},
      {trained_by(make_trainer_spec().integer(24, 1)),
       "trainer_spec.treat_whitespace_as_suffix: this is not supported"},
      {normalized_by(ProtobufBuilder().text(1, "nmt_nfkc").text(2, "map").integer(4, 0)),
       "normalizer_spec.precompiled_charsmap: the normalizer 'nmt_nfkc' changes characters, which "
       "is not supported"},
      {normalized_by(ProtobufBuilder()),
       "normalizer_spec.remove_extra_whitespaces: this is not supported"},
      {model_of(make_piece("<0x0g>", 0, 6)),
       "pieces: piece 0 '<0x0g>' is a byte, but not written as <0x0A>"},
      {ProtobufBuilder()
           .message(1, make_piece("<0x00>", 0, 6))
           .message(2, ProtobufBuilder().integer(3, 2))
           .message(3, make_normalizer_spec()),
       "trainer_spec.byte_fallback: it is off, but piece 0 is a byte"},
      {ProtobufBuilder().message(2, make_trainer_spec()), "pieces: there are none"},
      {ProtobufBuilder(), "pieces: there are none"},
      {model_of(make_piece("a", 0, 1)).message(1, make_piece("a", 0, 1)),
       "pieces: token 1 'a' is token 0 again"},
  };
  for (const Row& row : rows) CHECK(read(row.model) == row.error);
}

TEST_CASE("sentencepiece model: bytes that make no sense") {
  struct Row {
    std::string bytes;
    std::string error;
  };
  const Row rows[] = {
      {"\x0A", "byte 1: the file ends inside a number"},
      {"\x0A\x05"
       "ab",
       "byte 2: 5 bytes, but only 2 are left"},
      {"\x0A\x04\x0A\x05"
       "ab",
       "byte 4: 5 bytes, but only 2 are left"},
      {std::string("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11),
       "byte 11: 18446744073709551615 bytes, but only 0 are left"},
      {"\x0A" + std::string(11, '\xFF'), "byte 1: a number of more than 64 bits"},
      {std::string("\x00\x00", 2), "byte 0: there is no field of this number"},
      {"\x0B", "byte 0: there is no field of type 3"},
      {"\x0F", "byte 0: there is no field of type 7"},
      {"\x08\x01", "byte 0: this field must be a message"},
      {"\x15\x01\x02", "byte 1: 4 bytes, but only 2 are left"},
      {model_of(make_piece("", 0, 1)).bytes(), "byte 0: a piece of 0 bytes"},
      {model_of(make_piece(std::string(65'537, 'a'), 0, 1)).bytes(),
       "byte 0: a piece of 65537 bytes"},
      {model_of(make_piece("a", 0, 7)).bytes(), "byte 0: there is no piece of type 7"},
      {model_of(ProtobufBuilder().text(1, "ab").integer(3, 1)).bytes(),
       "byte 0: piece 'ab' has no score"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes.substr(0, 20));
    CHECK(to_text(read_sentencepiece(row.bytes)) == row.error);
  }
}

TEST_CASE("sentencepiece model: cut off anywhere it is read or an error") {
  const std::string bytes = model_of(make_piece("abc", -1, 1)).bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(read_sentencepiece(bytes.substr(0, size)).ok());
  }
}

}  // namespace pedro
