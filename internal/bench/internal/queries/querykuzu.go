package queries

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// propertyLoads is how often a graph is loaded by everybody.
const propertyLoads = 3

// loads has the graph loaded by turns: by penstock load, a process, and by Kuzu's COPY of both files.
func (g *propertyGraph) loads(ctx context.Context, o measure.Options) (measure.Timings, error) {
	all := []measure.Contender{func(ctx context.Context) ([]measure.Sample, error) { return g.load(ctx, o) }}
	if o.Kuzu != "" {
		all = append(all, func(ctx context.Context) ([]measure.Sample, error) { return g.copy(ctx, o) })
	}
	return measure.Rounds(ctx, all, propertyLoads, o.Limit)
}

func (g *propertyGraph) load(ctx context.Context, o measure.Options) ([]measure.Sample, error) {
	o.Step("%s: load %d edges", g.name, g.edges)
	if err := os.RemoveAll(g.file(graphs.Database)); err != nil {
		return nil, err
	}
	var stored struct{}
	wall, err := programs.Penstock(ctx, o, &stored, "load", graphs.Plain, g.file(nodeTable), g.file(edgeTable), "--db",
		g.file(graphs.Database))
	return []measure.Sample{{Way: measure.PenstockQuery, Seconds: wall, Command: "penstock load g nodes.csv edges.csv"}},
		err
}

func (g *propertyGraph) copy(ctx context.Context, o measure.Options) ([]measure.Sample, error) {
	o.Step("%s: COPY into Kuzu", g.name)
	if err := os.RemoveAll(g.file("kuzu")); err != nil {
		return nil, err
	}
	q, err := g.startKuzu(ctx, o)
	if err != nil {
		return nil, err
	}
	return []measure.Sample{{Way: measure.KuzuQuery, Seconds: q.copied.Seconds, Command: q.copied.Query}}, q.End()
}

// asked is the program of module bench/kuzu that answers statements.
type asked struct {
	programs.Kuzu
	copied programs.KuzuAnswer
}

// startKuzu opens the graph in Kuzu, which copies it first if that has not been done.
func (g *propertyGraph) startKuzu(ctx context.Context, o measure.Options) (*asked, error) {
	q := &asked{}
	err := q.Start(exec.CommandContext(ctx, o.Kuzu, "-nodes", g.file(nodeTable), "-edges", g.file(edgeTable),
		"-db", g.file("kuzu"), "-threads", strconv.Itoa(o.Threads)))
	if err == nil {
		q.copied, err = q.Answer(ctx)
	}
	return q, err
}

func (q *asked) way() string { return measure.KuzuQuery }

func (q *asked) ask(ctx context.Context, asked question) (float64, answers, error) {
	line, err := json.Marshal(asked)
	if err != nil {
		return 0, nil, err
	}
	answer, err := q.Compute(ctx, string(line))
	slices.Sort(answer.Rows)
	return answer.Seconds / float64(asked.runs()), answer.Rows, err
}
