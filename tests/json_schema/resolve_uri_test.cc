#include <doctest/doctest.h>

#include "json_schema/schema_place.h"

namespace pedro {

TEST_CASE("resolve_uri: the examples of RFC 3986, section 5.4, without fragments") {
  struct Row {
    const char* reference;
    const char* uri;
  };
  for (const Row& row : {
           Row{"g:h", "g:h"},
           Row{"g", "http://a/b/c/g"},
           Row{"./g", "http://a/b/c/g"},
           Row{"g/", "http://a/b/c/g/"},
           Row{"/g", "http://a/g"},
           Row{"//g", "http://g"},
           Row{"?y", "http://a/b/c/d;p?y"},
           Row{"g?y", "http://a/b/c/g?y"},
           Row{"#s", "http://a/b/c/d;p?q"},
           Row{"g#s", "http://a/b/c/g"},
           Row{"g?y#s", "http://a/b/c/g?y"},
           Row{"g;x=1/./y", "http://a/b/c/g;x=1/y"},
           Row{"g;x=1/../y", "http://a/b/c/y"},
           Row{"g?y/../x", "http://a/b/c/g?y/../x"},
           Row{"", "http://a/b/c/d;p?q"},
           Row{".", "http://a/b/c/"},
           Row{"..", "http://a/b/"},
           Row{"../g", "http://a/b/g"},
           Row{"../../g", "http://a/g"},
           Row{"../../../g", "http://a/g"},
           Row{"/../g", "http://a/g"},
           Row{"g..", "http://a/b/c/g.."},
       }) {
    CAPTURE(row.reference);
    CHECK(resolve_uri("http://a/b/c/d;p?q", row.reference) == row.uri);
  }
}

TEST_CASE("resolve_uri: bases without a path") {
  CHECK(resolve_uri("http://a", "g") == "http://a/g");
  CHECK(resolve_uri("http://a?q", "#s") == "http://a?q");
  CHECK(resolve_uri("urn:x:y", "#s") == "urn:x:y");
  CHECK(resolve_uri("urn:x:y", "urn:x:z") == "urn:x:z");
}

}  // namespace pedro
