module github.com/penstock-db/penstock/bench/kuzu

go 1.26.3

require github.com/kuzudb/go-kuzu v0.11.3

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/shopspring/decimal v1.4.0 // indirect
)
