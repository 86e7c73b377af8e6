package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// TestCatalog follows every program of the catalog on random graphs, and compares what arrives in
// each iteration with what a loop over the edges says.
func TestCatalog(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			for range 12 {
				c, err := oracletest.RandomCase(r, a, 40)
				if err != nil {
					t.Fatal(err)
				}
				p, err := a.Program(c.Args)
				if err != nil {
					t.Fatal(err)
				}
				follow(t, runtime, c.Graph, p, 1+r.IntN(3))
			}
		})
	}
}

// TestWeights tries messages and weights of every kind in the forms that have an operator for them: parallel edges,
// weights of 0 and below, messages of 0 and infinity.
func TestWeights(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	kinds := map[string]func() float64{
		"positive":    func() float64 { return 1 - r.Float64() },
		"small whole": func() float64 { return float64(r.IntN(span*mostSpans) >> r.IntN(9)) },
		"any sign":    func() float64 { return float64(r.IntN(9) - 4) },
		"huge":        func() float64 { return []float64{1, 2.5, math.MaxFloat64}[r.IntN(3)] },
		"zeros":       func() float64 { return []float64{0, math.Copysign(0, -1), 1, -1}[r.IntN(4)] },
		"infinite":    func() float64 { return []float64{1, 2.5, math.Inf(1), math.Inf(-1)}[r.IntN(4)] },
	}
	inits := []string{"id % 5 == 0 ? 0.0 : inf", "id % 3 == 0 ? double(id % 7) : -inf", "double(id % 300) * 0.5",
		"id % 4 == 0 ? inf : -1.5", "0.0", "double(id % 1000)"}
	more := map[string][]string{"zeros": {"id % 3 == 0 ? -0.0 : double(id % 4) - 1.0"}}
	for name, weight := range testseed.Sorted(kinds) {
		for _, process := range []string{"src.x + edge.weight", "src.x * edge.weight", "min(src.x, edge.weight)",
			"max(edge.weight, src.x)"} {
			for _, reduce := range []algorithms.Reduce{algorithms.Sum, algorithms.Min, algorithms.Max} {
				t.Run(name+", "+process+", "+reduce.String(), func(t *testing.T) {
					for _, init := range slices.Concat(inits, more[name]) {
						g := weighted(r, weight)
						p := &algorithms.Program{Name: "weights", Reduce: reduce, Process: expr(process), MaxIterations: 2,
							State: []algorithms.State{{Name: "x", Init: expr(init)}}}
						if r.IntN(2) == 0 {
							p.Order, p.MaxIterations = algorithms.Monotone, 0
						}
						if reduce == algorithms.Sum {
							p.State[0].Apply = expr("acc")
						}
						follow(t, runtime, g, p, 1+r.IntN(2))
					}
				})
			}
		}
	}
}

// TestStrays has so many parallel edges that their list has several blocks.
func TestStrays(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	const most = 1<<17 + 5
	var edges []algorithms.Edge
	for range most + r.IntN(most) {
		edges = append(edges, algorithms.Edge{Src: uint32(r.IntN(3)), Dst: uint32(r.IntN(2)),
			Weights: map[string]float64{"weight": float64(r.IntN(1000))}})
	}
	g := algorithms.NewGraph(true, []int64{1, 2, 3}, edges)
	for _, c := range []struct {
		process string
		reduce  algorithms.Reduce
		kind    algorithms.Type
	}{
		{"src.x * edge.weight - dst.x", algorithms.Min, algorithms.Float},
		{"int(edge.weight) * src.x + dst.x", algorithms.Sum, algorithms.Int},
		{"src.x || edge.weight > 2000.0", algorithms.Or, algorithms.Bool},
	} {
		init := map[algorithms.Type]string{algorithms.Float: "double(id)", algorithms.Int: "id",
			algorithms.Bool: "id > 1"}[c.kind]
		follow(t, runtime, g, &algorithms.Program{Name: "strays", Reduce: c.reduce, Process: expr(c.process),
			MaxIterations: 1,
			State:         []algorithms.State{{Name: "x", Type: c.kind, Init: expr(init), Apply: expr("acc")}}}, 2)
	}
}

