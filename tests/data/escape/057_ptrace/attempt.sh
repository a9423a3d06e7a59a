# A process outside is traced
# reports: No such process|not permitted
# machine: x86_64
perl -e "require q(syscall.ph) if 0; my \$r = syscall(101, 16, @VICTIM@, 0, 0); print \$r == 0 ? qq(traced\n) : qq(\$!\n)"
