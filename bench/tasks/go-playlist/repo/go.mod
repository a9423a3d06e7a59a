module example.org/playlist

go 1.21
