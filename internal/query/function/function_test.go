package function

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/testseed"
)

var call = &Call{
	Transaction: time.Unix(1, 0).UTC(), Statement: time.Unix(2, 0).UTC(), Realtime: time.Now,
	Random: rand.New(rand.NewPCG(1, 2)),
}

// of makes values of what Go has.
func of(x any) value.Value {
	switch x := x.(type) {
	case bool:
		return value.OfBool(x)
	case int:
		return value.OfInt(int64(x))
	case float64:
		return value.OfFloat(x)
	case string:
		return value.OfString(x)
	case []any:
		return value.OfList(all(x))
	case map[string]any:
		m := map[string]value.Value{}
		for key, v := range x {
			m[key] = of(v)
		}
		return value.OfMap(m)
	case value.Value:
		return x
	}
	return value.Value{}
}

func all(xs []any) []value.Value {
	values := make([]value.Value, len(xs))
	for i, x := range xs {
		values[i] = of(x)
	}
	return values
}

type l = []any

func TestFunctions(t *testing.T) {
	for _, test := range []struct {
		name string
		args l
		want any
	}{
		{"abs", l{-1}, 1}, {"ABS", l{-1.5}, 1.5}, {"sign", l{-3.5}, -1}, {"sign", l{0}, 0}, {"ceil", l{0.1}, 1.0},
		{"floor", l{-0.1}, -1.0},
		{"round", l{0.5}, 1.0}, {"round", l{-1.5}, -1.0}, {"round", l{0.49999999999999994}, 0.0},
		{"round", l{3.141592, 3}, 3.142}, {"round", l{-1.55, 1}, -1.6},
		{"round", l{1.249, 1, "UP"}, 1.3}, {"round", l{1.25, 1, "half_even"}, 1.2}, {"round", l{-1.25, 1, "HALF_DOWN"}, -1.2},
		{"round", l{-1.21, 1, "CEILING"}, -1.2}, {"round", l{2.5}, 3.0},
		{"sqrt", l{12.96}, 3.6}, {"exp", l{0}, 1.0}, {"log10", l{100}, 2.0}, {"pi", nil, math.Pi},
		{"degrees", l{math.Pi}, 180.0}, {"haversin", l{math.Pi}, 1.0}, {"atan2", l{0, -1}, math.Pi},
		{"toUpper", l{"aé"}, "AÉ"}, {"lower", l{"AB"}, "ab"}, {"trim", l{" a\n"}, "a"}, {"ltrim", l{" a "}, "a "},
		{"rtrim", l{" a "}, " a"}, {"ltrim", l{"xxa", "x"}, "a"},
		{"left", l{"häh", 2}, "hä"}, {"left", l{"a", 9}, "a"}, {"right", l{"häh", 2}, "äh"}, {"right", l{"a", 0}, ""},
		{"right", l{"a", 9}, "a"},
		{"substring", l{"0123456789", 1}, "123456789"}, {"substring", l{"häh", 1, 1}, "ä"}, {"substring", l{"a", 5, 1}, ""},
		{"substring", l{"abc", 1, 0}, ""},
		{"replace", l{"aXbX", "X", "-"}, "a-b-"}, {"replace", l{"aXbX", "X", "-", 1}, "a-bX"},
		{"split", l{"a,b;c", ","}, l{"a", "b;c"}}, {"split", l{"a,b;c", l{",", ";"}}, l{"a", "b", "c"}},
		{"reverse", l{"raksO"}, "Oskar"}, {"reverse", l{l{1, 2}}, l{2, 1}}, {"size", l{"hä"}, 2}, {"size", l{l{1, nil}}, 2},
		{"isEmpty", l{""}, true}, {"isEmpty", l{map[string]any{"a": 1}}, false},
		{"head", l{l{1, 2}}, 1}, {"last", l{l{1, 2}}, 2}, {"tail", l{l{1, 2}}, l{2}}, {"tail", l{l{}}, l{}},
		{"head", l{l{}}, nil}, {"keys", l{map[string]any{"b": 1, "a": nil}}, l{"a", "b"}},
		{"range", l{0, 3}, l{0, 1, 2, 3}}, {"range", l{1381, -3412, -1298}, l{1381, 83, -1215, -2513}},
		{"range", l{0, 1, -1}, l{}}, {"range", l{0, 0, -1}, l{0}},
		{"range", l{math.MinInt, math.MaxInt, math.MaxInt}, l{math.MinInt, -1, math.MaxInt - 1}},
		{"toInteger", l{82.9}, 82}, {"toInteger", l{"1.7"}, 1}, {"toInteger", l{"foo"}, nil}, {"toInteger", l{""}, nil},
		{"toInteger", l{"9223372036854775807"}, math.MaxInt}, {"toInteger", l{1e300}, nil}, {"toInteger", l{"0x10"}, nil},
		{"toFloat", l{"5"}, 5.0}, {"toFloat", l{"1e3"}, 1000.0}, {"toFloat", l{"foo"}, nil}, {"toBoolean", l{"TRUE"}, true},
		{"toBoolean", l{"x"}, nil}, {"toBooleanOrNull", l{0}, nil},
		{"toString", l{1}, "1"}, {"toString", l{1.0}, "1.0"}, {"toString", l{value.OfDate(0)}, "1970-01-01"},
		{"toIntegerOrNull", l{l{}}, nil}, {"toFloatList", l{l{1, "2", l{}}}, l{1.0, 2.0, nil}},
		{"gds.similarity.cosine", l{l{3, nil}, l{3, 4}}, 0.6},
		{"gds.similarity.euclideanDistance", l{l{nil, 3}, l{4, nil}}, 5.0},
		{"gds.similarity.jaccard", l{l{1, nil, 3}, l{1, 2, 3, 4}}, 0.5},
		{"gds.similarity.overlap", l{l{1, nil}, l{1, nil, 3}}, 1.0},
		{"gds.similarity.jaccard", l{l{nil}, l{nil}}, 0.0},
		{"vector.similarity.cosine", l{l{1, 0}, l{0.0, 2.5}}, 0.5}, {"vector.similarity.euclidean", l{l{1, 2}, l{1, 5}}, 0.1},
		{"coalesce", l{nil, 2, 3}, 2}, {"coalesce", l{nil}, nil}, {"nullIf", l{1, 1.0}, nil}, {"nullIf", l{1, 2}, 1},
		{"timestamp", nil, 2000},
		{"valueType", l{1}, "INTEGER NOT NULL"}, {"valueType", l{nil}, "NULL"},
		{"valueType", l{l{1, "a", nil}}, "LIST<INTEGER | STRING> NOT NULL"},
	} {
		f, ok := Lookup(test.name)
		if !ok {
			t.Fatalf("there is no %s", test.name)
		}
		if len(test.args) < f.Min || len(test.args) > f.Max && f.Max >= 0 {
			t.Errorf("%s takes %d to %d arguments, not %d", test.name, f.Min, f.Max, len(test.args))
		}
		got, err := f.Call(call, all(test.args))
		if want := of(test.want); err != nil || got.Kind() != want.Kind() || !value.Equivalent(got, want) {
			t.Errorf("%s%s = %s, want %s; %v", test.name, of(test.args).Text(), got.Text(), want.Text(), err)
		}
	}
}