// TestCounting has pairs with so many parallel edges that their number takes several digits.
func TestCounting(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	ids := make([]int64, 100)
	for v := range ids {
		ids[v] = int64(v)
	}
	var edges []algorithms.Edge
	for _, parallel := range []int{1, base - 1, base, base + 1, base*base - 1, base * base, base*base + r.IntN(1000)} {
		edge := algorithms.Edge{Src: uint32(r.IntN(len(ids))), Dst: uint32(r.IntN(len(ids)))}
		edges = append(edges, slices.Repeat([]algorithms.Edge{edge}, parallel)...)
	}
	g := algorithms.NewGraph(true, ids, edges)
	for _, c := range []struct {
		init   string
		reduce algorithms.Reduce
		kind   algorithms.Type
	}{
		{"double(id) / 3.0", algorithms.Sum, algorithms.Float},
		{"id % 7 == 0 ? inf : 1e308 - double(id)", algorithms.Sum, algorithms.Float},
		{"id * -1234567891011", algorithms.Sum, algorithms.Int},
		{"double(id)", algorithms.Min, algorithms.Float},
		{"id % 3 == 0", algorithms.Or, algorithms.Bool},
	} {
		follow(t, runtime, g, &algorithms.Program{Name: "counting", Reduce: c.reduce, Process: expr("src.x"),
			MaxIterations: 1,
			State:         []algorithms.State{{Name: "x", Type: c.kind, Init: expr(c.init), Apply: expr("acc")}}}, 2)
	}
}

// weighted is a random graph with parallel edges and these weights.
func weighted(r *rand.Rand, weight func() float64) *algorithms.Graph {
	n := 1 + r.IntN(30)
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(v)*3 + 1
	}
	var edges []algorithms.Edge
	for range 1 + r.IntN(4*n) {
		edges = append(edges, algorithms.Edge{Src: uint32(r.IntN(n)), Dst: uint32(r.IntN(n)),
			Weights: map[string]float64{"weight": weight()}})
	}
	return algorithms.NewGraph(true, ids, edges)
}

// TestOperators tries each operator in a Process, between both ends of an edge, with infinities,
// NaN and the ends of int64 among its operands.
func TestOperators(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	g := oracletest.RandomGraph(r, oracletest.Config{MaxVertices: 40, Directed: true})
	for _, op := range algorithms.Operators {
		for _, reduce := range []algorithms.Reduce{algorithms.Sum, algorithms.Prod, algorithms.Min, algorithms.Max,
			algorithms.And, algorithms.Or} {
			if !reduce.Suits(op.Result) {
				continue
			}
			t.Run(op.Overload+" "+reduce.String(), func(t *testing.T) {
				follow(t, runtime, g, tryout(op, reduce), 1)
			})
		}
	}
}

var operands = map[algorithms.Type]string{
	algorithms.Float: "(id + %[1]d) %% 11 == 0 ? (id %% 2 == 0 ? inf : -inf) : double((id + 3 * %[1]d) %% 13 - 6) * 0.5",
	algorithms.Int:   "(id + %[1]d) %% 7 == 0 ? unreached : (id %% 5 == 0 ? -unreached - 1 : (id + 4 * %[1]d) %% 9 - 4)",
	algorithms.Bool:  "(id + %[1]d) %% 3 == 0",
}

// tryout is a program of one iteration with op between two vertices.
func tryout(op algorithms.Operator, reduce algorithms.Reduce) *algorithms.Program {
	kept := map[algorithms.Type]string{algorithms.Float: "0.0", algorithms.Int: "0", algorithms.Bool: "false"}[op.Result]
	p := &algorithms.Program{Name: "tryout", Reduce: reduce, Activity: algorithms.Always, MaxIterations: 1,
		State: []algorithms.State{{Name: "sent", Type: op.Result, Init: expr(kept), Apply: expr("acc")}}}
	var args []string
	for i, t := range op.Args {
		name := string(rune('a' + i))
		p.State = append(p.State, algorithms.State{Name: name, Type: t, Init: expr(fmt.Sprintf(operands[t], i))})
		args = append(args, []string{"src.", "dst.", "src."}[i]+name)
	}
	p.Process = expr(called(op.Function, args))
	return p
}

func expr(source string) algorithms.Expr { return algorithms.Expr{Source: source} }

// called is op applied to args, as it is written.
func called(function string, args []string) string {
	if function == "_?_:_" {
		return args[0] + " ? " + args[1] + " : " + args[2]
	}
	symbol := strings.Trim(function, "_")
	switch {
	case symbol == function:
		return function + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1:
		return symbol + args[0]
	}
	return args[0] + " " + symbol + " " + args[1]
}

