package bolt

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// remotePatience is how long a server may take to take a request.
const remotePatience = time.Minute

// fetchRows is how many rows are asked for at once.
const fetchRows = 1000

// remoteResult is rows that are fetched as they are read.
type remoteResult struct {
	remote  *Remote
	ctx     context.Context
	columns []string
	pulling bool // rows, or word that there are no more, are on their way
	more    bool // the server has more
	row     []value.Value
	summary backend.Summary
	err     error
}

func (r *remoteResult) Columns() []string        { return r.columns }
func (r *remoteResult) Row() []value.Value       { return r.row }
func (r *remoteResult) Err() error               { return r.err }
func (r *remoteResult) Summary() backend.Summary { return r.summary }

func (r *remoteResult) Next() bool {
	for r.err == nil && (r.pulling || r.more) {
		if !r.pulling {
			r.request(tagPull, fetchRows)
		}
		if r.receive() {
			return true
		}
	}
	return false
}

func (r *remoteResult) request(tag byte, n int64) {
	r.err = r.remote.send(tag, value.OfEntries([]value.Entry{integer("n", n)}))
	r.pulling, r.more = true, false
}

// receive takes a message: a row, or the end of those that were asked for.
func (r *remoteResult) receive() (row bool) {
	if r.err != nil {
		return false
	}
	tag, field, err := r.remote.receive(r.ctx)
	switch {
	case err != nil:
		r.err, r.pulling = err, false
	case tag == tagRecord && field.Kind() == value.List:
		r.row = field.List()
		return true
	default:
		r.pulling, r.more = false, at(field, "has_more").Kind() == value.Bool
		r.summary = summaryOf(field)
	}
	return false
}

// Close passes over what is left.
func (r *remoteResult) Close() error {
	for r.pulling && r.err == nil {
		r.receive()
	}
	if r.more && r.err == nil {
		r.request(tagDiscard, -1)
		r.receive()
	}
	return r.err
}

// summaryOf reads what metadata writes.
func summaryOf(meta value.Value) backend.Summary {
	s := backend.Summary{Type: textOf(meta, "type"), Bookmark: textOf(meta, "bookmark")}
	if stats := at(meta, "stats"); stats.Kind() == value.Map {
		s.Counters = countersOf(stats)
	}
	for _, key := range []string{"plan", "profile"} {
		if plan := at(meta, key); plan.Kind() == value.Map {
			s.Plan = planOf(plan)
		}
	}
	return s
}

func countersOf(stats value.Value) backend.Counters {
	n := func(key string) int64 { return integerOf(stats, key, 0) }
	return backend.Counters{
		NodesCreated: n("nodes-created"), NodesDeleted: n("nodes-deleted"),
		RelationshipsCreated: n("relationships-created"), RelationshipsDeleted: n("relationships-deleted"),
		PropertiesSet: n("properties-set"), LabelsAdded: n("labels-added"), LabelsRemoved: n("labels-removed"),
		IndexesAdded: n("indexes-added"), IndexesRemoved: n("indexes-removed"),
		ConstraintsAdded: n("constraints-added"), ConstraintsRemoved: n("constraints-removed"),
	}
}

func planOf(meta value.Value) *backend.Plan {
	p := &backend.Plan{Operator: textOf(meta, "operatorType"), Columns: stringsOf(meta.Get("identifiers"))}
	if args := meta.Get("args"); args.Kind() == value.Map {
		p.Arguments = args.Map()
	}
	if children := meta.Get("children"); children.Kind() == value.List {
		for _, child := range children.List() {
			if child.Kind() == value.Map {
				p.Children = append(p.Children, planOf(child))
			}
		}
	}
	if rows := meta.Get("rows"); rows.Kind() == value.Int {
		p.Profiled, p.Rows = true, rows.Int()
	}
	return p
}

func stringsOf(v value.Value) []string {
	if v.Kind() != value.List {
		return nil
	}
	var s []string
	for _, e := range v.List() {
		if e.Kind() == value.String {
			s = append(s, e.Str())
		}
	}
	return s
}
