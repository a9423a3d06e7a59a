test -e .git/shallow
