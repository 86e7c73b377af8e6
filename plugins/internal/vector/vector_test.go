package vector_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// leaves are what random expressions are made of.
var leaves = oracletest.Leaves{
	algorithms.Float: {"0.0", "1.5", "-2.25", "1e300", "inf", "half", "double(id)"},
	algorithms.Int:   {"0", "7", "-3", "unreached", "id", "n", "out_degree"},
	algorithms.Bool:  {"true", "false", "(id % 2 == 0)"},
}

// Program has an expression of each type as the initial state; run for no iteration it
// is those expressions, evaluated for every vertex by cel-go.
func Program(float, whole, truth string) *algorithms.Program {
	return &algorithms.Program{
		Name: "expressions",
		State: []algorithms.State{
			{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: float}},
			{Name: "k", Type: algorithms.Int, Init: algorithms.Expr{Source: whole}},
			{Name: "b", Type: algorithms.Bool, Init: algorithms.Expr{Source: truth}},
		},
		Process:   algorithms.Expr{Source: "src.x"},
		Exactly:   true,
		Constants: []algorithms.Constant{{Name: "half", Type: algorithms.Float, Float: 0.5}},
	}
}

// Columns hold what cel-go computes one value at a time.
func TestEval_AgreesWithCEL(t *testing.T) {
	ids := []int64{0, 1, -1, 2, 3, 100, -77, math.MaxInt64, math.MinInt64, 1 << 53}
	g := algorithms.NewGraph(true, ids, nil)
	rng := testseed.Rand(t)
	random := func(kind algorithms.Type) string { return oracletest.Expression(rng, kind, 4, leaves) }
	for range 100 {
		p := Program(random(algorithms.Float), random(algorithms.Int), random(algorithms.Bool))
		want, _, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatal(err)
		}
		got := evaluate(t, p, ids)
		for v := range ids {
			if a, b := got[0].Floats[v], want[0].Floats[v]; a != b && (a == a || b == b) {
				t.Fatalf("%s is %v for id %d; expected %v", p.State[0].Init.Source, a, ids[v], b)
			}
			if a, b := got[1].Ints[v], want[1].Ints[v]; a != b {
				t.Fatalf("%s is %v for id %d; expected %v", p.State[1].Init.Source, a, ids[v], b)
			}
			if a, b := got[2].Bools[v], want[2].Bools[v]; a != b {
				t.Fatalf("%s is %v for id %d; expected %v", p.State[2].Init.Source, a, ids[v], b)
			}
		}
	}
}

var scope = vector.Scope{
	Inputs:    map[string]algorithms.Type{"id": algorithms.Int, "out_degree": algorithms.Int},
	Constants: map[string]vector.Scalar{"n": {Type: algorithms.Int, Int: 10}},
}

