package host

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// Every algorithm gives every vertex the same result, whatever the order in which the
// graph is stored. Sums may differ in their last digits. An approximate procedure takes
// vertices in the order of storage, and gives results of the same quality.
func TestRun_OrderDoesNotMatter(t *testing.T) {
	for _, a := range long.Draw(t, catalog.All(), 12) {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			g, params := sampleFor(rng, a)
			req := Request{Algorithm: a.Name, Params: params, DeviceMemory: 64 << 20}
			g.order = store.OrderNone
			want := byUser(t, g, req)
			for _, g.order = range []store.Order{store.OrderDegree, store.OrderBFS, store.OrderRabbit} {
				result := byUser(t, g, req)
				if a.Approximate && a.Procedure != nil {
					verifyByUser(t, g, a, req, result)
					continue
				}
				for user, got := range result {
					if !alike(got, want[user]) {
						t.Errorf("%s of %s in order %s: %v, not %v", a.Name, user, g.order, got, want[user])
					}
				}
			}
		})
	}
}

// byUser runs on the stored graph and gives each vertex's values by its user id, or those of each row of a table, and
// vertices among the values as their user ids.
func byUser(t *testing.T, g *sample, req Request) map[string][]any {
	snap := g.stored(t, 4096)
	if taken := snap.Manifest().Order.Taken; taken != g.order {
		t.Fatalf("order %s, not %s", taken, g.order)
	}
	result := mustRun(t, snap, req)
	ctx := context.Background()
	ids, err := snap.UserIDs(ctx, 0, snap.Manifest().Vertices)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]any{}
	for _, c := range result.Columns {
		users, _ := result.UserColumn(ctx, snap, c.Name)
		for i := range c.Len() {
			user := fmt.Sprint("row ", i)
			if c.Rows == 0 {
				user = ids.Text(i / c.Per())
			}
			values[user] = append(values[user], value(c, users, i))
		}
	}
	return values
}

// verifyByUser verifies a result on the graph in the order of loading.
func verifyByUser(t *testing.T, g *sample, a *algorithms.Algorithm, req Request, result map[string][]any) {
	t.Helper()
	args, err := a.Bind(req.Params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	ids, wanted, from := g.ids(), a.Columns(args), 0
	columns := make([]algorithms.Values, len(wanted))
	for i, c := range wanted {
		columns[i] = algorithms.Values{Column: c}
		for _, user := range g.users {
			for _, x := range result[user][from:][:c.Per()] {
				switch x := x.(type) {
				case float64:
					columns[i].Floats = append(columns[i].Floats, x)
				case bool:
					columns[i].Bools = append(columns[i].Bools, x)
				case string:
					id := algorithms.Unreached // what pads a list
					if at := slices.Index(g.users, x); at >= 0 {
						id = ids[at]
					}
					columns[i].Ints = append(columns[i].Ints, id)
				case int64:
					columns[i].Ints = append(columns[i].Ints, x)
				}
			}
		}
		from += c.Per()
	}
	if err := a.Verify(g.inMemory(), args, columns); err != nil {
		t.Errorf("%s in order %s: %v", a.Name, g.order, err)
	}
}

func value(c algorithms.Values, users []string, v int) any {
	switch c.Type {
	case algorithms.Float:
		return c.Floats[v]
	case algorithms.Bool:
		return c.Bools[v]
	case algorithms.VertexID:
		return users[v]
	default:
		return c.Ints[v]
	}
}

func alike(a, b []any) bool {
	for i := range a {
		x, ok := a[i].(float64)
		if y, _ := b[i].(float64); ok && math.Abs(x-y) <= 1e-9*math.Abs(y) {
			continue
		}
		if fmt.Sprint(a[i]) != fmt.Sprint(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}
