#include "regular/literal_graph.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pedro {
namespace {

using Node = LiteralGraph::Node;

constexpr std::size_t kMaxRun = 8;  // lines of the longest run that is extended to become unique
constexpr int kMaxNested = 3;       // nested alternations before one gets a separate rule
constexpr std::string_view kNotInNames = "/\"\\<>`|:*?";

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::size_t shared_length(std::string_view a, std::string_view b) {
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto length = static_cast<std::size_t>(differ.first - a.begin());
  while (length > 0 && (is_inside_character(a, length) || is_inside_character(b, length))) --length;
  return length;
}

// Builds a radix tree of sorted texts; keeps the path to the last text.
class TrieBuilder {
 public:
  TrieBuilder() { graph_.nodes.emplace_back(); }

  std::uint32_t add(std::string_view text) {
    const std::size_t shared = shared_length(last_, text);
    while (path_.back().end > shared && begin_of(path_.size() - 1) >= shared) path_.pop_back();
    if (path_.back().end > shared) split(shared);
    last_ = std::string(text);
    hash_ = hash_bytes(std::string_view("", 1), hash_bytes(text, hash_));
    const auto id = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back({std::string(text.substr(shared)), {}, true, false});
    graph_.nodes[path_.back().node].next.push_back(id);
    path_.push_back({id, text.size()});
    return id;
  }

  LiteralGraph& graph() { return graph_; }

  LiteralGraph finish() {
    graph_.fingerprint = hash_;
    return std::move(graph_);
  }

 private:
  struct Step {
    std::uint32_t node = 0;
    std::size_t end = 0;  // length of the text up to this node, in bytes
  };

  std::size_t begin_of(std::size_t step) const { return step == 0 ? 0 : path_[step - 1].end; }

  // Splits the last node: a new parent takes the beginning of its text.
  void split(std::size_t at) {
    const std::size_t begin = begin_of(path_.size() - 1);
    const std::uint32_t old = path_.back().node;
    const auto id = static_cast<std::uint32_t>(graph_.nodes.size());
    Node front;
    front.text = graph_.nodes[old].text.substr(0, at - begin);
    front.next = {old};
    graph_.nodes[old].text.erase(0, at - begin);
    graph_.nodes.push_back(std::move(front));
    graph_.nodes[path_[path_.size() - 2].node].next.back() = id;
    path_.back() = {id, at};
  }

  LiteralGraph graph_;
  std::string last_;
  std::vector<Step> path_{{0, 0}};
  std::uint64_t hash_ = kHashSeed;
};

// Returns, for each line, the length of the shortest unique run that starts there; at most kMaxRun.
std::vector<std::size_t> unique_runs(const std::vector<std::string_view>& lines) {
  std::vector<std::uint64_t> hashes(lines.size(), kHashSeed);
  std::vector<std::size_t> runs(lines.size(), 0);
  for (std::size_t length = 1; length <= kMaxRun; ++length) {
    std::unordered_map<std::uint64_t, int> count;
    for (std::size_t i = 0; i + length <= lines.size(); ++i) {
      hashes[i] = hash_bytes(lines[i + length - 1], hash_bytes("\n", hashes[i]));
      ++count[hashes[i]];
    }
    for (std::size_t i = 0; i + length <= lines.size(); ++i) {
      if (runs[i] == 0 && count[hashes[i]] == 1) runs[i] = length;
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i] == 0) runs[i] = std::min(kMaxRun, lines.size() - i);
  }
  return runs;
}

std::string written(std::string_view text, TextEncoding form) {
  if (form == TextEncoding::kPlain) return std::string(text);
  const std::string quoted = to_line(Json(text));
  return quoted.substr(1, quoted.size() - 2);
}

