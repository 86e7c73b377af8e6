module github.com/penstock-db/penstock/plugins/cuda

go 1.26.3

replace github.com/penstock-db/penstock => ../..
