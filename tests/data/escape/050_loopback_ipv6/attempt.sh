# A server on this machine is asked by IPv6
# reports: refused|unreachable|not supported|Permission denied|No such file|not permitted|cannot
perl -e "use Socket qw(:DEFAULT inet_pton); socket(S, AF_INET6, SOCK_STREAM, 0) or die \$!; connect(S, pack_sockaddr_in6(@PORT@, inet_pton(AF_INET6, q(::ffff:127.0.0.1)))) or die \$!"
