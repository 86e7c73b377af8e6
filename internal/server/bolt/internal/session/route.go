package session

import (
	"cmp"
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

// routeSeconds is how long clients need not ask again.
const routeSeconds = 300

// route answers that this server does everything, under the address the client knows it by.
func route(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error) {
	address := cmp.Or(message.TextOf(r.fields[0], "address"), st.login.address)
	servers := make([]value.Value, 0, 3)
	for _, role := range []string{"ROUTE", "READ", "WRITE"} {
		addresses := message.Entry("addresses", message.Texts([]string{address}))
		servers = append(servers, value.OfEntries([]value.Entry{message.Text("role", role), addresses}))
	}
	table := []value.Entry{
		message.Integer("ttl", routeSeconds),
		message.Text("db", cmp.Or(message.TextOf(r.fields[2], "db"), s.service.Home(ctx))),
		message.Entry("servers", value.OfList(servers)),
	}
	return st, []value.Entry{message.Entry("rt", value.OfEntries(table))}, nil
}
