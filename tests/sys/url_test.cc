#include "sys/url.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace pedro {

TEST_CASE("url: refused addresses, with the reason") {
  struct Row {
    std::string url, message;
  };
  const std::vector<Row> rows = {
      {"", "the address is empty; give http://HOST:PORT"},
      {"file:///etc/passwd",
       "file:///etc/passwd: only http://, https:// and unix:/PATH addresses can be used"},
      {"localhost:8080",
       "localhost:8080: only http://, https:// and unix:/PATH addresses can be used"},
      {"http://", "http://: the address has no host; give http://HOST:PORT"},
      {"http://:8080/", "http://:8080/: the address has no host; give http://HOST:PORT"},
      {"http://me:pw@/x", "http:///x: the address has no host; give http://HOST:PORT"},
      {"http://a b/", "http://a b/: the address contains a blank or a control character"},
      {"http://a\\@b/", "http://b/: the address contains a blank or a control character"},
      {"http://a/" + std::string(9000, 'x'),
       "http://a/" + std::string(191, 'x') + "...: the address is longer than 8192 bytes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.url);
    const Status status = check_url(row.url);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::kModel);
    CHECK(status.error().message == row.message);
  }
  CHECK(check_url("http://127.0.0.1:8080/completion").ok());
  CHECK(check_url("HTTPS://user:key@api.example.com?x=1").ok());
}

TEST_CASE("url: a Unix socket with the route of a request") {
  CHECK(check_url("unix:/run/model.sock").ok());
  CHECK_FALSE(check_url("unix:run/model.sock").ok());
  CHECK_FALSE(check_url("unix:/run/").ok());
  CHECK_FALSE(check_url("unix:/run/a b").ok());
  CHECK(url_of_route("unix:/run/m.sock", "/v1/models?a=b:/c") ==
        "unix:/run/m.sock:/v1/models?a=b:/c");
  CHECK(url_of_route("http://h:1", "/props") == "http://h:1/props");
  for (const char* url :
       {"unix:/run/m.sock:/v1/models?a=b:/c", "unix:///run/m.sock:/v1/models?a=b:/c"}) {
    const auto split = unix_socket_url(url);
    REQUIRE(split);
    CHECK(split->socket == "/run/m.sock");
    CHECK(split->target == "/v1/models?a=b:/c");
  }
  CHECK(is_loopback_url("unix:/run/m.sock"));
  CHECK(public_url("unix:/run/m.sock:/props?model=x") == "unix:/run/m.sock:/props");
  CHECK(encode_query("owner/name:Q4_K_M a&b\xC3\xA4") == "owner%2Fname%3AQ4_K_M%20a%26b%C3%A4");
}

TEST_CASE("url: messages carry no secrets") {
  CHECK(public_url("https://me:pw@host:1/a/b?key=secret#part") == "https://host:1/a/b");
  CHECK(public_url("https://me:p@w@host?key=secret") == "https://host");
  CHECK(public_url("me:pw@host") == "host");
}

TEST_CASE("url: which ones stay on this machine") {
  for (const std::string url :
       {"http://localhost", "http://LOCALHOST:80/", "http://127.0.0.1:8080/x", "http://127.1.2.3",
        "http://[::1]:80/", "http://a@localhost/"}) {
    CAPTURE(url);
    CHECK(is_loopback_url(url));
  }
  for (const std::string url :
       {"http://localhost.example.com", "http://127.example.com", "http://localhost@example.com/",
        "http://[::2]/", "http://10.0.0.1/", "http://example.com/?localhost"}) {
    CAPTURE(url);
    CHECK_FALSE(is_loopback_url(url));
  }
}

}  // namespace pedro
