package cpu_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// On small graphs, of few edges or many, with any parameters, procedures give what their oracles give, by any number of
// threads and however the chunks are cut: 200 of them where PENSTOCK_LONG=1.
func TestProcedures_AgreeOnSmallGraphs(t *testing.T) {
	for _, a := range catalog.All() {
		if a.Procedure == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			random := testseed.Rand(t)
			for i := range map[bool]int{false: 30, true: 200}[long.Tests()] {
				c, err := oracletest.RandomCase(random, a, 1+random.IntN(60))
				if err != nil {
					t.Fatal(err)
				}
				if compareWith(t, c.Graph, a, c.Args); t.Failed() {
					t.Fatalf("graph %d: %+v, %v", i, c.Graph, c.Params)
				}
			}
		})
	}
}

func compareProcedure(t *testing.T, g *algorithms.Graph, a *algorithms.Algorithm) {
	params := map[string]string{}
	for i, p := range a.Params {
		if oracletest.Large(p) {
			params[p.Name] = "5"
		}
		switch p.Type {
		case algorithms.ParamVertex: // the first, and the last
			params[p.Name] = strconv.FormatInt(g.IDs[i*(g.N()-1)%g.N()], 10)
		case algorithms.ParamVertices:
			if !p.Optional {
				params[p.Name] = oracletest.Vertices(rand.New(rand.NewPCG(uint64(i), 1)), g)
			}
		case algorithms.ParamVertexProperty:
			params[p.Name] = oracletest.VertexProperty(rand.New(rand.NewPCG(1, 1)), p)
			g = oracletest.WithProperties(g)
		case algorithms.ParamVectors:
			params[p.Name] = oracletest.Vectors(rand.New(rand.NewPCG(1, 1)), p)
			g = oracletest.WithProperties(g)
		}
	}
	oracletest.Together(rand.New(rand.NewPCG(uint64(g.N()), 1)), a, g.N(), params)
	args, err := a.Bind(params, oracletest.Env(g))
	if err != nil {
		t.Fatal(err)
	}
	compareWith(t, g, a, args)
}

func compareWith(t *testing.T, g *algorithms.Graph, a *algorithms.Algorithm, args algorithms.Args) {
	t.Helper()
	want, err := a.Oracle(g, args)
	var diverged *algorithms.DivergedError
	if err != nil && !errors.As(err, &diverged) {
		t.Fatal(err)
	}
	var first []algorithms.Values
	for _, form := range []struct{ threads, stripes, columns int }{{1, 1, 1}, {4, 3, 2}} {
		r := newRig(t, g, 1<<22)
		r.threads, r.stripes, r.columns = form.threads, form.stripes, form.columns
		if err := r.procedure(a, args); err != nil {
			t.Fatal(err)
		}
		if found := r.events[len(r.events)-1].Iteration; (found != nil) != (diverged != nil) {
			t.Fatalf("told of a cycle: %v; the oracle: %v", found, diverged)
		}
		if diverged != nil {
			continue
		}
		var got []algorithms.Values
		for i, c := range a.Columns(args) {
			if got = append(got, r.column(c)); !a.Approximate {
				near(t, r.plan.Kernel, got[i], want[i])
			}
		}
		if err := a.Verify(g, args, got); err != nil {
			t.Error(err)
		}
		if first == nil {
			first = got
		}
		identical(t, got, first)
	}
}

// procedure compiles and calls a.
func (r *rig) procedure(a *algorithms.Algorithm, args algorithms.Args) error {
	columns := []algorithms.Column{{Name: "id", Type: algorithms.Int},
		{Name: "out_degree", Type: algorithms.Int}, {Name: "in_degree", Type: algorithms.Int}}
	inputs := a.VertexInputs(args)
	for _, in := range inputs {
		columns = append(columns, in.Column)
	}
	vectors := a.VectorInputs(args)
	task := plugins.Task{Procedure: a.Name, Args: args}
	if err := r.compile(task, append(columns, a.Columns(args)...), vectors...); err != nil {
		return err
	}
	for i, in := range vectors {
		numbers, err := r.arena.Float32s(r.layout.Rows[i].Range)
		if err != nil {
			return err
		}
		rows, err := r.graph.VectorRows(in)
		if err != nil {
			return err
		}
		copy(numbers, rows)
	}
	for i, in := range inputs {
		at := r.layout.Columns[3+i].Range
		ints, err1 := r.arena.Int64s(at)
		floats, err2 := r.arena.Float64s(at)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		copy(ints, r.graph.Properties[in.Property].Ints)
		copy(floats, r.graph.Properties[in.Property].Floats)
		for v, whole := range r.graph.Properties[in.Property].Ints {
			if in.Type == algorithms.Float {
				floats[v] = float64(whole)
			}
		}
	}
	r.chunks()
	return r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		for _, u := range r.uploads {
			ask(u)
		}
		ask(plugins.Command{Op: plugins.Call})
	})
}

// Of 130 vertices, each beside each other, all have colors of their own: more than fit one word.
func TestProcedures_ColorsOfACompleteGraph(t *testing.T) {
	var edges []algorithms.Edge
	ids := make([]int64, 130)
	for v := range ids {
		ids[v] = int64(7 * v % 130)
		for u := range v {
			edges = append(edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v)})
		}
	}
	a, err := catalog.Lookup("k1-coloring")
	if err != nil {
		t.Fatal(err)
	}
	compareProcedure(t, algorithms.NewGraph(true, ids, edges), a)
}
