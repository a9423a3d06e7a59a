#include "support/read_file.h"

#include <doctest/doctest.h>

#include "support/temp_folder.h"

namespace pedro {

TEST_CASE("read file: all bytes of a file, and an error without it") {
  const TempFolder folder;
  const std::string bytes("a\0\r\n\xff", 5);
  CHECK(read_file(folder.write("some", bytes)) == bytes);
  CHECK(read_file(folder.write("empty", "")).empty());
  const std::string missing = folder.at("missing") + ": cannot be read";
  CHECK_THROWS_WITH(read_file(folder.at("missing")), missing.c_str());
  CHECK_THROWS(read_file(folder.path()));
}

}  // namespace pedro