func New(t *testing.T, p *algorithms.Program) *vector.Program {
	t.Helper()
	if err := algorithms.Check(p, nil); err != nil {
		t.Fatal(err)
	}
	var exprs []*exprpb.CheckedExpr
	for _, s := range p.State {
		exprs = append(exprs, s.Init.Checked)
	}
	compiled, err := vector.Compile(scope, exprs...)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// evaluate computes the initial state of all ids at once.
func evaluate(t *testing.T, p *algorithms.Program, ids []int64) []vector.Column {
	t.Helper()
	compiled := New(t, p)
	m := vector.NewMachine(compiled)
	for i, in := range compiled.Inputs {
		m.Bind(i, vector.Column{Ints: map[string][]int64{"id": ids, "out_degree": make([]int64, len(ids))}[in.Name]})
	}
	m.Eval(len(ids))
	var got []vector.Column
	for k := range compiled.Outputs {
		got = append(got, m.Output(k, len(ids)))
	}
	return got
}

// Every operator that an expression may call has a loop.
func TestCompile_HasEveryOperator(t *testing.T) {
	for _, op := range algorithms.Operators {
		call := &exprpb.Expr_Call{Function: op.Function}
		s := vector.Scope{Inputs: map[string]algorithms.Type{}}
		for i, arg := range op.Args {
			name := fmt.Sprintf("a%d", i)
			s.Inputs[name] = arg
			call.Args = append(call.Args, &exprpb.Expr{Id: int64(i),
				ExprKind: &exprpb.Expr_IdentExpr{IdentExpr: &exprpb.Expr_Ident{Name: name}}})
		}
		compiled, err := vector.Compile(s, &exprpb.CheckedExpr{Expr: &exprpb.Expr{Id: 9,
			ExprKind: &exprpb.Expr_CallExpr{CallExpr: call}}})
		if err != nil {
			t.Errorf("%s: %v", op.Overload, err)
			continue
		}
		if got := compiled.Outputs[0].Type; got != op.Result {
			t.Errorf("%s gives a %v; expected a %v", op.Overload, got, op.Result)
		}
	}
}

func TestCompile_NamesWhatItLacks(t *testing.T) {
	one := &exprpb.Constant{ConstantKind: &exprpb.Constant_DoubleValue{DoubleValue: 1}}
	call := &exprpb.Expr_Call{Function: "sin", Args: []*exprpb.Expr{{Id: 1,
		ExprKind: &exprpb.Expr_ConstExpr{ConstExpr: one}}}}
	_, err := vector.Compile(scope, &exprpb.CheckedExpr{Expr: &exprpb.Expr{Id: 2,
		ExprKind: &exprpb.Expr_CallExpr{CallExpr: call}}})
	var lacking *vector.UnsupportedError
	if !errors.As(err, &lacking) || lacking.What != `"sin" of double` {
		t.Errorf("got %v", err)
	}
}

// Constant parts cost nothing and equal parts are computed once: their registers show it.
func TestCompile_FoldsAndShares(t *testing.T) {
	register := uint64(8 * vector.Width)
	for _, c := range []struct {
		float string
		want  uint64
	}{
		{"half * (2.0 + double(n)) - 1.0", 1},        // one constant
		{"double(id) * half", 3},                     // double(id), 0.5, their product
		{"double(id) * half + double(id) * half", 3}, // the product stands once; the sum has double(id)'s place
		{"double(id) + double(id) + double(id)", 3},  // the first sum makes room
		{"sqrt(abs(-(double(id))))", 2},              // two registers take turns
	} {
		p := Program(c.float, "1", "true")
		p.State = p.State[:1]
		if got := vector.NewMachine(New(t, p)).Size(); got != c.want*register {
			t.Errorf("%s takes %d bytes; expected %d registers", c.float, got, c.want)
		}
	}
}

// What depends on uniform inputs alone is computed by Settle and outlives every Eval.
func TestSettle_KeepsUniformParts(t *testing.T) {
	p := Program("(double(id) + double(n) * half) + (double(id) + sqrt(double(out_degree)) / 2.0)", "1", "true")
	p.State = p.State[:1]
	if err := algorithms.Check(p, nil); err != nil {
		t.Fatal(err)
	}
	uniform := scope
	uniform.Uniform = map[string]bool{"out_degree": true}
	compiled, err := vector.Compile(uniform, p.State[0].Init.Checked)
	if err != nil {
		t.Fatal(err)
	}
	m := vector.NewMachine(compiled)
	for _, degree := range []int64{9, 16} {
		for i, in := range compiled.Inputs {
			if in.Uniform != (in.Name == "out_degree") {
				t.Errorf("input %+v", in)
			}
			if in.Uniform {
				m.Bind(i, vector.Broadcast(vector.Scalar{Type: algorithms.Int, Int: degree}, vector.Width))
			}
		}
		m.Settle()
		for _, id := range []int64{0, 7, -3} {
			for i, in := range compiled.Inputs {
				if !in.Uniform {
					m.Bind(i, vector.Broadcast(vector.Scalar{Type: algorithms.Int, Int: id}, 5))
				}
			}
			m.Eval(5)
			want := float64(id) + 5 + (float64(id) + math.Sqrt(float64(degree))/2)
			for _, got := range m.Output(0, 5).Floats {
				if got != want {
					t.Fatalf("id %d, degree %d: %v; expected %v", id, degree, got, want)
				}
			}
		}
	}
}

// Outputs never share memory with inputs, so a caller may store them in any order.
func TestOutput_IsNoInput(t *testing.T) {
	ids := []int64{5, 6}
	p := Program("1.0", "id", "true")
	got := evaluate(t, p, ids)
	ids[0] = 9
	if got[1].Ints[0] != 5 {
		t.Error("the output changed with the input")
	}
}
