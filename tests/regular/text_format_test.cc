#include <doctest/doctest.h>

#include "regular/pattern_set.h"

namespace pedro {

TEST_CASE("text_format: accepted and rejected texts of each format") {
  struct Row {
    const char* format;
    std::vector<const char*> in;
    std::vector<const char*> out;
  };
  for (const Row& row : {
           Row{"date",
               {"2024-02-29", "2023-12-31", "2000-02-29", "0001-01-01"},
               {"2023-02-29", "1900-02-29", "2023-13-01", "2023-04-31", "2023-1-1", "20230101"}},
           Row{"time",
               {"12:00:00Z", "23:59:60Z", "23:59:60.5+00:00", "12:00:00.123456+05:30", "12:00:00z"},
               {"24:00:00Z", "12:60:00Z", "12:00:60Z", "23:58:60Z", "23:59:60+01:00", "12:00:00",
                "12:00Z", "12:00:00.Z"}},
           Row{"date-time",
               {"2024-02-29T12:00:00Z", "2023-01-01t00:00:00.5-23:59", "1998-12-31T23:59:60Z"},
               {"2023-02-29T12:00:00Z", "2023-01-01 00:00:00Z", "2023-01-01",
                "2024-01-01T12:00:60Z"}},
           Row{"duration",
               {"P1Y", "P1Y2M3D", "PT1H", "PT1H2M3S", "P1DT12H", "P2W"},
               {"P", "PT", "P1Y3D", "PT1H3S", "1Y", "P1W2D"}},
           Row{"email",
               {"a@b", "first.last+tag@example.co.uk", "!#$%@x.y", "\"a b\"@c", "\"@\\\"\"@c.de",
                "\"\"@c"},
               {"a", "@b", "a@", "a..b@c", ".a@b", "a@-b", "a b@c", "a@b@c", "\"a\"b@c",
                "\"a\"\"@c", "\"a\\\"@c"}},
           Row{"hostname",
               {"localhost", "a.b-c.d", "xn--a.b", "1.2"},
               {"", "-a", "a-", "a..b", "a_b", "a."}},
           Row{"ipv4",
               {"0.0.0.0", "255.255.255.255"},
               {"256.1.1.1", "1.1.1", "01.1.1.1", "1.1.1.1."}},
           Row{"ipv6",
               {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
                "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "fe80::a:b"},
               {"", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
                "12345::", "::1.2.3", "1:2:3:4:5:6:7:8::"}},
           Row{"uri",
               {"http://a.b/c?d=e#f", "urn:isbn:1", "mailto:a@b", "http://[::1]:80/",
                "a:", "file:///etc"},
               {"", "a", "//a/b", "/a", "http://a b", "1a:b", "http://a/%zz"}},
           Row{"uri-reference",
               {"", "a", "//a/b", "/a", "http://a/b", "#f", "?q", "./a:b"},
               {"http://a b", "%zz", "\\a"}},
           Row{"uri-template",
               {"", "http://a/{b}", "{+path,x:30}/é", "{?q*,a.b}{&c}", "%41"},
               {"{", "a}", "{}", "{a", "{a,}", "{a:0}", "a b", "%4"}},
           Row{"uuid",
               {"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"},
               {"123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400"}},
           Row{"json-pointer", {"", "/", "/a/b", "/~0~1"}, {"a", "/~", "/~2"}},
           Row{"relative-json-pointer", {"0", "1/a", "0#", "12/"}, {"", "01", "-1", "/a"}},
       }) {
    CAPTURE(row.format);
    const TextSet* set = text_format(row.format);
    REQUIRE(set != nullptr);
    for (const char* text : row.in) CHECK_MESSAGE(set->contains(text), text);
    for (const char* text : row.out) CHECK_MESSAGE(!set->contains(text), text);
  }
}

TEST_CASE("text_format: other names") {
  CHECK(text_format("color") == nullptr);
  CHECK_FALSE(is_other_standard_format("color"));
  CHECK(text_format("iri") == nullptr);
  CHECK(is_other_standard_format("iri"));
  CHECK(is_other_standard_format("regex"));
}

}  // namespace pedro
