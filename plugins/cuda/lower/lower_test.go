package lower_test

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
	"github.com/penstock-db/penstock/plugins/cuda/lower"
	"github.com/penstock-db/penstock/plugins/cuda/ptx"
	"github.com/penstock-db/penstock/plugins/cuda/ptx/ptxtest"
)

func expr(source string) algorithms.Expr { return algorithms.Expr{Source: source} }

func state(name string, t algorithms.Type, init, apply string) algorithms.State {
	return algorithms.State{Name: name, Type: t, Init: expr(init), Apply: expr(apply)}
}

// lowered checks and lowers p for a graph whose edges have a weight.
func lowered(t *testing.T, p algorithms.Program) *lower.Lowered {
	t.Helper()
	if err := algorithms.Check(&p, []string{"weight"}); err != nil {
		t.Fatal(err)
	}
	l, err := lower.Lower(&p)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// reach has something of everything: two columns, a Bool, a constant, an aggregate, a call.
func reach() algorithms.Program {
	return algorithms.Program{
		Name: "reach",
		State: []algorithms.State{
			state("distance", algorithms.Float, "id == source ? 0.0 : inf", ""),
			state("near", algorithms.Bool, "false", "self.near || acc < exp(agg.mean / double(n))"),
		},
		Process:    expr("src.distance + edge.weight"),
		Reduce:     algorithms.Min,
		Aggregates: []algorithms.Aggregate{{Name: "mean", Expr: expr("self.near ? self.distance : 0.0")}},
		Constants:  []algorithms.Constant{{Name: "source", Type: algorithms.VertexID, Int: 7}},
	}
}

//go:embed testdata/reach.ptx
var golden string

var update = flag.Bool("update", false, "write testdata anew")

// The text of a whole program, to be read.
func TestLower_Text(t *testing.T) {
	got := lowered(t, reach()).PTX
	if *update {
		check(t, os.WriteFile("testdata/reach.ptx", []byte(got), 0o644))
	} else if got != golden {
		t.Errorf("testdata/reach.ptx differs (-update writes it anew); got\n%s", got)
	}
}

func TestLower_Facts(t *testing.T) {
	l := lowered(t, reach())
	got := fmt.Sprintf("%d %v %v", l.Constants, l.AccType, l.StateTypes)
	if want := "[7] double [double bool]"; got != want {
		t.Errorf("got %s; expected %s", got, want)
	}
}

// Other constants are another table, not another text.
func TestLower_TextHasNoConstants(t *testing.T) {
	p := reach()
	if err := algorithms.Check(&p, []string{"weight"}); err != nil {
		t.Fatal(err)
	}
	other := p.With(algorithms.Constant{Name: "source", Type: algorithms.VertexID, Int: 9})
	a, err := lower.Lower(&p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := lower.Lower(other)
	if err != nil {
		t.Fatal(err)
	}
	if a.PTX != b.PTX || a.Constants[0] != 7 || b.Constants[0] != 9 || lower.Constants(other)[0] != 9 {
		t.Errorf("constants %d and %d; the same text: %v", a.Constants, b.Constants, a.PTX == b.PTX)
	}
}

// Equal parts are computed once, and only what is used is loaded.
func TestLower_SharesAndLoadsLittle(t *testing.T) {
	for source, want := range map[string]map[string]int{
		"1.0":          {"ld.": 0, "mov": 1},
		"src.distance": {"ld.param": 2, "ld.global": 2},
		"src.distance * src.distance + src.distance * src.distance": {"ld.global": 2, "mul.rn": 1, "add.rn": 1},
		// one column, two vertices
		"src.distance + dst.distance":             {"ld.param": 3, "ld.global": 3},
		"min(edge.weight, edge.weight)":           {"ld.global": 2, "min.f64": 1},
		"double(src.id / 7) + double(src.id % 7)": {"div": 1, "rem": 1, "or.pred": 1, "setp": 2},
	} {
		p := reach()
		p.Process = expr(source)
		text := lowered(t, p).PTX
		_, text, _ = strings.Cut(text, "penstock_process")
		text, _, _ = strings.Cut(text, "\n}\n")
		for opcode, count := range want {
			if got := strings.Count(text, "\t"+opcode); got != count {
				t.Errorf("%s has %d of %s; expected %d in\n%s", source, got, opcode, count, text)
			}
		}
	}
}

// What cannot be lowered is named.
func TestLower_Unsupported(t *testing.T) {
	checked := func(change func(*algorithms.Program)) algorithms.Program {
		p := reach()
		if err := algorithms.Check(&p, []string{"weight"}); err != nil {
			t.Fatal(err)
		}
		change(&p)
		return p
	}
	overload := func(id string) func(*algorithms.Program) {
		return func(p *algorithms.Program) {
			root := p.Process.Checked.GetExpr().GetId()
			p.Process.Checked.ReferenceMap[root] = &exprpb.Reference{OverloadId: []string{id}}
		}
	}
	for want, change := range map[string]func(*algorithms.Program){
		`"sin_double"`: overload("sin_double"),
		`"add_double"`: func(p *algorithms.Program) {
			call := p.Process.Checked.GetExpr().GetCallExpr()
			call.Args = call.Args[:1]
		},
		`"logical_and"`:  overload("logical_and"),
		`"src.distance"`: func(p *algorithms.Program) { p.State[1].Apply = p.Process },
		`"edge.weight"`:  func(p *algorithms.Program) { p.EdgeColumns = nil },
		"state columns": func(p *algorithms.Program) {
			p.State = append(p.State, make([]algorithms.State, kernels.MaxColumns)...)
		},
		"edge properties": func(p *algorithms.Program) { p.EdgeColumns = make([]string, kernels.MaxEdgeColumns+1) },
		`the operator ""`: func(p *algorithms.Program) { p.Reduce = algorithms.Or },
		"<nil>":           func(p *algorithms.Program) { p.Process.Checked = nil },
	} {
		p := checked(change)
		_, err := lower.Lower(&p)
		if plugins.KindOf(err) != plugins.KindUnsupported || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("got %v; expected that %s is unsupported", err, want)
		}
	}
}

// edgeValues are where arithmetic has its corners.
var edgeValues = oracletest.Leaves{
	algorithms.Float: {"0.0", "-0.0", "1.0", "-1.5", "inf", "-inf", "(inf - inf)", "5e-324", "-2.5e-308",
		"1.7976931348623157e308",
		"9223372036854775807.0", "-9223372036854775808.0", "-9.3e18", "0.1", "16777217.0", "709.9", "1e300"},
	algorithms.Int: {"0", "1", "-1", "2", "-7", "3", "9223372036854775807", "-9223372036854775808",
		"-9223372036854775807", "4611686018427387904", "9007199254740993"},
	algorithms.Bool: {"false", "true"},
}

// choice is an expression that is the index-th of several.
func choice(index string, of []string) string {
	text := of[len(of)-1]
	for i := len(of) - 2; i >= 0; i-- {
		text = fmt.Sprintf("(%s == %d ? %s : %s)", index, i, of[i], text)
	}
	return text
}

// operators is a program that applies every operator that is wanted to pairs of edge values, and a graph with a vertex
// a pair.
func operators(wanted func(algorithms.Operator) bool) (p algorithms.Program, g *algorithms.Graph) {
	names := map[algorithms.Type][]string{algorithms.Float: {"x", "y"}, algorithms.Int: {"i", "j"},
		algorithms.Bool: {"a", "b"}}
	p = algorithms.Program{Name: "operators", Process: expr("0"), Reduce: algorithms.Sum, MaxIterations: 1, Exactly: true}
	pairs := 0
	for _, kind := range []algorithms.Type{algorithms.Float, algorithms.Int, algorithms.Bool} {
		values := edgeValues[kind]
		p.State = append(p.State,
			state(names[kind][0], kind, choice(fmt.Sprintf("id %% %d", len(values)), values), "self."+names[kind][0]),
			state(names[kind][1], kind, choice(fmt.Sprintf("id / %d %% %d", len(values), len(values)), values), ""))
		pairs = max(pairs, len(values)*len(values))
	}
	zero := map[algorithms.Type]string{algorithms.Float: "0.0", algorithms.Int: "0", algorithms.Bool: "false"}
	for k, op := range algorithms.Operators {
		if !wanted(op) {
			continue
		}
		var args []string
		used := map[algorithms.Type]int{}
		for _, arg := range op.Args {
			args = append(args, "self."+names[arg][used[arg]%2])
			used[arg]++
		}
		p.State = append(p.State, state(fmt.Sprint("r", k), op.Result, zero[op.Result], oracletest.Spell(op, args...)))
	}
	ids := make([]int64, pairs)
	for v := range ids {
		ids[v] = int64(v)
	}
	return p, algorithms.NewGraph(true, ids, nil)
}

func every(algorithms.Operator) bool { return true }

// Every operator gives what the interpreter gives, for every pair of edge values.
func TestLower_OperatorsAtTheirEdges(t *testing.T) {
	p, g := operators(every)
	newRig(t, newMachine, p, g).agree(1)
}

// module is a whole module of functions.
func module(functions string) string {
	text := ".version 6.3\n.target sm_70\n.address_size 64\n"
	for _, name := range []string{"penstock_exp", "penstock_log"} {
		text += ".visible .func (.param .b64 result) " + name + "(.param .b64 x)\n{\n\t.reg .b64 %w<2>;\n" +
			"\tld.param.b64 %w1, [x];\n\tst.param.b64 [result], %w1;\n\tret;\n}\n"
	}
	return text + strings.ReplaceAll(functions, ".func", ".visible .func")
}

func TestLower_Assembles(t *testing.T) {
	ptxtest.Assemble(t, module(lowered(t, reach()).PTX))
	p, _ := operators(every)
	ptxtest.Assemble(t, module(lowered(t, p).PTX))
	ptxtest.Assemble(t, module(lowered(t, randomProgram(testseed.Rand(t), []string{"weight"})).PTX))
}

// In the kernels no call of a lowered function is left, and the assembler takes the whole.
func TestLower_InTheKernels(t *testing.T) {
	if os.Getenv("PENSTOCK_CUDA_HARDWARE") != "" {
		t.Skip("needs ../kernels/template.ptx: run it in a checkout, without PENSTOCK_CUDA_HARDWARE")
	}
	template, err := os.ReadFile("../kernels/template.ptx")
	if err != nil {
		t.Fatal(err)
	}
	linked, err := ptx.Link(string(template), lowered(t, reach()).PTX)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"init", "apply", "process", "aggregate"} {
		if strings.Contains(linked, "\tpenstock_"+name+", \n") || !strings.Contains(linked, "{ // penstock_"+name+"\n") {
			t.Errorf("penstock_%s is called, or nobody wants it", name)
		}
	}
	ptxtest.Assemble(t, linked)
}