func TestFunctionsRefuse(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   l
		kind   fault.Kind
		detail string
	}{
		{"toInteger", l{l{}}, fault.TypeError, "InvalidArgumentValue"},
		{"toFloat", l{true}, fault.TypeError, "InvalidArgumentValue"},
		{"toBoolean", l{1}, fault.TypeError, "InvalidArgumentValue"},
		{"toString", l{map[string]any{}}, fault.TypeError, "InvalidArgumentValue"},
		{"range", l{2, 8, 0}, fault.ArgumentError, "NumberOutOfRange"},
		{"range", l{2, 8.0}, fault.ArgumentError, "InvalidArgumentType"},
		{"range", l{0, math.MaxInt}, fault.ArgumentError, "NumberOutOfRange"},
		{"abs", l{math.MinInt}, fault.ArithmeticError, "IntegerOverflow"},
		{"abs", l{"a"}, fault.TypeError, "InvalidArgumentValue"},
		{"left", l{"a", -1}, fault.ArgumentError, "NumberOutOfRange"},
		{"substring", l{"a", -1}, fault.ArgumentError, "NumberOutOfRange"},
		{"round", l{1.5, 1, "X"}, fault.ArgumentError, "NumberOutOfRange"},
		{"abs", nil, fault.SyntaxError, "InvalidNumberOfArguments"},
		{"vector.similarity.cosine", l{l{1, nil}, l{1, 2}}, fault.ArgumentError, "InvalidArgumentValue"},
		{"gds.similarity.cosine", l{l{1, nil}, l{1}}, fault.ArgumentError, "InvalidArgumentValue"},
		{"vector.similarity.cosine", l{l{1}, l{1, 2}}, fault.ArgumentError, "InvalidArgumentValue"},
	} {
		f, _ := Lookup(test.name)
		got, err := f.Call(call, all(test.args))
		if met := new(fault.Error); !errors.As(err, &met) || met.Kind != test.kind || met.Detail != test.detail {
			t.Errorf("%s%s = %s, %v", test.name, of(test.args).Text(), got.Text(), err)
		}
	}
}

