! grep -q untouched @OUTSIDE@/.kube/config || test ! -e @OUTSIDE@/.kube/hooks/start
