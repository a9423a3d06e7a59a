# A daemon is asked by its socket
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -MSocket -e "socket(S, AF_UNIX, SOCK_STREAM, 0) or die \$!; connect(S, pack_sockaddr_un(q(@OUTSIDE@/daemon.sock))) or die \$!"
