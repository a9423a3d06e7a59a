#include "board.h"
#include "check.h"

int main() {
  Board board;
  CHECK_EQ("", board.top(3));
  board.add("Ann", 50, 30);
  board.add("Ben", 50, 30);
  board.add("Cem", 50, 30);
  CHECK_EQ("Ann, Ben, Cem", board.top(3));
  board.add("Dora", 50, 29);
  board.add("Eli", 50, 31);
  board.add("Finn", 10, 1);
  board.add("Gus", 80, 100);
  CHECK_EQ("Gus, Dora, Ann, Ben, Cem, Eli, Finn", board.top(10));
  CHECK_EQ("Gus, Dora", board.top(2));
  CHECK_EQ("", board.top(0));

  Board reversed;
  reversed.add("Zack", 7, 9);
  reversed.add("Yara", 7, 8);
  reversed.add("Xena", 7, 8);
  CHECK_EQ("Yara, Xena, Zack", reversed.top(3));
  return check_result();
}
