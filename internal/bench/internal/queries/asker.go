package queries

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"

	engine "github.com/penstock-db/penstock/internal/query"
	"github.com/penstock-db/penstock/store"
)

// asker answers statements on a graph that it has loaded. The seconds are those of one run.
type asker interface {
	way() string
	ask(ctx context.Context, q question) (seconds float64, rows answers, err error)
}

// withAskers opens what was loaded for as long as do takes: Penstock first, then Kuzu.
func (g *propertyGraph) withAskers(ctx context.Context, o measure.Options, do func([]asker) error) error {
	db, err := store.Open(g.file(graphs.Database), store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	all := []asker{ours{engine.New(db, engine.Options{})}}
	if o.Kuzu != "" {
		q, err := g.startKuzu(ctx, o)
		if err != nil {
			return err
		}
		defer q.Close()
		all = append(all, q)
	}
	return do(all)
}

// ours asks in this process.
type ours struct{ *engine.Engine }

func (ours) way() string { return measure.PenstockQuery }

func (e ours) ask(ctx context.Context, q question) (float64, answers, error) {
	var rows answers
	started := time.Now()
	for _, parameters := range q.parameters() {
		result, err := e.Run(ctx, graphs.Plain, q.Text, parameters)
		if err != nil {
			return 0, nil, err
		}
		for result.Next() {
			rows = append(rows, spelled(result.Row()))
		}
		if err := result.Close(); err != nil {
			return 0, nil, err
		}
	}
	seconds := time.Since(started).Seconds() / float64(q.runs())
	slices.Sort(rows)
	return seconds, rows, nil
}

func (q question) runs() int { return max(1, len(q.IDs)) }

// parameters of each run.
func (q question) parameters() []map[string]value.Value {
	all := make([]map[string]value.Value, q.runs())
	for i, id := range q.IDs {
		all[i] = map[string]value.Value{"id": value.OfInt(id)}
	}
	return all
}

func spelled(row []value.Value) string {
	fields := make([]string, len(row))
	for i, v := range row {
		fields[i] = v.Plain()
	}
	return strings.Join(fields, " ")
}
