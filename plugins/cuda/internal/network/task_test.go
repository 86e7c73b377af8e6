package network

import (
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// fixed is what a model takes of the card over vertices of such a degree, with features of such a width.
func fixed(t *testing.T, name string, degree int64, width int) uint64 {
	t.Helper()
	const n = 100
	model, _ := neural.Lookup(name)
	c, err := neural.Compile(model, neural.Schema{Features: width, Outputs: 8})
	if err != nil {
		t.Fatal(err)
	}
	p := c.Program
	memory, err := arena.Create(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Close() })
	network := &plugins.Network{Values: p.Values, SelfLoops: model.SelfLoops, Parameters: arena.Range{Length: 1 << 20}}
	for _, v := range p.Values {
		if v.Op == dataflow.Input && !neural.IsDegree(v.Name) {
			network.Inputs = append(network.Inputs, plugins.Tensor{Name: v.Name, Numbers: arena.Range{
				Length: 4 * n * uint64(v.Width)}})
		}
	}
	network.Passes = []plugins.NetworkPass{{Roots: []*dataflow.Value{p.Loss, p.Gradients[0]}}}
	column := algorithms.Column{Name: neural.InputOutDegree, Type: algorithms.Int}
	layout := plugins.Layout{Columns: []plugins.VertexColumn{{Column: column, Range: arena.Range{Length: 8 * n}}}}
	degrees, err := memory.Int64s(layout.Columns[0].Range)
	if err != nil {
		t.Fatal(err)
	}
	for v := range degrees {
		degrees[v] = degree
	}
	task, err := New(nil, nil, plugins.Job{Arena: memory, Graph: plugins.Graph{Vertices: n}},
		plugins.Task{Network: network, Layout: layout}, Tiled)
	if err != nil {
		t.Fatal(err)
	}
	return task.plan.Fixed
}

// An edge takes the four bytes that name its other end, whatever a model says of edges: no number of an edge is stored.
func TestNew_Edges(t *testing.T) {
	for _, name := range neural.Names() {
		if name == "mlp" {
			continue
		}
		few, many := fixed(t, name, 100, 64), fixed(t, name, 200, 64)
		if more := many - few; more != 4*100*100/alignment*alignment && more != (4*100*100/alignment+1)*alignment {
			t.Errorf("%s: 10000 edges more take %d bytes more; expected 40000, and what aligns them", name, more)
		}
	}
}

// What a pass leaves takes the place of what is needed no more.
func TestPlace(t *testing.T) {
	first, second, third := &buffer{bytes: 1000, first: 0, last: 1}, &buffer{bytes: 500, first: 1, last: 3},
		&buffer{bytes: 900, first: 2, last: 3}
	if end := place([]*buffer{first, second, third}, 4, 256); end != 256+1024+512 || third.at != first.at {
		t.Errorf("%d bytes; %+v, %+v, %+v", end, first, second, third)
	}
}
