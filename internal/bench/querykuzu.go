package bench

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// propertyLoads is how often a graph is loaded by everybody.
const propertyLoads = 3

// loads has the graph loaded by turns: by penstock load, a process, and by Kuzu's COPY of both files.
func (g *propertyGraph) loads(ctx context.Context, o Options) (timings, error) {
	all := []contender{func(ctx context.Context) ([]sample, error) { return g.load(ctx, o) }}
	if o.Kuzu != "" {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.copy(ctx, o) })
	}
	return rounds(ctx, all, propertyLoads, o.Limit)
}

func (g *propertyGraph) load(ctx context.Context, o Options) ([]sample, error) {
	o.step("%s: load %d edges", g.name, g.edges)
	if err := os.RemoveAll(g.file(database)); err != nil {
		return nil, err
	}
	var stored struct{}
	wall, err := o.penstock(ctx, &stored, "load", plain, g.file(nodeTable), g.file(edgeTable), "--db", g.file(database))
	return []sample{{way: penstockQuery, seconds: wall, command: "penstock load g nodes.csv edges.csv"}}, err
}

func (g *propertyGraph) copy(ctx context.Context, o Options) ([]sample, error) {
	o.step("%s: COPY into Kuzu", g.name)
	if err := os.RemoveAll(g.file("kuzu")); err != nil {
		return nil, err
	}
	q, err := g.startKuzu(ctx, o)
	if err != nil {
		return nil, err
	}
	return []sample{{way: kuzuQuery, seconds: q.copied.Seconds, command: q.copied.Query}}, q.end()
}

// asked is the program of module bench/kuzu that answers statements.
type asked struct {
	kuzu
	copied kuzuAnswer
}

// startKuzu opens the graph in Kuzu, which copies it first if that has not been done.
func (g *propertyGraph) startKuzu(ctx context.Context, o Options) (*asked, error) {
	q := &asked{}
	err := q.start(exec.CommandContext(ctx, o.Kuzu, "-nodes", g.file(nodeTable), "-edges", g.file(edgeTable),
		"-db", g.file("kuzu"), "-threads", strconv.Itoa(o.Threads)))
	if err == nil {
		q.copied, err = q.answer(ctx)
	}
	return q, err
}

func (q *asked) way() string { return kuzuQuery }

func (q *asked) ask(ctx context.Context, asked question) (float64, answers, error) {
	line, err := json.Marshal(asked)
	if err != nil {
		return 0, nil, err
	}
	answer, err := q.compute(ctx, string(line))
	slices.Sort(answer.Rows)
	return answer.Seconds / float64(asked.runs()), answer.Rows, err
}
