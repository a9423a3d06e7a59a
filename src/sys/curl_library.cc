#include "sys/curl_library.h"

#include <dlfcn.h>

#include <optional>

namespace pedro {
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

}  // namespace

const CurlLibrary* CurlLibrary::get() {
  static const std::optional<CurlLibrary> curl = load();
  return curl ? &*curl : nullptr;
}

}  // namespace pedro
