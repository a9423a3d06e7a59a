# A daemon is asked by a socket without a file
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -MSocket -e "socket(S, AF_UNIX, SOCK_STREAM, 0) or die \$!; connect(S, pack_sockaddr_un(qq(\0@ABSTRACT@))) or die \$!"
