test -L .pedro
