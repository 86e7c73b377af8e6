package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// named is a graph whose vertices users call v0, v1 …, with the ids 100, 101 …
type named struct{ graph }

func (n named) Vertex(_ context.Context, user string) (dense uint64, err error) {
	if _, err = fmt.Sscanf(user, "v%d", &dense); err != nil || dense >= n.vertices {
		return 0, errNoVertex
	}
	return dense, nil
}

func (n named) ID(_ context.Context, dense uint64) (int64, error) { return int64(100 + dense), nil }

func (n named) LargestDegree(context.Context, chunk.Direction) (uint32, error) { return 4, nil }

// NodeProperty has lists of three numbers, and of none where the property is called so.
func (n named) NodeProperty(_ context.Context, name string, yield func(uint64, arrow.Array) error) error {
	b := array.NewListBuilder(memory.DefaultAllocator, arrow.PrimitiveTypes.Float32)
	for range n.vertices {
		b.Append(true)
		if name != "none" {
			b.ValueBuilder().(*array.Float32Builder).AppendValues([]float32{1, 2, 3}, nil)
		}
	}
	return yield(0, b.NewArray())
}

var errNoVertex = errors.New("no such vertex")

var small = named{graph{vertices: 10, directed: true, sizes: []int{64}, properties: weights}}

func columnNames(columns []algorithms.Column) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

