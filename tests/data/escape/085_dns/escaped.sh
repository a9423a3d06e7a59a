grep -q '^udp .*stolen.example' @CONTACTS@
