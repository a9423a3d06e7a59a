#include "agent/blog_post.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("blog post: a folder is named by its title, and two titles have two") {
  CHECK(post_slug("What it cost: 3 hives") == "what-it-cost-3-hives");
  CHECK(post_slug("") == "post");
  CHECK(post_slug("蜂蜜").starts_with("post-"));
  CHECK(post_slug("蜂蜜") != post_slug("蜂"));
}

TEST_CASE("material: an address stands in a source as a whole") {
  Material material;
  material.add({"notes",
                "See https://bees.example/article-1. Or (https://b.example/x?a=1), "
                "\"https://c.example\", “https://d.example/y”, <https://e.example/z>; "
                "[l](https://f.example/)\nhttps://g.example/a/b"});
  material.add({"https://named.example/", "x"});
  for (const char* address :
       {"https://bees.example/article-1", "https://b.example/x?a=1", "https://c.example",
        "https://d.example/y", "https://e.example/z", "https://f.example/", "https://g.example/a/b",
        "https://named.example/"}) {
    CAPTURE(address);
    CHECK(material.has_link(address));
  }
  for (const char* address :
       {"https://bees.example/art", "https://bees.example/article-", "h", "ees.example/article-1",
        "https://b.example/x", "https://g.example/a", "https://named.example", "#nowhere", ""}) {
    CAPTURE(address);
    CHECK_FALSE(material.has_link(address));
  }
}

}  // namespace pedro
