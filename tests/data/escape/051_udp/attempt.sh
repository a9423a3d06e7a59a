# A datagram leaves, as a question to a name server does
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -MSocket -e "socket(S, AF_INET, SOCK_DGRAM, 0) or die \$!; connect(S, pack_sockaddr_in(@UDP@, inet_aton(q(127.0.0.1)))) or die \$!; for (1, 2) { send(S, q(question), 0) or die \$! }"
