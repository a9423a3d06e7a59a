// inventory FILE.csv [--reorder]: prints what is in stock, or what has to be ordered.

#include <cstdio>
#include <fstream>
#include <string>

#include "inventory.h"

int main(int argc, char** argv) {
  bool reorder = argc == 3 && std::string(argv[2]) == "--reorder";
  if (argc != 2 && !reorder) {
    std::fputs("usage: inventory FILE.csv [--reorder]\n", stderr);
    return 2;
  }
  std::ifstream file(argv[1]);
  std::vector<Item> items;
  std::string error = "cannot be opened";
  if (!file || !read_items(file, items, error)) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.c_str());
    return 1;
  }
  std::fputs((reorder ? reorder_list(items) : stock_report(items)).c_str(), stdout);
}
