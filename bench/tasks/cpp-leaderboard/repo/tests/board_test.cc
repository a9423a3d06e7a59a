#include "board.h"

#include "check.h"

int main() {
  Board board;
  board.add("Leo", 90, 55);
  board.add("Mia", 90, 40);
  board.add("Zoe", 95, 80);
  CHECK_EQ("Zoe", board.top(1));
  CHECK_EQ("Zoe, Mia, Leo", board.top(3));
  return check_result();
}
