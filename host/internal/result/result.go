package result

import (
	"context"
	"fmt"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/store"
)

// Result is what a run computed. Columns have one entry a vertex, by dense id, or are a table; those of
// type VertexID hold values of the `id` column, which VertexNames turns into user ids.
type Result struct {
	Report  report.Report
	Columns []algorithms.Values
	Rows    map[string][]float32 // of a procedure that learns, by name
	Shape   algorithms.Shape     // of the columns
	Held    int64                // bytes of the context's account that the columns take: given back when they are dropped
}

// VertexNames turns `id` values, as programs see and return them, into the users' ids.
type VertexNames struct {
	integer bool        // `id` is the user's
	ids     formats.IDs // by dense id
	dense   []uint32    // by `id`; nil: it is the dense id
}

// NewVertexNames prepares for the ids of a snapshot. Graphs with integer ids take no
// memory; others take that of all their ids, and up to 4 bytes a vertex.
func NewVertexNames(ctx context.Context, snap *store.Snapshot) (*VertexNames, error) {
	m := snap.Manifest()
	if m.IDs.Kind == store.IntegerIDs {
		return &VertexNames{integer: true}, nil
	}
	ids, err := snap.UserIDs(ctx, 0, m.Vertices)
	if err != nil {
		return nil, err
	}
	dense, err := snap.LoadPlaces(ctx)
	return &VertexNames{ids: ids, dense: inverse(dense)}, err
}

// inverse is where each of 0, 1, … stands in places.
func inverse(places []uint32) []uint32 {
	if places == nil {
		return nil
	}
	at := make([]uint32, len(places))
	for i, place := range places {
		at[place] = uint32(i)
	}
	return at
}

// Integer says whether every user id is an integer, and so equals its `id`.
func (n *VertexNames) Integer() bool { return n.integer }

// VertexText is the user id of the vertex with this `id`; empty for algorithms.Unreached.
func (n *VertexNames) VertexText(id int64) string {
	switch {
	case id == algorithms.Unreached:
		return ""
	case n.integer || id < 0 || id >= int64(n.ids.Len()):
		return strconv.FormatInt(id, 10)
	case n.dense != nil:
		id = int64(n.dense[id])
	}
	return n.ids.Text(int(id))
}

// UserColumn is the VertexID column of that name as user ids.
func (r *Result) UserColumn(ctx context.Context, snap *store.Snapshot, name string) ([]string, error) {
	names, err := NewVertexNames(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, c := range r.Columns {
		if c.Name != name || c.Type != algorithms.VertexID {
			continue
		}
		users := make([]string, len(c.Ints))
		for i, id := range c.Ints {
			users[i] = names.VertexText(id)
		}
		return users, nil
	}
	return nil, fmt.Errorf("the result has no column %q of vertices", name)
}

// FollowedBy is both results as one. Nil is none.
func (r *Result) FollowedBy(next *Result) *Result {
	if r == nil {
		return next
	}
	return &Result{Shape: r.Shape, Report: r.Report.And(next.Report), Columns: append(r.Columns, next.Columns...),
		Held: r.Held + next.Held}
}

// Drop gives back what the columns take. Nil has none.
func (r *Result) Drop(ctx context.Context) {
	if account := memory.Of(ctx); account != nil && r != nil {
		account.Give(r.Held)
	}
}
