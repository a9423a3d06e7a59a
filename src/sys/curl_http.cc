#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/environment.h"
#include "sys/http.h"
#include "sys/interrupted.h"
#include "sys/url.h"

namespace pedro {

// The functions of libcurl that this program calls, loaded by dlopen(3) or, in a static program,
// linked.
struct CurlLibrary {
#ifdef PEDROCLI_STATIC
  static constexpr bool kIsLinked = true;
#else
  static constexpr bool kIsLinked = false;
#endif

  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;

  // Loads and initializes libcurl on the first call and never unloads it. A library that has
  // started OpenSSL cannot be unloaded safely. Returns null if libcurl is missing or older than
  // 7.66. Thread-safe.
  static const CurlLibrary* get();
};

namespace {

// PEDRO_FIND sets a member of `curl`: a static program contains libcurl, others load it.
#ifdef PEDROCLI_STATIC
#define PEDRO_FIND(name) curl.name = curl_##name
#else
#define PEDRO_FIND(name) \
  curl.name = reinterpret_cast<decltype(curl.name)>(::dlsym(library, "curl_" #name))
#endif

std::optional<CurlLibrary> load() {
#ifndef PEDROCLI_STATIC
  void* const library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
#endif
  CurlLibrary curl;
  PEDRO_FIND(global_init);
  PEDRO_FIND(easy_init);
  PEDRO_FIND(easy_setopt);
  PEDRO_FIND(easy_getinfo);
  PEDRO_FIND(easy_reset);
  PEDRO_FIND(easy_cleanup);
  PEDRO_FIND(easy_strerror);
  PEDRO_FIND(multi_init);
  PEDRO_FIND(multi_add_handle);
  PEDRO_FIND(multi_remove_handle);
  PEDRO_FIND(multi_perform);
  PEDRO_FIND(multi_poll);
  PEDRO_FIND(multi_info_read);
  PEDRO_FIND(multi_cleanup);
  PEDRO_FIND(slist_append);
  PEDRO_FIND(slist_free_all);
  // multi_poll is the newest of these functions: libcurl 7.66 introduced it.
  if (curl.multi_poll == nullptr || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return std::nullopt;
  }
  return curl;
}

using Clock = std::chrono::steady_clock;

constexpr double kAbortPoll_s = 0.1;
constexpr std::size_t kMaxRefusalBytes = 1u << 20;
constexpr std::size_t kMaxHeaderBytes = 256u << 10;  // recent versions of libcurl stop at 300 KiB

// The files in which Linux distributions keep the certificates of authorities.
const std::vector<std::string> kCertificateFiles = {
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",    // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",              // openSUSE
    "/etc/ssl/cert.pem",                   // Alpine
};

long to_ms(double seconds) {
  return static_cast<long>(std::clamp(std::ceil(seconds * 1000), 1.0, 1e9));
}

bool is_success(long status) {
  return status >= 200 && status < 300;
}

/// Returns true if `headers` contain the header `name` (lower case), in any case.
bool has_header(const std::vector<std::string>& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [&](const std::string& header) {
    return to_lower(trim(header.substr(0, header.find(':')))) == name;
  });
}

/// The reason for the end of a transfer by this program.
enum class Stop { kNone, kSink, kEnough, kTooLarge, kHeaders, kIdle, kLate, kCancelled };

/// One exchange; the user data of libcurl's callbacks.
struct Transfer {
  const CurlLibrary& curl;
  CURL* easy;
  const HttpRequest& request;
  const BodySink& sink;
  HttpResponse response{};
  std::size_t body_bytes = 0;
  std::size_t header_bytes = 0;
  curl_off_t sent_bytes = 0;
  Clock::time_point begun = Clock::now();
  Clock::time_point last_sign = Clock::now();  // time of the last activity
  Stop stop = Stop::kNone;

  double idle_s() const { return std::chrono::duration<double>(Clock::now() - last_sign).count(); }
  bool is_late() const {
    const double taken_s = std::chrono::duration<double>(Clock::now() - begun).count();
    return request.timeout_s > 0 && taken_s >= request.timeout_s;
  }
};

std::size_t on_body(char* data, std::size_t /*one*/, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.last_sign = Clock::now();
  transfer.body_bytes += size;
  if (transfer.body_bytes > transfer.request.max_response_bytes) {
    transfer.stop = Stop::kTooLarge;
    return 0;
  }
  long status = 0;
  transfer.curl.easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  if (!is_success(status) && transfer.body_bytes > kMaxRefusalBytes) {
    transfer.stop = Stop::kEnough;
    return 0;
  }
  if (!transfer.sink || !is_success(status)) {
    transfer.response.body.append(data, size);
  } else if (!transfer.sink(std::string_view(data, size))) {
    transfer.stop = Stop::kSink;
    return 0;
  }
  return size;
}

std::size_t on_header(char* data, std::size_t /*one*/, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.last_sign = Clock::now();
  const std::string_view line(data, size);
  const std::size_t colon = std::min(line.find(':'), size);
  const std::string& wanted = transfer.request.wanted_header;
  if (!wanted.empty() && colon < size && to_lower(line.substr(0, colon)) == wanted) {
    transfer.response.header = trim(line.substr(colon + 1));
  }
  transfer.header_bytes += size;
  if (transfer.header_bytes <= kMaxHeaderBytes) return size;
  transfer.stop = Stop::kHeaders;
  return 0;
}

/// Owns a header list of libcurl.
class HeaderList {
 public:
  explicit HeaderList(const CurlLibrary& curl) : curl_(curl) {}
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  ~HeaderList() { curl_.slist_free_all(list_); }

  void add(const std::string& header) { list_ = curl_.slist_append(list_, header.c_str()); }
  curl_slist* get() const { return list_; }

 private:
  const CurlLibrary& curl_;
  curl_slist* list_ = nullptr;
};

void add_headers(const HttpRequest& request, HeaderList& list) {
  for (const std::string& header : request.headers) list.add(header);
  // With "100 Continue", libcurl would delay a long body by a second.
  list.add("Expect:");
  // Compressed streams arrive late, so they are not asked for.
  list.add("Accept-Encoding:");
  // Otherwise libcurl declares every body a form.
  if (!has_header(request.headers, "content-type")) list.add("Content-Type:");
}

/// Returns true if the method or a header contains a line break or NUL, which could inject headers.
bool has_line_break(const HttpRequest& request) {
  constexpr std::string_view kBreaks("\r\n\0", 3);
  return request.method.find_first_of(kBreaks) != std::string::npos ||
         std::any_of(request.headers.begin(), request.headers.end(), [&](const std::string& line) {
           return line.find_first_of(kBreaks) != std::string::npos;
         });
}

void set_method(const Transfer& transfer) {
  const HttpRequest& request = transfer.request;
  const auto set = transfer.curl.easy_setopt;
  if (request.method == "HEAD") {
    set(transfer.easy, CURLOPT_NOBODY, 1L);
    return;
  }
  const bool bodiless = request.method == "GET" || request.method == "DELETE";
  if (!bodiless || !request.body.empty()) {
    set(transfer.easy, CURLOPT_POST, 1L);
    set(transfer.easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(transfer.easy, CURLOPT_POSTFIELDS, request.body.data());  // borrowed by libcurl
  }
  set(transfer.easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

/// Returns the file of certificates that https trusts, or "" if only the system's libcurl knows it.
std::string trusted_certificates() {
  const std::string chosen = real_environment().get("SSL_CERT_FILE");
  return CurlLibrary::kIsLinked ? certificate_file(chosen, kCertificateFiles) : chosen;
}

void set_options(Transfer& transfer, const HeaderList& headers, char* error_text) {
  const HttpRequest& request = transfer.request;
  const auto set = transfer.curl.easy_setopt;
  CURL* const easy = transfer.easy;
  transfer.curl.easy_reset(easy);  // keeps connections open
  set(easy, CURLOPT_ERRORBUFFER, error_text);
  const std::optional<UnixSocketUrl> local = unix_socket_url(request.url);
  const std::string url = local ? "http://localhost" + local->target : request.url;
  set(easy, CURLOPT_URL, url.c_str());  // libcurl copies both texts
  if (local) set(easy, CURLOPT_UNIX_SOCKET_PATH, local->socket.c_str());
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");  // unknown before 7.85; check_url() ran first
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_USERAGENT, "pedrocli");
  set(easy, CURLOPT_ACCEPT_ENCODING, "");  // some servers compress unasked
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, to_ms(request.connect_timeout_s));
  set(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  set(easy, CURLOPT_HTTPHEADER, headers.get());
  set(easy, CURLOPT_WRITEFUNCTION, on_body);
  set(easy, CURLOPT_WRITEDATA, &transfer);
  set(easy, CURLOPT_HEADERFUNCTION, on_header);
  set(easy, CURLOPT_HEADERDATA, &transfer);
  if (is_loopback_url(request.url)) set(easy, CURLOPT_PROXY, "");
  const std::string certificates = trusted_certificates();
  if (!certificates.empty()) set(easy, CURLOPT_CAINFO, certificates.c_str());
  set_method(transfer);
}

/// Counts sent bytes as activity: the server is reading them.
void note_sent_bytes(Transfer& transfer) {
  curl_off_t sent = 0;
  transfer.curl.easy_getinfo(transfer.easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  if (sent == transfer.sent_bytes) return;
  transfer.sent_bytes = sent;
  transfer.last_sign = Clock::now();
}

/// Transfers bytes until libcurl is done or a limit stops the transfer. Sets `transfer.stop` and
/// returns CURLE_ABORTED_BY_CALLBACK for a limit, else libcurl's result.
CURLcode drive(CURLM* multi, Transfer& transfer, const CancelToken& cancel) {
  for (;;) {
    int running = 0;
    if (transfer.curl.multi_perform(multi, &running) != CURLM_OK) return CURLE_FAILED_INIT;
    int waiting = 0;
    while (const CURLMsg* message = transfer.curl.multi_info_read(multi, &waiting)) {
      if (message->msg == CURLMSG_DONE) return message->data.result;
    }
    note_sent_bytes(transfer);
    const double limit_s = transfer.request.idle_timeout_s;
    const double left_s = limit_s > 0 ? limit_s - transfer.idle_s() : kAbortPoll_s;
    if (cancel.cancelled()) {
      transfer.stop = Stop::kCancelled;
    } else if (left_s <= 0) {
      transfer.stop = Stop::kIdle;
    } else if (transfer.is_late()) {
      transfer.stop = Stop::kLate;
    }
    if (transfer.stop != Stop::kNone) return CURLE_ABORTED_BY_CALLBACK;
    const long wait_ms = to_ms(std::min(left_s, kAbortPoll_s));
    transfer.curl.multi_poll(multi, nullptr, 0, static_cast<int>(wait_ms), nullptr);
  }
}

std::string connect_failure(const Transfer& transfer) {
  long error = 0;
  transfer.curl.easy_getinfo(transfer.easy, CURLINFO_OS_ERRNO, &error);
  if (error == ECONNREFUSED) {
    return fmt::format("{}; is the server running? start it or give -model-url",
                       kConnectionRefused);
  }
  return "no connection could be made; are host and port right?";
}

std::string own_stop_text(const Transfer& transfer) {
  switch (transfer.stop) {
    case Stop::kTooLarge:
      return fmt::format("the answer exceeds the limit of {} bytes",
                         transfer.request.max_response_bytes);
    case Stop::kLate:
      return fmt::format("{} {} s; is the server stuck? see its log", kNotComplete,
                         transfer.request.timeout_s);
    case Stop::kHeaders:
      return fmt::format("the headers exceed the limit of {} bytes", kMaxHeaderBytes);
    default:
      return fmt::format("nothing arrived for {} s; is the server stuck? see its log",
                         transfer.request.idle_timeout_s);
  }
}

std::string certificate_failure(std::string_view detail) {
  if (CurlLibrary::kIsLinked && trusted_certificates().empty()) {
    return "this system has no certificates to check the server's; install ca-certificates, or set "
           "SSL_CERT_FILE to a file of certificates";
  }
  return fmt::format("{}; to trust an authority of your own, set SSL_CERT_FILE to its certificate",
                     make_printable(trim(detail)));
}

std::string failure_text(const Transfer& transfer, CURLcode code, const char* error_text) {
  const std::string_view detail = *error_text != 0 ? error_text : transfer.curl.easy_strerror(code);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "unknown host name; is it spelled correctly?";
    case CURLE_COULDNT_CONNECT:
      return connect_failure(transfer);
    case CURLE_OPERATION_TIMEDOUT:
      return fmt::format("no connection within {} s; are host and port right?",
                         transfer.request.connect_timeout_s);
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return fmt::format("{} after {} bytes of the answer; see the server's log", kConnectionBroke,
                         transfer.body_bytes);
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_PEER_FAILED_VERIFICATION:
      return certificate_failure(detail);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return "the server does not speak HTTP; is this the right port?";
    default:
      return make_printable(trim(detail));
  }
}

void read_head(Transfer& transfer) {
  const auto get = transfer.curl.easy_getinfo;
  long status = 0;
  get(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  transfer.response.status = static_cast<int>(status);
  const char* content_type = nullptr;
  get(transfer.easy, CURLINFO_CONTENT_TYPE, &content_type);
  if (content_type != nullptr) transfer.response.content_type = content_type;
  curl_off_t retry_after_s = 0;
  get(transfer.easy, CURLINFO_RETRY_AFTER, &retry_after_s);
  transfer.response.retry_after_s = static_cast<double>(retry_after_s);
}

Error http_failure(const HttpRequest& request, std::string_view what) {
  return Error{ErrorKind::kModel, fmt::format("{}: {}", public_url(request.url), what)};
}

}  // namespace

const CurlLibrary* CurlLibrary::get() {
  static const std::optional<CurlLibrary> curl = load();
  return curl ? &*curl : nullptr;
}

std::string certificate_file(const std::string& chosen, const std::vector<std::string>& usual) {
  if (!chosen.empty()) return chosen;
  const auto found = std::find_if(usual.begin(), usual.end(), [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
  });
  return found == usual.end() ? "" : *found;
}

struct CurlHttp::Session {
  explicit Session(const CurlLibrary& library)
      : curl(library), multi(library.multi_init()), easy(library.easy_init()) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    curl.easy_cleanup(easy);
    curl.multi_cleanup(multi);
  }

  const CurlLibrary& curl;
  CURLM* multi;  // holds the open connections
  CURL* easy;
};

CurlHttp::CurlHttp() = default;

CurlHttp::~CurlHttp() = default;

Result<HttpResponse> CurlHttp::send(const HttpRequest& request, const BodySink& sink,
                                    const CancelToken& cancel) {
  if (cancel.cancelled()) return interrupted(cancel);
  PEDRO_RETURN_IF_ERROR(check_url(request.url));
  if (has_line_break(request)) return http_failure(request, "a header contains a line break");
  if (!session_) {
    const CurlLibrary* curl = CurlLibrary::get();
    if (curl == nullptr) {
      return http_failure(request, "libcurl.so.4 is not installed; apt-get install libcurl4");
    }
    session_ = std::make_unique<Session>(*curl);
  }
  const CurlLibrary& curl = session_->curl;
  HeaderList headers(curl);
  add_headers(request, headers);
  char error_text[CURL_ERROR_SIZE] = "";
  Transfer transfer{.curl = curl, .easy = session_->easy, .request = request, .sink = sink};
  set_options(transfer, headers, error_text);

  curl.multi_add_handle(session_->multi, session_->easy);
  const CURLcode code = drive(session_->multi, transfer, cancel);
  read_head(transfer);
  // Removing the handle closes the connection of an unfinished transfer, so the server stops too.
  curl.multi_remove_handle(session_->multi, session_->easy);

  if (transfer.stop == Stop::kCancelled) return interrupted(cancel);
  const bool had_enough = transfer.stop == Stop::kSink || transfer.stop == Stop::kEnough;
  if (code == CURLE_OK || had_enough) return std::move(transfer.response);
  if (transfer.stop != Stop::kNone) return http_failure(request, own_stop_text(transfer));
  return http_failure(request, failure_text(transfer, code, error_text));
}

}  // namespace pedro
