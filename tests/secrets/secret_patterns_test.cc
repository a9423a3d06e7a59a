
#include <doctest/doctest.h>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/text.h"
#include "secrets/secret_mask.h"

namespace pedro {

extern const EmbeddedFile kSecretPatterns[];

namespace {

std::vector<std::string> found_in(std::string_view text, const SecretPattern& row) {
  std::vector<SecretSpan> spans;
  find_secrets(text, row, spans);
  std::vector<std::string> found;
  for (const SecretSpan& span : spans) {
    found.emplace_back(text.substr(span.begin, span.end - span.begin));
  }
  return found;
}

}  // namespace

TEST_CASE("secret patterns: each row finds its example and leaves its counterexample") {
  const Json file = parse_json(kSecretPatterns[0].bytes).value();
  const Json& rows = member(file, "rows");
  REQUIRE(secret_patterns().size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The text before the secret, the secret in two pieces, and the text after it.
    const auto masks = member(rows[i], "masks").get<std::vector<std::string>>();
    const auto keeps = member(rows[i], "keeps").get<std::vector<std::string>>();
    const std::string name = text_of(rows[i], "name");
    CAPTURE(name);
    REQUIRE(masks.size() == 4);
    const std::string text = join(masks, "");
    CHECK(found_in(text, secret_patterns()[i]) == std::vector{masks[1] + masks[2]});
    CHECK(SecretMask().mask(text) == masks[0] + "[masked: " + name + "]" + masks[3]);
    for (const std::string& kept : keeps) CHECK(SecretMask().mask(kept) == kept);
  }
}

TEST_CASE("secret patterns: a search over its limit hides the rest of the text") {
  auto pattern = TextPattern::compile("x|(?:a|aa)+b", TextPattern::Unit::kByte);
  REQUIRE(pattern.ok());
  const SecretPattern row{"slow", std::move(*pattern)};
  const std::string slow = " " + std::string(64, 'a');
  CHECK(found_in("1 x 2" + slow, row) == std::vector<std::string>{"x", " 2" + slow});
}

TEST_CASE("secret patterns: the last word of a name says if it is a secret") {
  for (const char* name : {"password", "DB_PASSWORD", "apiKey", "client-secret", "_authToken",
                           "aws_secret_access_key", "smtp_pass", "GITHUB_TOKEN", "password_2"}) {
    CAPTURE(name);
    CHECK(is_secret_name(name));
  }
  for (const char* name : {"", "key", "token_count", "tokenizer", "secret_name", "bypass",
                           "public_key", "monkey", "password_file"}) {
    CAPTURE(name);
    CHECK_FALSE(is_secret_name(name));
  }
}

}  // namespace pedro
