# The same through a link
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot|not a socket|Connection
ln -s agent.sock link; perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die "cannot: $!"; connect(S, sockaddr_un(q(link))) or die "cannot: $!"'
