# A socket to the machine around this one is made
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -e "socket(S, 40, 1, 0) or die qq(\$!\n); print qq(made\n)"
