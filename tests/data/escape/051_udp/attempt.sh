# A datagram leaves, as a question to a name server does
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot|sent into nothing
perl -MSocket -e "socket(S, AF_INET, SOCK_DGRAM, 0) or die \$!; send(S, q(question), 0, pack_sockaddr_in(@UDP@, inet_aton(q(127.0.0.1)))) or die \$!; print qq(sent into nothing\n)"
