#include "base/base64.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {

TEST_CASE("base64: encodes and decodes known examples") {
  struct Row {
    const char* text;
    std::string bytes;
  };
  for (const Row& row :
       {Row{"", ""}, Row{"Zg==", "f"}, Row{"Zm8=", "fo"}, Row{"Zm9v", "foo"},
        Row{"Zm9vYg==", "foob"}, Row{"/+8=", "\xFF\xEF"}, Row{"AAAA", std::string(3, '\0')}}) {
    std::string bytes = "before ";
    CAPTURE(row.text);
    CHECK(append_base64(bytes, row.text));
    CHECK(bytes == "before " + row.bytes);
  }
}

TEST_CASE("base64: refuses anything that is not strictly valid") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v=", "Zg==Zg==",
                           "Zm 9", "Zm9-", "Zm9_", "Zh==", "Zm9=", "Zm\xC3\xA9", "Z=g="}) {
    std::string bytes;
    CAPTURE(text);
    CHECK_FALSE(append_base64(bytes, text));
  }
}

TEST_CASE("base64: encoded bytes are decoded unchanged") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    std::string read;
    CHECK(append_base64(read, to_base64(bytes)));
    CHECK(read == bytes);
    bytes += static_cast<char>(i * 7);
  }
  CHECK(to_base64("ab\xFF?") == "YWL/Pw==");
}

}  // namespace pedro