// Matches a name, or a new folder and a name.
Expr new_name(GrammarBuilder& grammar) {
  std::vector<CharRange> refused{{0, 0x1F}, {0x7F, 0x7F}};
  for (const char c : kNotInNames) {
    const auto code = static_cast<char32_t>(c);
    refused.push_back({code, code});
  }
  std::sort(refused.begin(), refused.end(),
            [](const CharRange& a, const CharRange& b) { return a.first < b.first; });
  Expr name = grammar.add("file-name", repetition(none_of(std::move(refused)), 1, kMaxNewName));
  return sequence({name, maybe(sequence({literal("/"), name}))});
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

bool is_new_name(std::string_view text) {
  const std::size_t slash = text.find('/');
  for (const std::string_view name :
       {text.substr(0, slash), slash == text.npos ? "x" : text.substr(slash + 1)}) {
    if (name.empty() || count_characters(name) > std::size_t{kMaxNewName}) return false;
    if (name.find_first_of(kNotInNames) != name.npos) return false;
    if (std::any_of(name.begin(), name.end(), is_control)) return false;
  }
  return true;
}

class GraphWriter {
 public:
  GraphWriter(GrammarBuilder& grammar, const LiteralGraph& graph, TextEncoding form,
              std::string_view name)
      : grammar_(grammar), graph_(graph), form_(form), name_(name), heights_(graph.nodes.size()) {}

  // Defines a rule for each named node and returns the expression of node 0.
  Expr write() {
    name_nodes();
    for (const std::uint32_t node : order_) {
      if (!names_[node].empty()) grammar_.define(names_[node], rest_of(node));
    }
    return names_[0].empty() ? rest_of(0) : rule_ref(names_[0]);
  }

 private:
  // Names each node that is reached twice or whose alternations would nest too deeply.
  void name_nodes() {
    names_.resize(graph_.nodes.size());
    std::vector<int> reached(graph_.nodes.size(), 0);
    std::vector<std::uint32_t> todo{0};
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      order_.push_back(node);
      for (const std::uint32_t next : graph_.nodes[node].next) {
        if (reached[next]++ == 0) todo.push_back(next);
      }
    }
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      int height = graph_.nodes[*node].takes_name ? 1 : 0;
      for (const std::uint32_t next : graph_.nodes[*node].next) {
        height = std::max(height, heights_[next] + 1);
      }
      const bool is_named = height > kMaxNested || (reached[*node] > 1 && height > 0);
      if (is_named) names_[*node] = grammar_.reserve(name_);
      heights_[*node] = is_named ? 0 : height;
    }
  }

  // Returns the text of a node and all continuations.
  Expr whole(std::uint32_t node) const {
    Expr text = literal(written(graph_.nodes[node].text, form_));
    const Node& at = graph_.nodes[node];
    if (at.next.empty() && !at.takes_name) return text;
    Expr rest = names_[node].empty() ? rest_of(node) : rule_ref(names_[node]);
    return sequence({std::move(text), std::move(rest)});
  }

  Expr rest_of(std::uint32_t node) const {
    const Node& at = graph_.nodes[node];
    std::vector<Expr> options;
    for (const std::uint32_t next : at.next) options.push_back(whole(next));
    if (at.takes_name) options.push_back(new_name(grammar_));
    Expr rest = alternation(std::move(options));
    return at.ends ? maybe(std::move(rest)) : rest;
  }

  GrammarBuilder& grammar_;
  const LiteralGraph& graph_;
  TextEncoding form_;
  std::string_view name_;
  std::vector<int> heights_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

LiteralGraph literal_trie(std::span<const std::string> texts) {
  TrieBuilder builder;
  for (const std::string& text : texts) builder.add(text);
  return builder.finish();
}

LiteralGraph names_in(std::span<const std::string> folders) {
  TrieBuilder builder;
  for (const std::string& folder : folders) {
    if (folder == ".") continue;
    const std::uint32_t node = builder.add(folder + "/");
    builder.graph().nodes[node].ends = false;
    builder.graph().nodes[node].takes_name = true;
  }
  LiteralGraph graph = builder.finish();
  graph.nodes[0].takes_name = true;
  graph.fingerprint = hash_bytes("names", graph.fingerprint);
  return graph;
}

LiteralGraph line_runs(std::string_view text, RunKind kind) {
  std::vector<std::string_view> lines = split_lines(text);
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  const std::vector<std::size_t> runs =
      kind == RunKind::kUnique ? unique_runs(lines) : std::vector<std::size_t>(lines.size(), 1);
  LiteralGraph graph;
  graph.fingerprint = hash_bytes(text, hash_bytes("lines"));
  graph.nodes.emplace_back();
  std::vector<std::uint32_t> starts;
  // Node 2i + 1 begins a run at line i; node 2i + 2 continues one there.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t end = i + runs[i];
    Node begin;
    for (std::size_t line = i; line < end; ++line) {
      if (line > i) begin.text += '\n';
      begin.text += lines[line];
    }
    begin.ends = true;
    if (end < lines.size()) begin.next = {static_cast<std::uint32_t>(2 * end + 2)};
    if (!trim(lines[i]).empty()) starts.push_back(static_cast<std::uint32_t>(2 * i + 1));
    graph.nodes.push_back(std::move(begin));
    Node more;
    more.text = "\n" + std::string(lines[i]);
    more.ends = true;
    if (i + 1 < lines.size()) more.next = {static_cast<std::uint32_t>(2 * i + 4)};
    graph.nodes.push_back(std::move(more));
  }
  graph.nodes[0].next = std::move(starts);
  return graph;
}

bool contains(const LiteralGraph& graph, std::string_view text) {
  std::set<std::pair<std::size_t, std::uint32_t>> open{{0, 0}};  // consumed bytes and the last node
  while (!open.empty()) {
    const auto [at, node] = *open.begin();
    open.erase(open.begin());
    const Node& here = graph.nodes[node];
    const std::string_view rest = text.substr(at);
    if (rest.empty() && here.ends) return true;
    if (here.takes_name && is_new_name(rest)) return true;
    for (const std::uint32_t next : here.next) {
      const std::string& wanted = graph.nodes[next].text;
      if (rest.starts_with(wanted)) open.insert({at + wanted.size(), next});
    }
  }
  return false;
}

Expr add_literal_graph(GrammarBuilder& grammar, const LiteralGraph& graph, TextEncoding form,
                       std::string_view name) {
  Expr texts = GraphWriter(grammar, graph, form, name).write();
  if (form == TextEncoding::kPlain) return grammar.add(name, std::move(texts));
  return grammar.add(name, sequence({literal("\""), std::move(texts), literal("\"")}));
}

}  // namespace pedro