// Whatever the arguments, a function does not panic, and its errors are faults.
func TestFunctionsTakeAnything(t *testing.T) {
	samples := all(l{nil, true, -1, 0, math.MinInt, 1.5, math.NaN(), "", "2015-07-21", "a", l{}, l{1, "a"},
		map[string]any{}, value.OfNodeID(1),
		value.OfDate(1), value.OfLocalTime(1), value.OfTime(value.ZonedTime{}), value.OfLocalDateTime(time.Unix(0, 0).UTC()),
		value.OfDateTime(time.Unix(0, 0).UTC()), value.OfDuration(value.Span{Months: 1}),
		value.OfPoint(value.Place{SRID: value.WGS84})})
	r := testseed.Rand(t)
	for _, name := range Names() {
		f, _ := Lookup(name)
		for range 2000 {
			most := f.Max
			if most < 0 {
				most = 4
			}
			args := make([]value.Value, r.IntN(most+2)) // also too few and too many
			for i := range args {
				args[i] = samples[r.IntN(len(samples))]
			}
			v, err := f.Call(call, args)
			if met := new(fault.Error); err != nil && (!errors.As(err, &met) || !v.IsNull()) {
				t.Fatalf("%s%s: %s, %v", name, value.OfList(args).Text(), v.Text(), err)
			}
		}
	}
}

// What can become large is charged before it is made, and close to what it takes.
func TestLargeValuesAreCharged(t *testing.T) {
	const limit = 1 << 20
	refused := errors.New("too much")
	charged := &Call{Charge: func(bytes int64) error {
		if bytes > limit {
			return refused
		}
		return nil
	}}
	long, many := of(strings.Repeat("a", 600_000)), make(l, 30_000)
	for name, args := range map[string]l{
		"range": {0, 100_000}, "replace": {long, "a", "aaa"}, "split": {long, ""},
	} {
		f, _ := Lookup(name)
		if _, err := f.Call(charged, all(args)); !errors.Is(err, refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, v := range []value.Value{long, of(many)} {
		if _, err := charged.Add(v, v); !errors.Is(err, refused) {
			t.Errorf("+ of %s: %v", v.Kind(), err)
		}
		if sum, err := charged.Add(v, of(1)); err != nil || sum.Kind() != v.Kind() {
			t.Errorf("+ 1 of %s: %v", v.Kind(), err)
		}
	}
}
