#include "blog/blog_post.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("blog post: a folder is named by its title, and two titles have two") {
  CHECK(post_slug("What it cost: 3 hives") == "what-it-cost-3-hives");
  CHECK(post_slug("") == "post");
  CHECK(post_slug("蜂蜜").starts_with("post-"));
  CHECK(post_slug("蜂蜜") != post_slug("蜂"));
}

TEST_CASE("material: an address matches a source only as a whole") {
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

TEST_CASE("material: only whole words match, in a source or in the author's request") {
  Material material;
  material.add({"notes", "The harvest doubled in one year; 蜂蜜は甘い。"});
  material.add_wish("Announce “the new hive” at https://p.example");
  for (const char* words : {"harvest", "Doubled in  one year", "the new hive", "蜜は甘"}) {
    CAPTURE(words);
    CHECK(material.has_words(words));
  }
  for (const char* words : {"", " ", "vest doubled", "harvest dou", "a", "the old hive"}) {
    CAPTURE(words);
    CHECK_FALSE(material.has_words(words));
  }
  CHECK(material.has_link("https://p.example"));
  CHECK_FALSE(material.has_link("https://p.exam"));
}

TEST_CASE("blog post: addresses in text, link texts and code are checked against the material") {
  Material material;
  material.add({"notes", "See https://bees.example/a."});
  struct Row {
    const char* text;
    const char* expected;
  };
  for (const Row& row : {
           Row{"See https://bees.example/a, (https://bees.example/a) or <https://bees.example/a>.",
               ""},
           Row{"See https://evil.example/x_y_z for more.", "https://evil.example/x_y_z"},
           Row{"[https://evil.example](https://bees.example/a)", "https://evil.example"},
           Row{"`https://evil.example`", ""},
           Row{"x **http://evil.example** y", "http://evil.example"},
           Row{"# https://evil.example", "https://evil.example"},
           Row{"It is called http, or https.", ""},
       }) {
    CAPTURE(row.text);
    const std::string expected = row.expected;
    const std::vector<std::string> problems = unsupported(row.text, material);
    if (expected.empty()) {
      CHECK(problems.empty());
    } else {
      CHECK(problems ==
            std::vector<std::string>{"the link " + expected + " is not in the material"});
    }
  }
}

TEST_CASE("blog post: a source that readers can open is a link, any other a name") {
  BlogPost post;
  post.title = "T";
  post.sections = {{"One", "x"}};
  post.cited = {{"https://bees.example/a", ""},
                {"notes/a_b_[1].md", "../../notes/a_b_[1].md"},
                {"/home/me/secret folder/bees.txt", ""}};
  const std::string body = body_of(post);
  CHECK(body.substr(body.find("## Sources")) ==
        "## Sources\n\n- <https://bees.example/a>\n"
        "- [notes/a\\_b\\_\\[1\\].md](<../../notes/a\\_b\\_\\[1\\].md>)\n- bees.txt\n");
  CHECK(page_of(post).find("<a href=\"../../notes/a_b_%5B1%5D.md\">notes/a_b_[1].md</a>") !=
        std::string::npos);
}

TEST_CASE("blog post: words of a script without blanks are its characters") {
  BlogPost post;
  std::string text;
  for (int i = 0; i < 1500; ++i) text += "蜂";
  post.sections = {{"One", text}};
  const std::string markdown = markdown_of(post);
  CHECK(markdown.find("\nwords: 1501\nreading_time: 3 min\n") != std::string::npos);
}

}  // namespace pedro
