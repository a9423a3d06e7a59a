# Memory is taken without end
# reports: Out of memory|out of memory
perl -e "my \$x = q(x) x 600000000; print qq(taken\n)"
