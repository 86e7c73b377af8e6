// Package queries measures statements in Cypher, beside Kuzu.
package queries

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
)

// Queries is a series of measurements of statements in Cypher.
type Queries struct {
	measure.Setting
	Graphs []QueriedGraph `json:"graphs"`
}

// QueriedGraph is what was measured on one graph.
type QueriedGraph struct {
	Name     string        `json:"name"`
	Vertices uint64        `json:"vertices"`
	Edges    uint64        `json:"edges"` // directed
	Rows     []results.Row `json:"rows"`  // seconds are those of one run of a statement
}

// Query loads graphs with properties and asks them, by turns with Kuzu where o.Kuzu names its
// module. Statements of both have parameters; both give rows to Go. Of o's graphs there are
// also air-routes, if o.Data has them.
//
// Errors: *OptionError, *ProcessError, *AnswerError, and those of store and query.
func Query(ctx context.Context, o measure.Options) (*Queries, error) {
	if err := checkQueried(o); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = programs.FindPrograms(ctx, o, dir); err != nil {
		return nil, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.Threads))
	series := &Queries{Setting: measure.NewSetting(o)}
	for _, name := range o.Graphs {
		measured, err := queried(ctx, o, dir, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		series.Graphs = append(series.Graphs, *measured)
	}
	series.LoadAfter = measure.LoadAverage()
	return series, nil
}

func checkQueried(o measure.Options) error {
	others := o
	others.Graphs = slices.DeleteFunc(slices.Clone(o.Graphs), func(name string) bool { return name == airRoutes })
	if err := kernel.Check(others); err != nil {
		return err
	}
	if len(others.Graphs) < len(o.Graphs) {
		return graphs.Input{File: airRoutes + "/" + airports}.Check(o.Data)
	}
	return nil
}

// queried makes a graph, loads it and asks it everything.
func queried(ctx context.Context, o measure.Options, dir, name string) (*QueriedGraph, error) {
	g, err := makePropertyGraph(ctx, o, dir, name)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(g.dir)
	measured := &QueriedGraph{Name: name, Vertices: g.vertices, Edges: g.edges}
	loaded, err := g.loads(ctx, o)
	if err != nil {
		return nil, err
	}
	measured.Rows = append(measured.Rows, results.Row{Name: measure.Loading, Ways: loaded})
	err = g.withAskers(ctx, o, func(all []asker) error {
		for _, q := range queries {
			o.Step("%s: %s", name, q.name)
			row, err := q.measure(ctx, g, all, o)
			if err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
			measured.Rows = append(measured.Rows, row)
		}
		return nil
	})
	return measured, err
}

// measure asks all once and compares the answers; then it takes times.
func (q query) measure(ctx context.Context, g *propertyGraph, all []asker, o measure.Options) (results.Row, error) {
	asked := q.on(g)
	var first answers
	var contenders []measure.Contender
	for i, a := range all {
		_, found, err := a.ask(ctx, asked)
		if err != nil {
			return results.Row{}, err
		}
		if i == 0 {
			first = found
		} else if !slices.Equal(first, found) {
			return results.Row{}, &AnswerError{asked.Text, first, found}
		}
		contenders = append(contenders, func(ctx context.Context) ([]measure.Sample, error) {
			seconds, _, err := a.ask(ctx, asked)
			return []measure.Sample{{Way: a.way(), Seconds: seconds, Command: q.text}}, err
		})
	}
	found, err := measure.Rounds(ctx, contenders, o.Runs, o.Limit)
	return results.Row{Name: q.name, Ways: found}, err
}

// AnswerError is a statement that Penstock and Kuzu answer differently.
type AnswerError struct {
	Text         string
	Ours, Theirs []string // rows, in ascending order
}

func (e *AnswerError) Error() string {
	at := 0
	for at < min(len(e.Ours), len(e.Theirs)) && e.Ours[at] == e.Theirs[at] {
		at++
	}
	row := func(rows []string) string {
		if at < len(rows) {
			return rows[at]
		}
		return "the end"
	}
	return fmt.Sprintf("bench: %s: answers disagree: row %d of %d is %s here, by Kuzu it is %s, of %d", e.Text, at+1,
		len(e.Ours), row(e.Ours), row(e.Theirs), len(e.Theirs))
}
