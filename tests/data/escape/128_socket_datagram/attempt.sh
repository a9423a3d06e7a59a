# A datagram goes to such a socket
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot|not a socket|Connection
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0) or die "cannot: $!"; send(S, q(evil), 0, sockaddr_un(q(datagram.sock))) or die "cannot: $!"'
