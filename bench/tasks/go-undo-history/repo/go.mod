module example.org/document

go 1.21
