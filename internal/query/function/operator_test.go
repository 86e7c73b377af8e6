package function

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/testseed"
)

var nan = math.NaN()

func TestBinary(t *testing.T) {
	hour := value.OfDuration(value.Span{Seconds: 3600})
	for _, test := range []struct {
		op         ast.BinaryOp
		a, b, want any
	}{
		{ast.Add, 1, 2, 3}, {ast.Add, 1, 2.5, 3.5}, {ast.Add, "a", "b", "ab"}, {ast.Add, "a", 1, "a1"},
		{ast.Add, 1.5, "a", "1.5a"}, {ast.Add, true, "a", "truea"},
		{ast.Add, l{1}, l{2}, l{1, 2}}, {ast.Add, l{1}, 2, l{1, 2}}, {ast.Add, 1, l{2}, l{1, 2}}, {ast.Add, l{1}, nil, nil},
		{ast.Add, nil, 1, nil},
		{ast.Add, value.OfDate(0), hour, value.OfDate(0)}, {ast.Add, hour, hour, value.OfDuration(value.Span{Seconds: 7200})},
		{ast.Multiply, hour, 2, value.OfDuration(value.Span{Seconds: 7200})},
		{ast.Multiply, 0.5, hour, value.OfDuration(value.Span{Seconds: 1800})},
		{ast.Divide, hour, 2, value.OfDuration(value.Span{Seconds: 1800})},
		{ast.Subtract, hour, hour, value.OfDuration(value.Span{})},
		{ast.Subtract, 1, 2.5, -1.5}, {ast.Multiply, 3, 4, 12}, {ast.Multiply, -1 << 32, 1 << 31, math.MinInt},
		{ast.Divide, 7, 2, 3}, {ast.Divide, -7, 2, -3}, {ast.Divide, 7, 2.0, 3.5}, {ast.Divide, 1, 0.0, math.Inf(1)},
		{ast.Modulo, 7, 3, 1}, {ast.Modulo, -7, 3, -1}, {ast.Modulo, 7.5, 2, 1.5}, {ast.Modulo, 1.0, 0, nan},
		{ast.Power, 2, 3, 8.0}, {ast.Modulo, math.MinInt, -1, 0},
		{ast.And, nil, false, false}, {ast.And, true, nil, nil}, {ast.And, true, true, true}, {ast.Or, nil, true, true},
		{ast.Or, false, nil, nil}, {ast.Or, false, false, false}, {ast.Xor, true, false, true}, {ast.Xor, nil, true, nil},
		{ast.Equal, 1, 1.0, true}, {ast.NotEqual, nan, nan, true}, {ast.NotEqual, nil, 1, nil}, {ast.Less, 1, "a", nil},
		{ast.Less, nan, 1, false}, {ast.Greater, nan, 1, false}, {ast.GreaterEqual, 2, 2.0, true},
		{ast.LessEqual, "a", "b", true},
		{ast.In, 3, l{1, 3}, true}, {ast.In, 3, l{nil, 3}, true}, {ast.In, 3, l{nil}, nil}, {ast.In, nil, l{}, false},
		{ast.In, nil, l{1}, nil}, {ast.In, 1, nil, nil}, {ast.In, l{1, 2}, l{1, l{1, "2"}}, false},
		{ast.StartsWith, "abc", "ab", true}, {ast.EndsWith, "abc", "ab", false}, {ast.Contains, "abc", "b", true},
		{ast.Contains, 1, "b", nil}, {ast.StartsWith, "a", nil, nil},
		{ast.Matches, "abc", "a.*", true}, {ast.Matches, "abc", "b", false}, {ast.Matches, "ab", "a|ab", true},
		{ast.Matches, "a", nil, nil},
	} {
		got, err := Binary(test.op)(of(test.a), of(test.b))
		if want := of(test.want); err != nil || got.Kind() != want.Kind() || !value.Equivalent(got, want) {
			t.Errorf("%s %d %s = %s, want %s; %v", of(test.a).Text(), test.op, of(test.b).Text(), got.Text(), want.Text(), err)
		}
	}
}

