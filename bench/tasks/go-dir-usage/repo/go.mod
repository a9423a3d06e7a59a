module example.org/usage

go 1.21
