#pragma once

#include <curl/curl.h>

namespace pedro {

/// The functions of libcurl that this program calls, loaded by dlopen(3) or, in a static program,
/// linked. For curl_http.cc only.
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

  /// Loads and initializes libcurl on the first call and never unloads it: a library that has
  /// started OpenSSL cannot be unloaded safely. Returns null if libcurl is missing or older than
  /// 7.66. Thread-safe.
  static const CurlLibrary* get();
};

}  // namespace pedro
