module example.org/cards

go 1.21
