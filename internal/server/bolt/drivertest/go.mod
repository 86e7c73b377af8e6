module github.com/penstock-db/penstock/internal/server/bolt/drivertest

go 1.26.3

require github.com/neo4j/neo4j-go-driver/v5 v5.28.4
