package bolt

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
)

// routeSeconds is how long clients need not ask again.
const routeSeconds = 300

// route answers that this server does everything, under the address the client knows it by.
func (s *session) route(ctx context.Context, fields []value.Value) ([]value.Entry, error) {
	address := orElse(textOf(fields[0], "address"), s.address)
	servers := make([]value.Value, 0, 3)
	for _, role := range []string{"ROUTE", "READ", "WRITE"} {
		servers = append(servers, value.OfEntries([]value.Entry{text("role", role), entry("addresses", texts([]string{address}))}))
	}
	table := []value.Entry{
		integer("ttl", routeSeconds),
		text("db", orElse(textOf(fields[2], "db"), s.server.options.Home(ctx))),
		entry("servers", value.OfList(servers)),
	}
	return []value.Entry{entry("rt", value.OfEntries(table))}, nil
}
