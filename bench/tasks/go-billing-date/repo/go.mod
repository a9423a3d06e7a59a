module example.org/billing

go 1.21