func TestBinaryRefuses(t *testing.T) {
	for _, test := range []struct {
		op     ast.BinaryOp
		a, b   any
		kind   fault.Kind
		detail string
	}{
		{ast.Add, math.MaxInt, 1, fault.ArithmeticError, "IntegerOverflow"},
		{ast.Subtract, math.MinInt, 1, fault.ArithmeticError, "IntegerOverflow"},
		{ast.Multiply, math.MinInt, -1, fault.ArithmeticError, "IntegerOverflow"},
		{ast.Divide, 1, 0, fault.ArithmeticError, "DivisionByZero"},
		{ast.Modulo, 1, 0, fault.ArithmeticError, "DivisionByZero"},
		{ast.Divide, math.MinInt, -1, fault.ArithmeticError, "IntegerOverflow"},
		{ast.Add, 1, true, fault.TypeError, "InvalidArgumentType"},
		{ast.And, false, 1, fault.TypeError, "InvalidArgumentType"}, {ast.In, 1, 1, fault.TypeError, "InvalidArgumentType"},
		{ast.Subtract, "a", "b", fault.TypeError, "InvalidArgumentType"},
		{ast.Multiply, "a", 1, fault.TypeError, "InvalidArgumentType"},
		{ast.Power, "a", 1, fault.TypeError, "InvalidArgumentType"},
		{ast.Matches, "a", "(", fault.ArgumentError, "InvalidArgumentValue"},
		{ast.Matches, "a", ")(", fault.ArgumentError, "InvalidArgumentValue"},
		{ast.Add, map[string]any{}, map[string]any{}, fault.TypeError, "InvalidArgumentType"},
	} {
		got, err := Binary(test.op)(of(test.a), of(test.b))
		if met := new(fault.Error); !errors.As(err, &met) || met.Kind != test.kind || met.Detail != test.detail {
			t.Errorf("%s %d %s = %s, %v", of(test.a).Text(), test.op, of(test.b).Text(), got.Text(), err)
		}
	}
}

// Integers are right or refused: big.Int is the oracle.
func TestIntegersOverflow(t *testing.T) {
	r := testseed.Rand(t)
	for range 200_000 {
		a, b := int64(r.Uint64())>>r.IntN(64), int64(r.Uint64())>>r.IntN(64)
		for op, exact := range map[ast.BinaryOp]func(x, y *big.Int) *big.Int{
			ast.Add: new(big.Int).Add, ast.Subtract: new(big.Int).Sub, ast.Multiply: new(big.Int).Mul,
		} {
			want := exact(big.NewInt(a), big.NewInt(b))
			got, err := Binary(op)(value.OfInt(a), value.OfInt(b))
			if (err == nil) != want.IsInt64() || err == nil && got.Int() != want.Int64() {
				t.Fatalf("%d, %d by %d: %s, %v", a, b, op, got.Text(), err)
			}
		}
	}
}

func TestAccess(t *testing.T) {
	m := map[string]any{"a": 1}
	for _, test := range []struct{ subject, index, want any }{
		{l{1, 2, 3}, 0, 1}, {l{1, 2, 3}, -1, 3}, {l{1}, 1, nil}, {l{1}, -2, nil}, {nil, 1, nil}, {l{1}, nil, nil},
		{m, "a", 1}, {m, "b", nil}, {m, nil, nil},
	} {
		if got, err := Index(of(test.subject), of(test.index)); err != nil || !value.Equivalent(got, of(test.want)) {
			t.Errorf("%s[%s] = %s, %v", of(test.subject).Text(), of(test.index).Text(), got.Text(), err)
		}
	}
	for _, test := range []struct {
		subject, index any
		detail         string
	}{{l{1}, "a", "InvalidArgumentType"}, {m, 0, "MapElementAccessByNonString"}, {1, 0, "InvalidArgumentType"}} {
		_, err := Index(of(test.subject), of(test.index))
		if met := new(fault.Error); !errors.As(err, &met) || met.Kind != fault.TypeError || met.Detail != test.detail {
			t.Errorf("%s[%s]: %v", of(test.subject).Text(), of(test.index).Text(), err)
		}
	}
	for _, test := range []struct{ from, to, want any }{
		{1, 3, l{2, 3}}, {-3, -1, l{1, 2}}, {3, 1, l{}}, {-5, 5, l{1, 2, 3}}, {nil, 1, nil}, {0, math.MaxInt, l{1, 2, 3}},
		{math.MinInt, math.MaxInt, l{1, 2, 3}},
	} {
		if got, err := Slice(of(l{1, 2, 3}), of(test.from), of(test.to)); err != nil ||
			!value.Equivalent(got, of(test.want)) {
			t.Errorf("[1, 2, 3][%v..%v] = %s, %v", test.from, test.to, got.Text(), err)
		}
	}
}
