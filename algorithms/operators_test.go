package algorithms_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// valueOf evaluates an expression without variables.
func valueOf(t *testing.T, expression string, kind algorithms.Type) any {
	t.Helper()
	result, _, err := algorithms.RunProgram(algorithms.NewGraph(true, []int64{1}, nil),
		&algorithms.Program{Name: expression,
			State:   []algorithms.State{column("x", kind, expression, "self.x")},
			Process: algorithms.Expr{Source: "0"}, Reduce: algorithms.Sum, Exactly: true})
	if err != nil {
		t.Fatal(err)
	}
	return oracletest.At(result[0], 0)
}

// The rules at the edges of the number types, which devices must follow.
func TestOperators_Values(t *testing.T) {
	const least, greatest = int64(math.MinInt64), int64(math.MaxInt64)
	for expression, want := range map[string]any{
		"9223372036854775807 + 1": least, "unreached + 1": least, "-9223372036854775808 - 1": greatest,
		"9223372036854775807 * 2": int64(-2), "-(-9223372036854775808)": least, "abs(-9223372036854775808)": least,
		"7 / 0": int64(0), "7 % 0": int64(0), "-7 / 2": int64(-3), "-7 % 2": int64(-1), "7 % -2": int64(1),
		"-9223372036854775808 / -1": least, "-9223372036854775808 % -1": int64(0),
		"int(1e300)": greatest, "int(-inf)": least, "int(inf - inf)": int64(0), "int(-2.9)": int64(-2),
		"int(9223372036854775807.0)": greatest,
		"int(3)":                     int64(3), "abs(-3)": int64(3), "min(2, 1)": int64(1), "max(2, 1)": int64(2),
		"1.0 / 0.0": math.Inf(1), "-1.0 / 0.0": math.Inf(-1), "-inf": math.Inf(-1), "double(3)": 3.0, "double(2.5)": 2.5,
		"min(1.0, inf)": 1.0, "max(1.0, -inf)": 1.0, "abs(-1.5)": 1.5, "sqrt(9.0)": 3.0, "exp(0.0)": 1.0, "log(1.0)": 0.0,
		"single(0.1)": float64(float32(0.1)), "single(1e300)": math.Inf(1), "single(-inf)": math.Inf(-1),
		"single(16777217.0)": 16777216.0, "- 2.0 * 3.0 - 1.0": -7.0,
		"1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2": true, "1.0 < 2.0 && 2.0 <= 2.0 && 3.0 > 2.0 && 2.0 >= 2.0": true,
		"1 == 1 && 1.0 == 1.0 && true == true": true, "1 != 1 || 1.0 != 1.0 || true != true": false,
		"inf - inf == inf - inf": false, "inf - inf != 0.0": true, "!(1 > 2)": true,
		"true ? 1 : 2": int64(1), "false ? 1.0 : 2.0": 2.0, "true ? false : true": false,
	} {
		kind := algorithms.Int
		switch want.(type) {
		case float64:
			kind = algorithms.Float
		case bool:
			kind = algorithms.Bool
		}
		if got := valueOf(t, expression, kind); got != want {
			t.Errorf("%s = %v, want %v", expression, got, want)
		}
	}
	for _, expression := range []string{"min(inf - inf, 1.0)", "max(1.0, inf - inf)", "sqrt(-1.0)", "log(-1.0)"} {
		if got := valueOf(t, expression, algorithms.Float).(float64); got == got {
			t.Errorf("%s = %v, want NaN", expression, got)
		}
	}
}

func TestOperators_OverloadsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range algorithms.Operators {
		signature := fmt.Sprintf("%s of %v", op.Function, op.Args)
		if seen[op.Overload] || seen[signature] {
			t.Errorf("%s of %v stands twice", op.Overload, op.Args)
		}
		seen[op.Overload], seen[signature] = true, true
	}
}

func TestReduce_Identities(t *testing.T) {
	for r := algorithms.Sum; r <= algorithms.Or; r++ {
		for _, x := range []float64{-1.5, 0, 2, math.Inf(1), math.Inf(-1)} {
			if r.Suits(algorithms.Float) && r.CombineFloats(r.FloatIdentity(), x) != x {
				t.Errorf("%v(%v, %v) = %v", r, r.FloatIdentity(), x, r.CombineFloats(r.FloatIdentity(), x))
			}
		}
		for _, x := range []int64{-1, 0, 2, math.MaxInt64, math.MinInt64} {
			if r.Suits(algorithms.Int) && r.CombineInts(r.IntIdentity(), x) != x {
				t.Errorf("%v(%v, %v) = %v", r, r.IntIdentity(), x, r.CombineInts(r.IntIdentity(), x))
			}
		}
		for _, x := range []bool{false, true} {
			if r.Suits(algorithms.Bool) && r.CombineBools(r.BoolIdentity(), x) != x {
				t.Errorf("%v(%v, %v)", r, r.BoolIdentity(), x)
			}
		}
	}
}
