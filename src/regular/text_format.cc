
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <optional>
#include <string>

#include "regular/pattern_set.h"

namespace pedro {
namespace {

constexpr const char* kDate =
    "(\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|"
    "02-(0[1-9]|1\\d|2[0-8]))|"
    "(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";
// A leap second is the last one of a day in UTC.
constexpr const char* kTime =
    "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)|"
    "23:59:60(\\.\\d{1,9})?([Zz]|[+-]00:00)";
constexpr const char* kLabel = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

std::string hostname() {
  return fmt::format("{0}(\\.{0})*", kLabel);
}

std::string ipv4() {
  return fmt::format("{0}(\\.{0}){{3}}", "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)");
}

std::string duration() {
  // RFC 3339, appendix A: units may be omitted only at the ends.
  const std::string time = "T(\\d+H(\\d+M(\\d+S)?)?|\\d+M(\\d+S)?|\\d+S)";
  const std::string date = "(\\d+Y(\\d+M(\\d+D)?)?|\\d+M(\\d+D)?|\\d+D)";
  return fmt::format("P({0}({1})?|{1}|\\d+W)", date, time);
}

// The nine forms of RFC 3986: "::" replaces any number of zero groups.
std::string ipv6() {
  const std::string group = "[0-9A-Fa-f]{1,4}";
  const std::string last = fmt::format("({0}:{0}|{1})", group, ipv4());
  std::string all = fmt::format("({}:){{6}}{}", group, last);
  for (int before = 0; before <= 5; ++before) {
    const std::string head =
        before == 0 ? "" : fmt::format("({0}(:{0}){{0,{1}}})?", group, before - 1);
    all += fmt::format("|{}::({}:){{{}}}{}", head, group, 5 - before, last);
  }
  all += fmt::format("|({0}(:{0}){{0,5}})?::{0}|({0}(:{0}){{0,6}})?::", group);
  return all;
}

// RFC 3986; does not validate the address between "[" and "]".
std::string uri(bool with_scheme) {
  const std::string pchar = "([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
  const std::string segment_without_colon = "([A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+";
  const std::string host = "(\\[[0-9A-Fa-fvV:.]+\\]|([A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)";
  const std::string user = "(([A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?";
  const std::string authority = fmt::format("//{}{}(:\\d*)?(/{}*)*", user, host, pchar);
  const std::string absolute = fmt::format("/({0}+(/{0}*)*)?", pchar);
  const std::string tail = fmt::format("(\\?({0}|[/?])*)?(#({0}|[/?])*)?", pchar);
  const std::string scheme = "[A-Za-z][A-Za-z0-9+.-]{0,31}:";
  const std::string full =
      fmt::format("{}({}|{}|({}+(/{}*)*)?){}", scheme, authority, absolute, pchar, pchar, tail);
  if (with_scheme) return full;
  return fmt::format("{}|({}|{}|({}(/{}*)*)?){}", full, authority, absolute, segment_without_colon,
                     pchar, tail);
}

// RFC 6570, with the apostrophe that its erratum 6937 allows.
std::string uri_template() {
  const std::string name_char = "([A-Za-z0-9_]|%[0-9A-Fa-f]{2})";
  const std::string variable = fmt::format("{0}(\\.?{0})*(:[1-9]\\d{{0,3}}|\\*)?", name_char);
  const std::string expression = fmt::format("\\{{[+#./;?&=,!@|]?{0}(,{0})*\\}}", variable);
  return "([^\\x00-\\x20\"%<>\\\\^`{|}\\x7F]|%[0-9A-Fa-f]{2}|" + expression + ")*";
}

std::string pattern_named(std::string_view name) {
  if (name == "date") return kDate;
  if (name == "time") return kTime;
  if (name == "date-time") return fmt::format("({})[Tt]({})", kDate, kTime);
  if (name == "duration") return duration();
  if (name == "email") {
    const std::string atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
    const std::string quoted = "\"([ !#-\\[\\]-~]|\\\\[ -~])*\"";
    return fmt::format("({0}(\\.{0})*|{1})@{2}", atom, quoted, hostname());
  }
  if (name == "hostname") return hostname();
  if (name == "ipv4") return ipv4();
  if (name == "ipv6") return ipv6();
  if (name == "uri") return uri(true);
  if (name == "uri-reference") return uri(false);
  if (name == "uri-template") return uri_template();
  if (name == "uuid") return "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";
  const std::string pointer = "(/([^~/]|~[01])*)*";
  if (name == "json-pointer") return pointer;
  return "(0|[1-9]\\d*)(#|" + pointer + ")";  // relative-json-pointer
}

constexpr std::array<std::string_view, 14> kNames = {"date",          "time",
                                                     "date-time",     "duration",
                                                     "email",         "hostname",
                                                     "ipv4",          "ipv6",
                                                     "uri",           "uuid",
                                                     "uri-reference", "uri-template",
                                                     "json-pointer",  "relative-json-pointer"};

constexpr std::array<std::string_view, 5> kOthers = {"idn-email", "idn-hostname", "iri",
                                                     "iri-reference", "regex"};

}  // namespace

const TextSet* text_format(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return nullptr;
  static std::mutex mutex;
  static std::array<std::optional<TextSet>, kNames.size()> made;
  const std::lock_guard lock(mutex);
  std::optional<TextSet>& set = made[static_cast<std::size_t>(found - kNames.begin())];
  if (!set) {
    const Result<TextSet> built = pattern_set("^(" + pattern_named(name) + ")$");
    assert(built.ok());
    set = *built;
  }
  return &*set;
}

bool is_other_standard_format(std::string_view name) {
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

}  // namespace pedro
