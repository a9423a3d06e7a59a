#include <doctest/doctest.h>

#include <functional>
#include <thread>

#include "base/text.h"
#include "mcp/access_token.h"
#include "mcp/client.h"
#include "mcp/http_transport.h"
#include "mcp/oauth_login.h"
#include "support/loopback_server.h"
#include "sys/redirect_listener.h"
#include "sys/url.h"

namespace pedro::mcp {
namespace {

class FixedClock : public Clock {
 public:
  long long now_ms() const override { return now_s * 1000; }
  long long ticks_ms() const override { return now_s * 1000; }
  long long now_s = 1'000'000;
};

LoopbackReply json_reply_of(const Json& json, int status = 200) {
  return {.status = status, .headers = {"Content-Type: application/json"}, .body = to_line(json)};
}

// A protected server, which is its own authorization server. Rows of tests break one part.
struct ProtectedWorld {
  ProtectedWorld() : server([this](const LoopbackRequest& request) { return answer(request); }) {
    const std::string origin = origin_of(server.url());
    resource = {{"resource", server.url("/mcp")},
                {"authorization_servers", {origin + "/as"}},
                {"scopes_supported", {"read", "write"}}};
    issuer = {{"issuer", origin + "/as"},
              {"authorization_endpoint", origin + "/authorize"},
              {"token_endpoint", origin + "/token"},
              {"registration_endpoint", origin + "/register"},
              {"code_challenge_methods_supported", {"S256"}},
              {"token_endpoint_auth_methods_supported", {"none", "client_secret_post"}}};
    tokens = {{"access_token", "access-1"},
              {"token_type", "Bearer"},
              {"refresh_token", "refresh-1"},
              {"expires_in", 3600}};
  }

  LoopbackReply answer(const LoopbackRequest& request) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    if (path == "/mcp") return answer_mcp(request);
    if (path == "/meta" || path == "/.well-known/oauth-protected-resource/mcp") {
      return resource.is_null() ? LoopbackReply{.status = 404} : json_reply_of(resource);
    }
    if (path == "/.well-known/oauth-authorization-server/as" ||
        path == "/.well-known/oauth-authorization-server") {
      return issuer.is_null() ? LoopbackReply{.status = 404} : json_reply_of(issuer);
    }
    if (path == "/register") {
      registered = *parse_json(request.body);
      return json_reply_of(client, 201);
    }
    if (path == "/token") {
      token_request = request.body;
      return json_reply_of(tokens, tokens.contains("error") ? 400 : 200);
    }
    return {.status = 404};
  }

  LoopbackReply answer_mcp(const LoopbackRequest& request) {
    const auto found = request.headers.find("authorization");
    const auto json = parse_json(request.body);
    if (has_open_handshake && text_of(*json, "method") == "initialize") return {.status = 202};
    if (found == request.headers.end() || found->second != "Bearer " + valid) {
      return {.status = 401, .headers = {"WWW-Authenticate: " + challenge}};
    }
    if (text_of(*json, "method") != "server/discover") return {.status = 202};
    return json_reply_of(
        {{"jsonrpc", "2.0"},
         {"id", member(*json, "id")},
         {"result", {{"supportedVersions", {"2026-07-28"}}, {"capabilities", Json::object()}}}});
  }

  Result<Grant> log_in(std::string scope = "", Grant earlier = {}) {
    OauthLogin login(http, clock,
                     {server.url("/mcp"), std::move(scope), "", "", std::move(earlier)});
    return login.run({.redirect_url = "http://127.0.0.1:9/callback",
                      .state = "state-1",
                      .verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                      .show = [this](const std::string& url) { shown = url; },
                      .wait = [this] { return Result<std::string>(redirect); }},
                     cancel);
  }

