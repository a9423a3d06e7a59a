#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "context/ledger.h"

namespace pedro {

/// A summary of removed exchanges, made without a model. The same exchanges always produce the same
/// texts. It accumulates all removed exchanges and keeps the newest entries of each kind. Bounded:
/// about 64 KiB. A value.
class Digest {
 public:
  /// Adds a removed call with its result, as the model saw it. `mended`: a failed call succeeded
  /// later, so its failure is not recorded.
  void add(const CallFacts& facts, std::string_view result, bool mended = false);
  void add_exchange() { ++exchanges_; }
  /// Adds a failure whose result was replaced with a marker.
  void add_failure(const CallFacts& facts, std::string_view result);

  /// Returns the number of exchanges removed so far.
  std::size_t exchanges() const { return exchanges_; }
  bool empty() const { return exchanges_ == 0 && failed_.empty(); }

  /// Returns the texts by section, "-" for an empty section:
  /// - "changed": paths, each with the result of `state_of`
  /// - "read"
  /// - "commands": with their outcomes
  /// - "failed": unresolved failures, verbatim
  /// - "notes": of the model
  /// - "decisions": results of phases
  /// Together about `max_bytes` at most; the newest entries are kept.
  std::map<std::string, std::string> sections(
      std::size_t max_bytes,
      const std::function<std::string(const std::string& path)>& state_of) const;

 private:
  // An entry of a list without duplicate names, newest last.
  struct Entry {
    std::string name;
    std::string text;
  };
  static void put(std::vector<Entry>& list, std::string name, std::string text);

  std::size_t exchanges_ = 0;
  std::vector<Entry> changed_;
  std::vector<Entry> read_;
  std::vector<Entry> commands_;
  std::vector<Entry> failed_;
  std::vector<Entry> notes_;
  std::vector<Entry> decisions_;
};

}  // namespace pedro
