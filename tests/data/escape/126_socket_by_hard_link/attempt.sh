# The same by a hard link
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot|not a socket|Connection|failed
ln agent.sock other.sock; perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die "cannot: $!"; connect(S, sockaddr_un(q(other.sock))) or die "cannot: $!"'
