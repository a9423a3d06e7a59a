#include <doctest/doctest.h>

#include "support/temp_folder.h"
#include "sys/http.h"

namespace pedro {

TEST_CASE("certificates: the chosen file, else the first usual one that is a file") {
  const TempFolder folder;
  const std::string file = folder.write("ca.pem", "");
  const std::vector<std::string> usual = {folder.at("none.pem"), folder.path(), file};
  CHECK(certificate_file("", usual) == file);
  CHECK(certificate_file("/mine.pem", usual) == "/mine.pem");
  CHECK(certificate_file("", {folder.at("none.pem")}) == "");
}

}  // namespace pedro
