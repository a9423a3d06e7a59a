# The way around the filter of system calls is opened
# reports: not implemented
# machine: x86_64
perl -e "my \$p = qq(\0) x 120; my \$r = syscall(425, 1, \$p); print \$r >= 0 ? qq(opened\n) : qq(\$!\n)"