func bound(t *testing.T, req Request) Computation {
	t.Helper()
	c, err := Bind(context.Background(), small, req)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBind_Algorithm(t *testing.T) {
	given := map[string]string{"damping": "0.5"}
	c := bound(t, Request{Algorithm: "pagerank", Params: given, Resume: true, CheckpointDir: "d",
		Schedule: "scaph:alpha=0.4"})
	if c.Request.Algorithm != "pagerank" || c.Task.Program == nil || !c.Task.Restorable ||
		c.Schedule.Name != "scaph:alpha=0.4" || c.Finish != nil {
		t.Errorf("%+v", c)
	}
	if c.Parameters["damping"] != "0.5" || c.Parameters["tolerance"] == "" || len(given) != 1 {
		t.Errorf("parameters %q of %q", c.Parameters, given)
	}
	if len(c.Results) != 1 || c.Inputs() != len(c.Columns)-len(c.Task.Program.State) || len(c.EdgeNames) != 0 ||
		len(c.Sources) != 0 {
		t.Errorf("columns %q, results %q, edges %q", columnNames(c.Columns), columnNames(c.Results), c.EdgeNames)
	}
	if c := bound(t, Request{Algorithm: "sssp", Params: map[string]string{"source": "v3",
		"weight": "f"}}); !slices.Equal(c.EdgeNames, []string{"f"}) || c.Task.Restorable {
		t.Errorf("edges %q", c.EdgeNames)
	}
}

func TestBind_Procedure(t *testing.T) {
	c := bound(t, Request{Algorithm: "scc"})
	if c.Task.Program != nil || c.Task.Procedure != "scc" || !reflect.DeepEqual(c.Results, c.Columns[3:]) {
		t.Errorf("%+v", c)
	}
	if names := columnNames(c.Columns); !slices.Equal(names[:3], []string{"id", "out_degree", "in_degree"}) ||
		len(names) != 3+len(c.Results) {
		t.Errorf("columns %q", names)
	}
	lookup, err := catalog.Lookup("scc")
	if err != nil || c.Edges != lookup.Procedure.Edges {
		t.Errorf("edges %v, %v", c.Edges, err)
	}
}

// What a procedure is given of vertices stands between the inputs of all and the results, and is checked before a
// device is known.
func TestBind_VertexProperty(t *testing.T) {
	g := small
	g.vertexProperties = []store.Property{{Name: "team", Type: "int32"}, {Name: "height", Type: "float64"},
		{Name: "name", Type: "utf8"}}
	request := func(property string) Request {
		return Request{Algorithm: "modularity", Params: map[string]string{"community": property}}
	}
	c, err := Bind(context.Background(), g, request("team"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"id", "out_degree", "in_degree", "vertex.community", "modularity", "community"}
	if names := columnNames(c.Columns); !slices.Equal(names, want) || len(c.Properties) != 1 ||
		c.Properties[0].Property != "team" || c.Columns[3].Type != algorithms.Int || len(c.Results) != 2 {
		t.Errorf("columns %q, properties %+v, results %q", names, c.Properties, columnNames(c.Results))
	}
	for _, property := range []string{"height", "name", "tem", ""} {
		var wrong *algorithms.ParamError
		if _, err := Bind(context.Background(), g, request(property)); !errors.As(err, &wrong) || wrong.Param != "community" {
			t.Errorf("%q: %v; expected what is wrong with the parameter", property, err)
		}
	}
}

// Vectors are rows of a layout, as wide as the first vertex has them; no chunk comes with them.
func TestBind_Vectors(t *testing.T) {
	g := small
	for name, kind := range map[string]arrow.DataType{"place": arrow.ListOf(arrow.PrimitiveTypes.Float32),
		"none": arrow.ListOf(arrow.PrimitiveTypes.Float32), "words": arrow.ListOf(arrow.BinaryTypes.String)} {
		var schema bytes.Buffer
		w := ipc.NewWriter(&schema, ipc.WithSchema(arrow.NewSchema([]arrow.Field{{Name: name, Type: kind}}, nil)))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		g.vertexProperties = append(g.vertexProperties,
			store.Property{Name: name, Type: kind.String(), Schema: schema.Bytes()})
	}
	g.vertexProperties = append(g.vertexProperties, store.Property{Name: "name", Type: "utf8"})
	bind := func(property string) (Computation, error) {
		return Bind(context.Background(), g, Request{Algorithm: "knn", Params: map[string]string{"nodeProperties": property}})
	}
	c, err := bind("place")
	if err != nil {
		t.Fatal(err)
	}
	want := algorithms.Rows{Name: "vertex.nodeProperties", Width: 3, Given: true}
	if !c.Edgeless || !slices.Equal(c.Rows, []algorithms.Rows{want}) || len(c.Vectors) != 1 ||
		!slices.Equal(c.Vectors[0].Properties, []string{"place"}) {
		t.Errorf("edgeless %v, rows %+v, vectors %+v", c.Edgeless, c.Rows, c.Vectors)
	}
	if _, end := c.Layouts(10, 1, 0); end < 10*3*4 {
		t.Errorf("a layout of %d bytes", end)
	}
	if chunks, err := c.wanted(g, "cpu", plugins.Plan{}); err != nil || len(chunks) > 0 {
		t.Errorf("chunks %v, %v", chunks, err)
	}
	for property, message := range map[string]string{"none": "its vectors have 0 numbers", "words": "no such vertex property",
		"name": "only none, place", "plac": "did you mean place?"} {
		var wrong *algorithms.ParamError
		if _, err := bind(property); !errors.As(err, &wrong) || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v; expected %s", property, err, message)
		}
	}
}

func TestBind_ProgramStaysAsItIs(t *testing.T) {
	lookup, err := catalog.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	args, err := lookup.Bind(map[string]string{"source": "v1"}, environment(context.Background(), small))
	if err != nil {
		t.Fatal(err)
	}
	program, err := lookup.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprintf("%+v %+v", program.State, program.Constants)
	c := bound(t, Request{Program: program, Sources: []string{"v7", "v8"}})
	if got := fmt.Sprintf("%+v %+v", program.State, program.Constants); got != before {
		t.Errorf("the caller's program is %s; it was %s", got, before)
	}
	i := slices.IndexFunc(c.Task.Program.Constants, IsSource)
	if i < 0 || c.Task.Program.Constants[i].Int != 107 || !slices.Equal(c.Sources, []string{"v7"}) ||
		len(c.Results) != len(program.State) {
		t.Errorf("%+v from %q", c.Task.Program.Constants, c.Sources)
	}
	var refusal *RequestError
	if _, err := Bind(context.Background(), small, Request{Program: &algorithms.Program{Name: "x"},
		Sources: []string{"v1"}}); !errors.As(err, &refusal) {
		t.Errorf("no constant source: %v", err)
	}
	if _, err := Bind(context.Background(), small, Request{Program: program, Sources: []string{"w"}}); !errors.Is(err,
		errNoVertex) {
		t.Errorf("no vertex: %v", err)
	}
}

func TestBind_Custom(t *testing.T) {
	custom := algorithms.Custom{Process: "src.value + hop", Init: "id == source ? 0.0 : inf",
		Apply: "min(self.value, acc)", Reduce: "min"}
	params := map[string]string{"source": "v2", "hop": "1.5"}
	c, err := Bind(context.Background(), small, Request{Custom: &custom, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(c.Parameters, params) || c.Task.Program == nil || len(c.Results) != 1 {
		t.Errorf("%+v", c)
	}
}

// refused are requests that Bind refuses, with what is said of them.
var refused = []struct {
	name string
	req  Request
	says string
}{
	{"nothing", Request{}, "name an algorithm"},
	{"schedule", Request{Algorithm: "bfs", Schedule: "none"}, "there is none of that name"},
	{"algorithm", Request{Algorithm: "none"}, "none"},
	{"parameter", Request{Algorithm: "pagerank", Params: map[string]string{"dumping": "1"}}, "dumping"},
	{"vertex", Request{Algorithm: "bfs", Params: map[string]string{"source": "w"}}, "no such vertex"},
	{"procedure on two", Request{Algorithm: "scc", Device: "cpu,cpu"}, "needs all chunks on one device"},
	{"procedure that streams", Request{Algorithm: "scc", Schedule: "whole"}, "it needs all chunks at once"},
	{"procedure from sources", Request{Algorithm: "betweenness", Sources: []string{"v1"}},
		"is a procedure, which runs once"},
	{"custom", Request{Custom: &algorithms.Custom{Process: "?"}}, ""},
	{"program", Request{Program: &algorithms.Program{}}, ""},
	{"property", Request{Algorithm: "pagerank", Property: ":x"}, "begins with ':'"},
	{"property of a source", Request{Algorithm: "bfs", Sources: []string{"v1"}, Property: ":x"}, "begins with ':'"},
}

func TestBind_Refuses(t *testing.T) {
	for _, c := range refused {
		if _, err := Bind(context.Background(), small, c.req); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected %q", c.name, err, c.says)
		}
	}
}

func TestPropertyName(t *testing.T) {
	for _, c := range []struct {
		place        int
		source, want string
	}{{0, "", "p"}, {1, "", "p_col"}, {0, "5", "p_5"}, {2, "5", "p_col"}} {
		if got := PropertyName("p", c.place, "col", c.source); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A name is refused wherever one of the results would take a loaded property's.
func TestCheckProperty(t *testing.T) {
	m := &store.Manifest{NodeProperties: []store.Property{{Name: "p_5"}, {Name: "q_b"}, {Name: "r_b_5"}}}
	results := []algorithms.Column{{Name: "a"}, {Name: "b"}}
	for _, c := range []struct {
		name    string
		sources []string
		fails   bool
	}{
		{"", nil, false}, {"p", nil, false}, {"p", []string{"4", "5"}, true}, {"p", []string{"4"}, false},
		{"q", nil, true}, {"q", []string{"5"}, false}, {"r", nil, false}, {"r", []string{"5"}, true},
	} {
		if err := checkProperty(m, Request{Property: c.name, Sources: c.sources}, results); (err != nil) != c.fails {
			t.Errorf("%s from %q: %v", c.name, c.sources, err)
		}
	}
}

func TestFromSources(t *testing.T) {
	c := Computation{Request: Request{Sources: []string{"a", "b", "c"}},
		Columns: []algorithms.Column{{Name: "id"}, {Name: "x"}},
		Results: make(
			[]algorithms.Column, 2), Task: plugins.Task{Program: &algorithms.Program{State: []algorithms.State{{Name: "x"}}}}}
	for ids, want := range map[int]string{0: "[a] [id x] [] 160", 1: "[a] [id x] [] 160",
		2: "[a b] [id x#0 x#1] [#0 #1] 320", 3: "[a b c] [id x#0 x#1 x#2] [#0 #1 #2] 480"} {
		got := c.FromSources([]int64{7, 8, 9}[:ids])
		if text := fmt.Sprintf("%v %v %v %d", got.Sources, columnNames(got.LaneColumns()), got.Suffixes(),
			got.ResultBytes(10, len(got.Task.Lanes))); text != want {
			t.Errorf("%d ids: %s; expected %s", ids, text, want)
		}
		for i, lane := range got.Task.Lanes {
			if len(lane) != 1 || !IsSource(lane[0]) || lane[0].Int != int64(7+i) {
				t.Errorf("lane %d is %+v", i, lane)
			}
		}
	}
	if got := (Computation{Sources: []string{"x"}}).FromSources([]int64{1, 2}); !slices.Equal(got.Sources, []string{"x"}) {
		t.Errorf("without sources: %q", got.Sources)
	}
	if IsSource(algorithms.Constant{Name: "source"}) ||
		IsSource(algorithms.Constant{Name: "x", Type: algorithms.VertexID}) {
		t.Error("another constant is a source")
	}
}

func TestStateColumns(t *testing.T) {
	c := Computation{Task: plugins.Task{Program: &algorithms.Program{State: make([]algorithms.State, 2)}}}
	for i := range 3 {
		c.Task.Layout.Columns = append(c.Task.Layout.Columns,
			plugins.VertexColumn{Range: arena.Range{Offset: 100, Length: uint64(1 + i)}})
	}
	c.Task.Layout.Active = arena.Range{Length: 1000}
	if got := c.StateColumns(); len(got) != 2 || got[0].Range.Length != 2 || c.StateBytes() != 1005 {
		t.Errorf("%+v, %d bytes", got, c.StateBytes())
	}
	if over := c.Refused(5000, errNoVertex); over.Need != 5001 || over.Have != 5000 || !errors.Is(over, errNoVertex) {
		t.Errorf("%v", over)
	}
	if over := c.Refused(10, errNoVertex); over.Need != 1006 || !over.AtLeast {
		t.Errorf("%v", over)
	}
}

// Messages travel from an edge's source, against it from its target, or both ways.
func TestSenders(t *testing.T) {
	rows, cols := chunk.Interval{Base: 1, Count: 2}, chunk.Interval{Base: 3, Count: 4}
	for _, c := range []struct {
		direction chunk.Direction
		edges     algorithms.Edges
		want      []chunk.Interval
	}{
		{chunk.Out, algorithms.Forward, []chunk.Interval{rows}}, {chunk.In, algorithms.Forward, []chunk.Interval{cols}},
		{chunk.Out, algorithms.Backward, []chunk.Interval{cols}}, {chunk.In, algorithms.Backward, []chunk.Interval{rows}},
		{chunk.Out, algorithms.BothSides, []chunk.Interval{rows, cols}},
		{chunk.In, algorithms.BothSides, []chunk.Interval{rows, cols}},
	} {
		if got := senders(store.ChunkInfo{Direction: c.direction, Rows: rows, Cols: cols}, c.edges); !slices.Equal(got,
			c.want) {
			t.Errorf("%v, %v: %v", c.direction, c.edges, got)
		}
	}
}

func TestWanted(t *testing.T) {
	directed, undirected := graph{vertices: 200, directed: true, sizes: []int{8, 16}},
		graph{vertices: 200, sizes: []int{8, 16}}
	out, in, both := chunk.Out, chunk.In, chunk.Both
	for _, c := range []struct {
		graph      graph
		directions []chunk.Direction
		want       []chunk.Direction // of the chunks; nil: refused
	}{
		{directed, []chunk.Direction{out}, []chunk.Direction{out, out}},
		{directed, []chunk.Direction{in, out}, []chunk.Direction{in, in, out, out}},
		{undirected, []chunk.Direction{both}, []chunk.Direction{out, out}},
		{undirected, []chunk.Direction{out}, nil}, {undirected, []chunk.Direction{in}, nil},
		{directed, []chunk.Direction{both}, nil},
		{directed, []chunk.Direction{out, out}, nil}, {directed, nil, nil},
	} {
		for _, active := range []bool{false, true} {
			all, err := Computation{Edges: algorithms.BothSides}.wanted(c.graph, "cpu",
				plugins.Plan{Directions: c.directions, ActiveRows: active})
			var got []chunk.Direction
			for _, each := range all {
				got = append(got, each.Info.Direction)
				if len(each.Senders) != 2 && !active || active && !slices.Equal(each.Senders, []chunk.Interval{each.Info.Rows}) {
					t.Errorf("%v: senders %v", c.directions, each.Senders)
				}
			}
			if !slices.Equal(got, c.want) || (err != nil) != (c.want == nil) {
				t.Errorf("directed %v, %v: %v, %v", c.graph.directed, c.directions, got, err)
			}
		}
	}
	if all, err := (Computation{}).Chunks(undirected, chunk.In); all != nil || err != nil {
		t.Errorf("an undirected graph has %v of its own, %v", all, err)
	}
}

func TestEnvironment(t *testing.T) {
	types := numericTypes
	var m store.Manifest
	for _, name := range append(slices.Clone(types), "utf8", "bool") {
		m.EdgeProperties = append(m.EdgeProperties, store.Property{Name: name, Type: name})
	}
	if got := numericEdgeColumns(&m); !slices.Equal(got, types) {
		t.Errorf("%q", got)
	}
	env := environment(context.Background(), small)
	if id, err := env.Vertex("v3"); id != 103 || err != nil || !env.Directed {
		t.Errorf("%d, %v", id, err)
	}
	if id, err := env.Vertex("w"); id != 0 || !errors.Is(err, errNoVertex) {
		t.Errorf("%d, %v", id, err)
	}
	if bytes := GraphBytes(graph{directed: true, sizes: []int{3, 4}}); bytes != 14 {
		t.Errorf("both directions have %d bytes", bytes)
	}
}

func TestPlan_WhyAndAccounting(t *testing.T) {
	core := &report.CoreReport{Rule: "degree", Vertices: 5, Edges: 7, Density: 0.25}
	whole := schedule.Schedule{Needs: schedule.Needs{Streams: true}}
	settles := Computation{Task: plugins.Task{Program: &algorithms.Program{}}}
	mayGain := Computation{Task: plugins.Task{Program: &algorithms.Program{Diverged: "cycles gain"}}}
	for says, p := range map[string]*Plan{
		"split: the core is degree, 5 of 9 vertices with 7 edges inside, 25% of its matrix; both devices in step":  {Core: core, Graph: graph{vertices: 9}, Fit: Fit{Resident: true}},
		"split: the core is degree, 5 of 9 vertices with 7 edges inside, 25% of its matrix; each device by itself": {Core: core, Graph: graph{vertices: 9}, Settling: true},
		"all chunks fit the budget": {Fit: Fit{Resident: true}},
		"chunks come again in each iteration, as the schedule says": {Computation: Computation{Schedule: whole},
			Settling: true},
		"not all chunks fit the budget: parts of the graph are brought to local convergence": {Computation: settles,
			Settling: true, Unsettled: "x"},
		"not all chunks fit the budget: unless an edge makes values better, parts of the graph are brought to local convergence": {
			Computation: mayGain, Settling: true},
		"not all chunks fit the budget, and the graph is deep: lists come as they are needed, and settle the best values first": {
			Computation: settles, Settling: true, Nearest: true},
		"not all chunks fit the budget, and the graph is deep: unless an edge makes values better, lists come as they are " +
			"needed, and settle the best values first": {Computation: mayGain, Settling: true, Nearest: true},
		"not all chunks fit the budget; iteration by iteration: x": {Unsettled: "x"},
		"not all chunks fit the budget: parts of the graph are brought to local convergence; not nearest first: " +
			"parts have failed to settle": {Computation: settles, Settling: true, Unordered: Unordered{Cause: SettledBadly}},
		"not all chunks fit the budget; iteration by iteration: x; not nearest first: --accounting looks at every iteration": {
			Unsettled: "x", Unordered: Unordered{Cause: Accounted}},
		"not all chunks fit the budget; not nearest first: the longest list takes 9 bytes, a slot has 7": {
			Unordered: Unordered{LongList, 9, 7}},
		"not all chunks fit the budget": {},
	} {
		if got := p.Why(); got != says {
			t.Errorf("%q; expected %q", got, says)
		}
	}
	asked := Computation{Request: Request{Accounting: true}}
	for _, c := range []struct {
		plan Plan
		says string
	}{
		{Plan{}, ""}, {Plan{Computation: asked, Fit: Fit{Resident: true}}, "give less --device-memory"},
		{Plan{Computation: asked}, "use schedule subway"},
		{Plan{Computation: asked, Kernel: plugins.Plan{ActiveRows: true}}, ""},
	} {
		if err := c.plan.CheckAccounting(); (err != nil) != (c.says != "") || err != nil &&
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.plan, err)
		}
	}
	p := Plan{Chunks: make([]Chunk, 3), Computation: asked, Kernel: plugins.Plan{ActiveRows: true}}
	if !slices.Equal(p.Numbers(), []int{0, 1, 2}) || !p.streaming().Degrees {
		t.Errorf("%v, %+v", p.Numbers(), p.streaming())
	}
}