// follow runs p by its definition, and has a model send beside it.
func follow(t *testing.T, runtime *ort.Runtime, g *algorithms.Graph, p *algorithms.Program, threads int) {
	t.Helper()
	if err := algorithms.Check(p, g.EdgeColumns()); err != nil {
		t.Fatal(err)
	}
	plan, err := For(p, Size{N: g.N(), Threads: threads})
	if err != nil {
		t.Fatalf("%s: %v", p.Process.Source, err)
	}
	m, err := plan.Build(runtime, ort.Options{}, g.N(), edgesOf(g, p), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	run, err := algorithms.NewInterpreter(g, p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range min(p.Bound(uint64(g.N())), 8) {
		lane := laneOf(plan, g, run)
		compare(t, plan, g, m, lane, i)
		for _, lists := range listsOf(g, p) {
			if err := run.Send(lists.sent); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := run.Apply(); err != nil {
			t.Fatal(err)
		}
	}
}

// compare sends everything, and then, where that is allowed, only what comes first.
func compare(t *testing.T, plan *Plan, g *algorithms.Graph, m *Model, lane Lane, iteration int) {
	t.Helper()
	ctx := context.Background()
	if err := m.Send(ctx, []Lane{lane}); err != nil {
		t.Fatalf("%s, %s: %v", plan.Kernel, plan.program.Process.Source, err)
	}
	differ(t, plan, iteration, lane, arrives(plan, g, lane))
	compareBetter(t, plan, g, m, lane, iteration)
	if !plan.Loose() {
		return
	}
	lane.Left = make([]uint64, len(lane.Senders))
	if err := m.Send(ctx, []Lane{lane}); err != nil {
		t.Fatal(err)
	}
	all := lane.Senders
	lane.Senders = make([]uint64, len(all))
	sent := uint64(0)
	for i := range all {
		lane.Senders[i] = all[i] &^ lane.Left[i]
		sent |= lane.Senders[i]
		if lane.Left[i]&^all[i] != 0 {
			t.Fatal("somebody is left who does not send")
		}
	}
	if sent == 0 && anySet(all) {
		t.Fatal("everybody is left")
	}
	differ(t, plan, iteration, lane, arrives(plan, g, lane))
}

// compareBetter compares what the state becomes, where what does not better it need not arrive.
func compareBetter(t *testing.T, plan *Plan, g *algorithms.Graph, m *Model, lane Lane, iteration int) {
	t.Helper()
	program := plan.program
	if program.Reduce == algorithms.Sum || program.Reduce == algorithms.Prod ||
		shape.Type(program.Process.Checked) != plain(program.State[0].Type) {
		return
	}
	want := arrives(plan, g, lane)
	lane.State = lane.Columns["src."+program.State[0].Name]
	if err := m.Send(context.Background(), []Lane{lane}); err != nil {
		t.Fatal(err)
	}
	want.Reduce(program.Reduce, lane.State)
	lane.Acc.Reduce(program.Reduce, lane.State)
	differ(t, plan, iteration, lane, want)
}

func plain(t algorithms.Type) algorithms.Type {
	if t == algorithms.VertexID {
		return algorithms.Int
	}
	return t
}

func anySet(words []uint64) bool {
	for _, w := range words {
		if w != 0 {
			return true
		}
	}
	return false
}

func differ(t *testing.T, plan *Plan, iteration int, lane Lane, want vector.Column) {
	t.Helper()
	for v := range columnLen(want) {
		var same bool
		switch {
		case want.Floats != nil:
			same = alike(plan, lane.Acc.Floats[v], want.Floats[v])
		case want.Ints != nil:
			same = lane.Acc.Ints[v] == want.Ints[v]
		default:
			same = lane.Acc.Bools[v] == want.Bools[v]
		}
		if !same {
			t.Fatalf("%s, iteration %d, %v of %s: acc of %d is\n%v; expected\n%v\nof columns %v, senders %x", plan.Kernel,
				iteration, plan.program.Reduce,
				plan.program.Process.Source, v, lane.Acc, want, lane.Columns, lane.Senders)
		}
	}
}

// alike tells whether a is b. Sums may be taken in any order, which shows where large numbers cancel each
// other out; and two libraries' exp and log may differ in the last bit.
func alike(plan *Plan, a, b float64) bool {
	if a == b || a != a && b != b {
		_, paper := plan.form.(paper)
		return math.Signbit(a) == math.Signbit(b) || a != 0 || paper
	}
	process, share := plan.program.Process.Source, max(math.Abs(a), math.Abs(b), 0.01)
	switch {
	case strings.Contains(process, "exp"), strings.Contains(process, "log"), plan.program.Reduce == algorithms.Prod:
	case plan.program.Reduce == algorithms.Sum && strings.HasPrefix(process, "double"):
		share = 1 << 63
	case plan.program.Reduce != algorithms.Sum:
		return false
	}
	return math.Abs(a-b) <= 1e-12*share
}

// sentLists are lists along which vertices send, and those by which they receive.
type sentLists struct{ sent, received algorithms.Lists }

func listsOf(g *algorithms.Graph, p *algorithms.Program) []sentLists {
	switch {
	case !g.Directed || p.Edges == algorithms.Forward:
		return []sentLists{{g.Out, g.In}}
	case p.Edges == algorithms.Backward:
		return []sentLists{{g.In, g.Out}}
	}
	return []sentLists{{g.Out, g.In}, {g.In, g.Out}}
}

// edgesOf are the rows of those who receive.
func edgesOf(g *algorithms.Graph, p *algorithms.Program) Edges {
	return func(yield func(Row) bool) {
		for _, lists := range listsOf(g, p) {
			for v := range g.N() {
				row := Row{Target: uint32(v), Sources: lists.received.Of(v)}
				for _, name := range p.EdgeColumns {
					row.Weights = append(row.Weights, lists.received.Columns[name][lists.received.Offsets[v]:lists.received.Offsets[v+
						1]])
				}
				if !yield(row) {
					return
				}
			}
		}
	}
}

func laneOf(plan *Plan, g *algorithms.Graph, run *algorithms.Interpreter) Lane {
	l := Lane{Columns: map[string]vector.Column{}, Senders: make([]uint64, (g.N()+63)/64),
		Acc: vector.Make(plan.accType, g.N())}
	for v, active := range run.Active() {
		if active {
			l.Senders[v/64] |= 1 << (v % 64)
		}
	}
	for _, c := range run.State() {
		for _, end := range []string{"src.", "dst."} {
			l.Columns[end+c.Name] = vector.Column{Floats: c.Floats, Ints: c.Ints, Bools: c.Bools}
		}
	}
	out, in := make([]int64, g.N()), make([]int64, g.N())
	for v := range g.N() {
		out[v], in[v] = int64(g.Out.Degree(v)), int64(g.In.Degree(v))
	}
	for _, end := range []string{"src.", "dst."} {
		l.Columns[end+"id"] = vector.Column{Ints: g.IDs}
		l.Columns[end+"out_degree"], l.Columns[end+"in_degree"] = vector.Column{Ints: out}, vector.Column{Ints: in}
	}
	return l
}

// arrives goes over the edges one by one.
func arrives(plan *Plan, g *algorithms.Graph, l Lane) vector.Column {
	p := plan.program
	acc := vector.Make(plan.accType, g.N())
	acc.Fill(vector.Identity(p.Reduce, plan.accType))
	s := vector.Scope{Inputs: map[string]algorithms.Type{}}
	variables(p.Process.Checked, p.Process.Checked.GetExpr(), s.Inputs)
	for _, name := range p.EdgeColumns {
		s.Inputs["edge."+name] = algorithms.Float
	}
	program, err := vector.Compile(s, p.Process.Checked)
	if err != nil {
		panic(err)
	}
	machine := vector.NewMachine(program)
	for row := range edgesOf(g, p) {
		for k, u := range row.Sources {
			if l.Senders[u/64]>>(u%64)&1 == 0 {
				continue
			}
			for i, in := range program.Inputs {
				switch {
				case strings.HasPrefix(in.Name, "src."):
					machine.Bind(i, l.Columns[in.Name].Slice(int(u), int(u)+1))
				case strings.HasPrefix(in.Name, "dst."):
					machine.Bind(i, l.Columns[in.Name].Slice(int(row.Target), int(row.Target)+1))
				default:
					machine.Bind(i, vector.Column{Floats: row.Weights[0][k : k+1]})
				}
			}
			machine.Eval(1)
			acc.Slice(int(row.Target), int(row.Target)+1).Reduce(p.Reduce, machine.Output(0, 1))
		}
	}
	return acc
}

func TestUnknownOperator(t *testing.T) {
	p := tryout(algorithms.Operators[0], algorithms.Min)
	if err := algorithms.Check(p, nil); err != nil {
		t.Fatal(err)
	}
	root := p.Process.Checked.GetExpr()
	p.Process.Checked.GetReferenceMap()[root.GetId()].OverloadId = []string{"cube_double"}
	_, err := For(p, Size{N: 3})
	if err == nil || plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(err.Error(), "cube_double") {
		t.Errorf("%v; expected that cube_double is named as lacking", err)
	}
	if errors.Is(err, context.Canceled) {
		t.Error("nobody has canceled")
	}
}
