package npu_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/npu"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
	"github.com/penstock-db/penstock/plugins/plugintest"
)

// TestConformance_Blocks has each stage of a network computed row by row, as large graphs are block by block.
func TestConformance_Blocks(t *testing.T) {
	plugintest.Run(t, func(t *testing.T) plugins.Device {
		if _, group, _ := strings.Cut(t.Name(), "/"); group != "Networks" {
			t.Skip("TestConformance has this group; here blocks are tested, which networks have")
		}
		orttest.Runtime(t)
		device, err := npu.New(npu.Options{Library: orttest.Path(), Scratch: 1})
		if err != nil {
			t.Fatal(err)
		}
		return plugintest.Rounds(device)
	})
}

// networkOver compiles the sum of the neighbors' rows over a ring of so many vertices.
func networkOver(t *testing.T, device plugins.Device, vertices, budget uint64, values []*dataflow.Value,
	root *dataflow.Value) (plugins.Plan, error) {
	t.Helper()
	end := uint64(0)
	next := func(bytes uint64) arena.Range {
		at := arena.Range{Offset: end, Length: bytes}
		end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
		return at
	}
	column := func(name string) plugins.VertexColumn {
		return plugins.VertexColumn{Column: algorithms.Column{Name: name, Type: algorithms.Int}, Range: next(8 * vertices)}
	}
	layout := plugins.Layout{Columns: []plugins.VertexColumn{column("out_degree"), column("in_degree")},
		Active: next((vertices + 63) / 64 * 8)}
	network := &plugins.Network{Values: values,
		Inputs: []plugins.Tensor{{Name: "x", Numbers: next(4 * vertices)}},
		Passes: []plugins.NetworkPass{{Roots: []*dataflow.Value{root}, At: next(4 * vertices)}}}
	a, err := arena.Create(end)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	s, err := device.Open(t.Context(), plugins.Job{Arena: a, Budget: budget, Threads: 1,
		Graph: plugins.Graph{Vertices: vertices, Edges: vertices, Directed: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.Compile(t.Context(), plugins.Task{Network: network, Layout: layout})
}

// A graph whose pairs do not fit is refused before there is a matrix, and the error names about the largest that fits.
// A network that looks at no edges takes no matrix.
func TestCompile_NamesTheLargestGraphOfANetwork(t *testing.T) {
	device := open(t)
	b := dataflow.NewBuilder(false)
	x := b.Input("x", 1)
	sum := b.Gather(dataflow.GatherSum, dataflow.AtTarget, b.At(dataflow.AtSource, x))
	const budget = 16 << 20
	_, err := networkOver(t, device, 20_000, budget, b.Values(), sum)
	if plugins.KindOf(err) != plugins.KindBudget {
		t.Fatalf("%v; expected %q", err, plugins.KindBudget)
	}
	named := regexp.MustCompile(`the largest graph that fits has about (\d+) vertices`).FindStringSubmatch(err.Error())
	if named == nil {
		t.Fatalf("%q names no size", err)
	}
	most, _ := strconv.ParseUint(named[1], 10, 64)
	for vertices, fits := range map[uint64]bool{most * 9 / 10: true, most * 11 / 10: false} {
		if _, err := networkOver(t, device, vertices, budget, b.Values(), sum); (err == nil) != fits {
			t.Errorf("%d vertices: %v; the largest graph was said to have %d", vertices, err, most)
		}
	}
	alone := dataflow.NewBuilder(false)
	relu := alone.Unary(dataflow.Relu, alone.Input("x", 1), 0)
	if _, err := networkOver(t, device, 200_000, budget, alone.Values(), relu); err != nil {
		t.Errorf("a network that looks at no edges: %v", err)
	}
}