// The programs of the catalog run as their interpreter runs them.
func TestLower_Catalog(t *testing.T) {
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			rng := testseed.Rand(t)
			for range 3 {
				c, err := oracletest.RandomCase(rng, a, 12)
				if err != nil {
					t.Fatal(err)
				}
				p, err := a.Program(c.Args)
				if err != nil {
					t.Fatal(err)
				}
				newRig(t, newMachine, *p, c.Graph).agree(20)
			}
		})
	}
}

// randomProgram has random expressions wherever a program has one.
func randomProgram(rng *rand.Rand, edgeColumns []string) algorithms.Program {
	acc := algorithms.Type(rng.IntN(3))
	reduces := []algorithms.Reduce{algorithms.Sum, algorithms.Prod, algorithms.Min, algorithms.Max}
	if acc == algorithms.Bool {
		reduces = []algorithms.Reduce{algorithms.And, algorithms.Or}
	}
	names := []string{algorithms.Float: "x", algorithms.Int: "i", algorithms.Bool: "b"}
	of := func(t algorithms.Type, extra map[algorithms.Type][]string, qualifiers ...string) algorithms.Expr {
		leaves := oracletest.Leaves{
			algorithms.Float: {"0.0", "-1.5", "1e300", "inf", "half"},
			algorithms.Int:   {"0", "-1", "7", "unreached", "many"},
			algorithms.Bool:  {"true", "false", "odd"},
		}
		for _, q := range qualifiers {
			leaves[algorithms.Int] = append(leaves[algorithms.Int], q+"id", q+"out_degree", q+"in_degree")
			for kind, name := range names {
				if q != "" {
					leaves[algorithms.Type(kind)] = append(leaves[algorithms.Type(kind)], q+name)
				}
			}
		}
		for kind, more := range extra {
			leaves[kind] = append(leaves[kind], more...)
		}
		return expr(oracletest.Expression(rng, t, rng.IntN(5), leaves))
	}
	p := algorithms.Program{Name: "random", Reduce: reduces[rng.IntN(len(reduces))], Edges: algorithms.Edges(rng.IntN(3)),
		Activity: algorithms.Activity(rng.IntN(2)),
		Constants: []algorithms.Constant{{Name: "half", Type: algorithms.Float, Float: 0.5},
			{Name: "many", Type: algorithms.Int, Int: 1 << 40}, {Name: "odd", Type: algorithms.Bool, Int: int64(rng.IntN(2))}}}
	edges := map[algorithms.Type][]string{}
	for _, name := range edgeColumns {
		edges[algorithms.Float] = []string{"edge." + name, "edge." + name}
	}
	p.Process = of(acc, edges, "src.", "dst.")
	for k := range rng.IntN(4) {
		p.Aggregates = append(p.Aggregates, algorithms.Aggregate{Name: fmt.Sprint("s", k),
			Expr: of(algorithms.Float, map[algorithms.Type][]string{algorithms.Int: {"n"}}, "self.")})
	}
	applied := map[algorithms.Type][]string{acc: {"acc", "acc"}, algorithms.Int: {"n"}}
	if acc == algorithms.Int {
		applied[acc] = append(applied[acc], "n")
	}
	for _, a := range p.Aggregates {
		applied[algorithms.Float] = append(applied[algorithms.Float], "agg."+a.Name)
	}
	for k := range names {
		t := algorithms.Type((int(acc) + k) % 3)
		s := algorithms.State{Name: names[t], Type: t, Init: of(t, map[algorithms.Type][]string{algorithms.Int: {"n"}}, "")}
		if rng.IntN(4) > 0 {
			s.Apply = of(t, applied, "self.")
		}
		p.State = append(p.State, s)
	}
	return p
}

// agreeAtRandom compares random programs on random graphs.
func agreeAtRandom(t testing.TB, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 6, Directed: rng.IntN(2) == 0})
	newRig(t, newMachine, randomProgram(rng, g.EdgeColumns()), g).agree(3)
}

func TestLower_RandomPrograms(t *testing.T) {
	seeds := testseed.Rand(t)
	for range 60 {
		seed := seeds.Uint64()
		if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { agreeAtRandom(t, seed) }) {
			return
		}
	}
}

func FuzzLower(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) { agreeAtRandom(t, seed) })
}
