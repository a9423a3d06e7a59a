# A socket in the project is used
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot|not a socket|Connection
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die "cannot: $!"; connect(S, sockaddr_un(q(agent.sock))) or die "cannot: $!"'