  LoopbackServer server;
  Json resource;
  Json issuer;
  Json client = {{"client_id", "client 1"}};
  Json tokens;
  std::string challenge = "Bearer error=\"invalid_token\"";
  bool has_open_handshake = false;  // only later requests need a token
  std::string valid = "access-1";
  std::string redirect = "code=code%2D1&state=state-1";
  std::string shown;
  std::string token_request;
  Json registered;
  CurlHttp http;
  FixedClock clock;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("oauth: PKCE as in RFC 7636, appendix B; queries are decoded") {
  CHECK(pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") ==
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  CHECK(query_value("a=1&state=x%20y+z&b", "state") == "x y z");
  CHECK(query_value("mystate=1", "state") == "");
}

TEST_CASE("oauth: challenges of servers are parsed") {
  struct Row {
    const char* header;
    const char* error;
    const char* scope;
    const char* metadata;
  };
  const Row rows[] = {
      {R"(Bearer error="insufficient_scope", scope="a b", resource_metadata="https://x/m")",
       "insufficient_scope", "a b", "https://x/m"},
      {R"(bearer scope=a,error=e)", "e", "a", ""},
      {R"(Bearer scope="a \"b\" , c")", "", "a \"b\" , c", ""},
      {R"(Bearer scope="never ends)", "", "never ends", ""},
      {R"(Basic realm="x")", "", "", ""},
      {"Bearer", "", "", ""},
      {"", "", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    const Challenge challenge = parse_challenge(row.header);
    CHECK(challenge.error == row.error);
    CHECK(challenge.scope == row.scope);
    CHECK(challenge.resource_metadata == row.metadata);
  }
}

TEST_CASE("oauth: a server may not name addresses of this machine, files or plain http") {
  struct Row {
    const char* url;
    const char* server;
    bool fits;
  };
  const Row rows[] = {{"https://as.example.com/x", "https://mcp.example.com", true},
                      {"http://as.example.com/x", "https://mcp.example.com", false},
                      {"https://127.0.0.1/x", "https://mcp.example.com", false},
                      {"http://localhost:80/x", "https://mcp.example.com", false},
                      {"http://[::1]:80/x", "https://mcp.example.com", false},
                      {"http://localhost:80/x", "http://127.0.0.1:7/mcp", true},
                      {"http://as.example.com/x", "http://127.0.0.1:7/mcp", false},
                      {"file:///etc/passwd", "http://127.0.0.1:7/mcp", false},
                      {"unix:/run/x.sock", "http://127.0.0.1:7/mcp", false},
                      {"https://user@as.example.com/x", "https://mcp.example.com", false},
                      {"https://as.example.com/\r\nX: y", "https://mcp.example.com", false},
                      {"", "https://mcp.example.com", false}};
  for (const Row& row : rows) {
    CAPTURE(row.url);
    CHECK(check_named_url(row.url, row.server).ok() == row.fits);
  }
}

TEST_CASE("oauth: a sign-in registers a client, shows an address and exchanges the code") {
  ProtectedWorld world;
  const auto grant = world.log_in();
  REQUIRE_MESSAGE(grant.ok(), (grant.ok() ? "" : grant.error().message));
  CHECK(grant->access_token == "access-1");
  CHECK(grant->refresh_token == "refresh-1");
  CHECK(grant->expires_at_s == 1'003'600);
  const std::string resource = encode_query(world.server.url("/mcp"));
  CHECK(world.shown == world.server.url("/authorize?response_type=code&client_id=client%201") +
                           "&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&state=state-1"
                           "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                           "&code_challenge_method=S256&scope=read%20write&resource=" +
                           resource);
  CHECK(world.token_request ==
        "grant_type=authorization_code&code=code-1"
        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback"
        "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&client_id=client%201"
        "&resource=" +
            resource);
  CHECK(text_of(world.registered, "application_type") == "native");
  CHECK(text_of(world.registered, "token_endpoint_auth_method") == "none");
}

TEST_CASE("oauth: the scope is the user's, else the challenge's, else the resource's") {
  ProtectedWorld world;
  world.issuer["scopes_supported"] = {"offline_access"};
  const auto scope_of = [&](const std::string& given) {
    REQUIRE(world.log_in(given).ok());
    return query_value(world.shown, "scope");
  };
  CHECK(scope_of("mine") == "mine offline_access");
  CHECK(scope_of("") == "read write offline_access");
  world.challenge =
      "Bearer scope=\"admin\", resource_metadata=\"" + world.server.url("/meta") + "\"";
  CHECK(scope_of("") == "admin offline_access");
  world.has_open_handshake = true;
  CHECK(scope_of("") == "admin offline_access");
  world.resource.erase("scopes_supported");
  world.issuer.erase("scopes_supported");
  world.challenge = "Bearer";
  CHECK(scope_of("") == "");
}

TEST_CASE("oauth: a scope is asked for in addition to those of the last sign-in") {
  ProtectedWorld world;
  const auto first = world.log_in();
  REQUIRE(first.ok());
  CHECK(first->scope == "read write");
  const auto more = world.log_in("admin  read", *first);
  REQUIRE(more.ok());
  CHECK(query_value(world.shown, "scope") == "read write admin");
  CHECK(more->scope == "read write admin");
  world.tokens["scope"] = "read admin";  // the server grants less
  const auto less = world.log_in("admin", *more);
  REQUIRE(less.ok());
  CHECK(less->scope == "read admin");
  Grant foreign = *more;
  foreign.token_endpoint = "https://other.example/token";
  REQUIRE(world.log_in("admin", foreign).ok());
  CHECK(query_value(world.shown, "scope") == "admin");
}

TEST_CASE("oauth: a server without metadata has the endpoints of version 2025-03-26") {
  ProtectedWorld world;
  world.resource = nullptr;
  world.issuer = nullptr;
  REQUIRE(world.log_in().ok());
  CHECK(world.shown.starts_with(world.server.url("/authorize?")));
  CHECK(world.shown.find("resource=") == std::string::npos);
}

TEST_CASE("oauth: without metadata of the resource, any issuer of its origin is taken") {
  ProtectedWorld world;
  world.resource = nullptr;
  REQUIRE(world.log_in().ok());
  world.issuer["issuer"] = "https://evil.example.com";
  CHECK(world.log_in().error().message.find("calls itself https://evil.example.com") !=
        std::string::npos);
}

TEST_CASE("oauth: clients with a secret sign in by header or form, as they were registered") {
  ProtectedWorld world;
  world.issuer["token_endpoint_auth_methods_supported"] = {"client_secret_basic"};
  world.client["client_secret"] = "a b";
  REQUIRE(world.log_in().ok());
  CHECK(text_of(world.registered, "token_endpoint_auth_method") == "client_secret_basic");
  CHECK(world.server.requests().back().headers.at("authorization") ==
        "Basic Y2xpZW50JTIwMTphJTIwYg==");
  CHECK(query_value(world.token_request, "client_id") == "client 1");
  CHECK(query_value(world.token_request, "client_secret") == "");
  world.client["token_endpoint_auth_method"] = "client_secret_post";
  REQUIRE(world.log_in().ok());
  CHECK(query_value(world.token_request, "client_secret") == "a b");
  CHECK(world.server.requests().back().headers.contains("authorization") == false);
}

TEST_CASE("oauth: whatever breaks a rule ends the sign-in, and no error has a secret") {
  struct Row {
    const char* name;
    std::function<void(ProtectedWorld&)> change;
    const char* error;  // a part
  };
  const std::string huge(300'000, 'x');
  const Row rows[] = {
      {"another resource",
       [](ProtectedWorld& w) { w.resource["resource"] = "https://evil.example.com/mcp"; },
       "its metadata is about another resource, https://evil.example.com/mcp"},
      {"a path beside the server's",
       [](ProtectedWorld& w) { w.resource["resource"] = w.server.url("/mc"); },
       "its metadata is about another resource"},
      {"no issuer", [](ProtectedWorld& w) { w.resource.erase("authorization_servers"); },
       "its metadata names no authorization server"},
      {"a file as issuer",
       [](ProtectedWorld& w) { w.resource["authorization_servers"] = {"file:///etc"}; },
       "file:///etc"},
      {"plain http elsewhere",
       [](ProtectedWorld& w) { w.issuer["token_endpoint"] = "http://evil.example.com/token"; },
       "http://evil.example.com/token is refused"},
      {"metadata elsewhere in plain http",
       [](ProtectedWorld& w) {
         w.challenge = "Bearer resource_metadata=\"http://evil.example.com\"";
       },
       "http://evil.example.com is refused"},
      {"another issuer", [](ProtectedWorld& w) { w.issuer["issuer"] = "https://evil.example.com"; },
       "calls itself https://evil.example.com"},
      {"no PKCE",
       [](ProtectedWorld& w) { w.issuer["code_challenge_methods_supported"] = {"plain"}; },
       "does not support PKCE with S256"},
      {"no metadata of the issuer", [](ProtectedWorld& w) { w.issuer = nullptr; },
       "has no metadata"},
      {"a huge document", [&](ProtectedWorld& w) { w.issuer["x"] = huge; }, "exceeds the limit"},
      {"no client", [](ProtectedWorld& w) { w.client = Json::object(); },
       "no client was registered: HTTP status 201"},
      {"no registration", [](ProtectedWorld& w) { w.issuer.erase("registration_endpoint"); },
       "registers no clients"},
      {"a denied sign-in",
       [](ProtectedWorld& w) { w.redirect = "error=access_denied&state=state-1"; },
       "the sign-in was refused: access_denied"},
      {"no code", [](ProtectedWorld& w) { w.redirect = "state=state-1"; },
       "the redirect has no code"},
      {"a redirect of another issuer",
       [](ProtectedWorld& w) { w.redirect += "&iss=https%3A%2F%2Fe"; },
       "the redirect names the issuer 'https://e'"},
      {"a redirect without the promised issuer",
       [](ProtectedWorld& w) { w.issuer["authorization_response_iss_parameter_supported"] = true; },
       "the redirect names the issuer ''"},
      {"a refused code",
       [](ProtectedWorld& w) {
         w.tokens = {{"error", "invalid_grant"}};
       },
       "no token: invalid_grant"},
      {"no bearer token", [](ProtectedWorld& w) { w.tokens["token_type"] = "mac"; },
       "answered without a bearer token"},
      {"a token with a line break",
       [](ProtectedWorld& w) { w.tokens["access_token"] = "a\r\nX: y"; },
       "answered without a bearer token"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ProtectedWorld world;
    row.change(world);
    const auto grant = world.log_in();
    REQUIRE_FALSE(grant.ok());
    CAPTURE(grant.error().message);
    CHECK(grant.error().message.find(row.error) != std::string::npos);
    CHECK(grant.error().message.find("code-1") == std::string::npos);
    CHECK(grant.error().message.find("access-1") == std::string::npos);
    CHECK(grant.error().message.size() < 600);
  }
}

TEST_CASE("oauth: a refused token is renewed once; the new one is stored and announced") {
  ProtectedWorld world;
  auto grant = world.log_in();
  REQUIRE(grant.ok());
  FakeFileSystem files;
  GrantStore store(files, "/state/mcp");
  const std::string url = world.server.url("/mcp");
  REQUIRE(store.save(url, *grant).ok());
  CHECK(store.load("https://other.example.com")->access_token == "");
  AccessToken token(files, store, world.http, world.clock, "", url);
  int changes = 0;
  token.on_change = [&] { ++changes; };
  CurlHttp http;
  CurlHttp replies;
  Client client(std::make_unique<HttpTransport>(http, replies, HttpAddress{url}, &token), "1",
                world.clock);
  CHECK(client.open(world.cancel).ok());
  CHECK(changes == 1);
  CHECK(store.load(url)->scope == "read write");
  world.valid = "access-2";
  world.tokens["access_token"] = "access-2";
  world.tokens.erase("refresh_token");  // the old one stays
  CHECK(client.open(world.cancel).ok());
  CHECK(changes == 2);
  CHECK(world.token_request.starts_with("grant_type=refresh_token&refresh_token=refresh-1&"));
  CHECK(store.load(url)->access_token == "access-2");
  CHECK(store.load(url)->refresh_token == "refresh-1");
  CHECK(token.secrets() == std::vector<std::string>{"access-2", "refresh-1"});

  world.token_request = "";
  world.clock.now_s += 3600;  // it has expired
  world.valid = world.tokens["access_token"] = "access-3";
  CHECK(client.open(world.cancel).ok());
  CHECK(world.token_request != "");
  world.valid = "access-4";
  world.tokens = {{"error", "invalid_grant"}};
  const Status refused = client.open(world.cancel);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("HTTP status 401; run 'pedrocli mcp login SERVER'") !=
        std::string::npos);
}

TEST_CASE("oauth: a token file is read again when its token is refused") {
  ProtectedWorld world;
  FakeFileSystem files;
  GrantStore store(files, "/state/mcp");
  files.files["/token"] = "access-0\n";
  AccessToken token(files, store, world.http, world.clock, "/token", world.server.url("/mcp"));
  CHECK(*token.get(world.cancel) == "access-0");
  CHECK_FALSE(*token.renew(world.cancel));
  files.files["/token"] = "access-1\n";
  CHECK(*token.renew(world.cancel));
  CHECK(*token.get(world.cancel) == "access-1");
  files.files["/token"] = "two words";
  CHECK(token.renew(world.cancel).error().message ==
        "token_file: /token: expected one line with a token");
}

TEST_CASE("redirect listener: takes only the expected redirect") {
  auto listener = RedirectListener::open();
  REQUIRE(listener.ok());
  const CancelToken cancel;
  std::vector<int> statuses;
  std::thread browser([&] {
    CurlHttp http;
    const std::string url = listener->url();
    for (const std::string& one :
         {replace_all(url, "/callback", "/favicon.ico"), url + "?state=wrong",
          url + "?" + std::string(20'000, 'x'), url + "?state=right&code=1"}) {
      const auto response = http.send({.url = one}, nullptr, cancel);
      statuses.push_back(response ? response->status : 0);
    }
  });
  const auto query = listener->wait(
      20, [](std::string_view given) { return query_value(given, "state") == "right"; }, cancel);
  browser.join();
  REQUIRE(query.ok());
  CHECK(*query == "state=right&code=1");
  CHECK(statuses.size() == 4);
  CHECK(statuses[0] == 404);
  CHECK(statuses[1] == 404);
  CHECK(statuses[3] == 200);
  CHECK(listener
            ->wait(
                0.2, [](std::string_view) { return true; }, cancel)
            .error()
            .message == "the browser did not return within 0.2 s");
}

}  // namespace pedro::mcp
