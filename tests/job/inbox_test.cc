#include "job/inbox.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("inbox: each message is taken once, in order, also after a skip") {
  FakeFileSystem files;
  files.folders["/job"] = true;
  Inbox inbox(files, "/job");
  CHECK(inbox.take()->empty());
  CHECK(Inbox::add(files, "/job", " use int\n").ok());
  CHECK(Inbox::add(files, "/job", "second\nline").ok());
  CHECK(*inbox.take() == std::vector<std::string>{"use int", "second\nline"});
  CHECK(inbox.take()->empty());
  const std::uint64_t taken = inbox.taken_bytes();
  CHECK(Inbox::add(files, "/job", "third").ok());
  CHECK(*inbox.take() == std::vector<std::string>{"third"});
  Inbox resumed(files, "/job");
  resumed.skip_to(taken);
  CHECK(*resumed.take() == std::vector<std::string>{"third"});
}

TEST_CASE("inbox: an incomplete line waits, and a damaged one is ignored") {
  FakeFileSystem files;
  files.folders["/job"] = true;
  Inbox inbox(files, "/job");
  files.files["/job/inbox.jsonl"] = "{\"text\":\"ha";
  CHECK(inbox.take()->empty());
  CHECK(Inbox::add(files, "/job", "whole").ok());
  CHECK(*inbox.take() == std::vector<std::string>{"whole"});
}

TEST_CASE("inbox: empty and long messages are refused, and so is a full inbox") {
  FakeFileSystem files;
  files.folders["/job"] = true;
  CHECK(Inbox::add(files, "/job", " \n").error().kind == ErrorKind::kUsage);
  CHECK(Inbox::add(files, "/job", std::string(Inbox::kMaxTextBytes + 1, 'a')).error().kind ==
        ErrorKind::kUsage);
  files.files["/job/inbox.jsonl"] = std::string(Inbox::kMaxBytes, 'a');
  CHECK(Inbox::add(files, "/job", "b").error().kind == ErrorKind::kLimit);
}

}  // namespace pedro
