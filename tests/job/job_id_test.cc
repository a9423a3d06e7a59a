#include "job/job_id.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {

TEST_CASE("job id: time, agent and four digits, sorted by time") {
  CHECK(new_job_id(1'700'000'000'123, "build", 0x17f3a) == "20231114-221320-123-build-7f3a");
  CHECK(new_job_id(1'700'000'000'123, "../Bad Name", 0xa) ==
        "20231114-221320-123----bad-name-000a");
  CHECK(new_job_id(0, "", 0) == "19700101-000000-000-job-0000");
  CHECK(new_job_id(1'700'000'001'000, "a", 0) > new_job_id(1'700'000'000'000, "z", 0xffff));
  CHECK(new_job_id(1'700'000'000'002, "a", 0) > new_job_id(1'700'000'000'001, "z", 0xffff));
  CHECK(is_job_id(new_job_id(1, std::string(100, 'x'), 1)));
}

TEST_CASE("job id: accepted forms on a command line") {
  struct Row {
    const char* text;
    bool expected;
  };
  const Row rows[] = {
      {"20261121-214500-042-build-7f3a", true},
      {"20261121-214500-build-7f3a", true},  // the format before milliseconds were added
      {"20261121-214500-two-words-7f3a", true},
      {"", false},
      {"20261121-214500-", false},
      {"20261121-214500-7f3a", false},
      {"20261121-214500--7f3a", false},
      {"20261121-214500-build-7F3A", false},
      {"20261121-214500-build-7f3", false},
      {"20261121-214500-bu/ld-7f3a", false},
      {"20261121-214500-../../x-7f3a", false},
      {"../20261121-214500-build-7f3a", false},
      {"2026112a-214500-build-7f3a", false},
      {"20261121-214500-build-7f3a/..", false},
      {"20261121-214500-abcdefghijklmnopqrstuvwxyz-xyz-7f3a", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(is_job_id(row.text) == row.expected);
  }
  CHECK_FALSE(is_job_id(std::string("20261121-214500-b\0d-7f3a", 24)));
}

TEST_CASE("job id: a beginning or the last digits name a job") {
  struct Row {
    const char* text;
    bool expected;
  };
  for (const Row& row : {Row{"20261121-214500-042-build-7f3a", true}, Row{"20261121-2145", true},
                         Row{"2026", true}, Row{"7f3a", true}, Row{"202", false}, Row{"", false},
                         Row{"-7f3a", false}, Row{"build-7f3a", false}, Row{"f3a", false},
                         Row{"20261121-214500-042-build-7f3a0", false}, Row{"214500", false}}) {
    CAPTURE(row.text);
    CHECK(names_job(row.text, "20261121-214500-042-build-7f3a") == row.expected);
  }
}

}  // namespace pedro
