package input

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func split(line string, comma bool) []string {
	fields := Fields{Comma: comma}
	fields.Reset([]byte(line))
	var all []string
	for {
		field, ok := fields.Next()
		if !ok {
			return all
		}
		if at := line[fields.Column-1:]; !strings.HasPrefix(at, string(field)) {
			panic("wrong column")
		}
		all = append(all, string(field))
	}
}

// Without commas fields are what strings.Fields finds; with commas between all
// fields, what strings.Split and TrimSpace find.
func TestFields_LikeStrings(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.StringMatching(`[ab \t]{0,20}`).Draw(rt, "line")
		if got, want := split(line, false), strings.Fields(line); !slices.Equal(got, want) {
			rt.Fatalf("%q: got %q, want %q", line, got, want)
		}
		parts := rapid.SliceOfN(rapid.StringMatching(`[ \t]{0,2}[ab]{0,2}[ \t]{0,2}`), 2, 5).Draw(rt, "parts")
		joined := strings.Join(parts, ",")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if got := split(joined, true); !slices.Equal(got, parts) {
			rt.Fatalf("%q: got %q, want %q", joined, got, parts)
		}
	})
}

func TestFields_CountDoesNotMove(t *testing.T) {
	fields := Fields{Comma: true}
	line := []byte("1, 2 3,")
	fields.Reset(line)
	if n := fields.Count(line); n != 4 {
		t.Errorf("%d fields", n)
	}
	if field, ok := fields.Next(); !ok || string(field) != "1" {
		t.Errorf("%q, %v", field, ok)
	}
}

func TestParseFloat(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-.5": -0.5, "1e3": 1000, "+7": 7} {
		if got, ok := ParseFloat([]byte(text)); !ok || got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "nan", "Inf", "-infinity", "1e999", "1_000", "0x1p2", "x"} {
		if got, ok := ParseFloat([]byte(text)); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// Short numbers, which are read without strconv, are what strconv reads.
func TestParseFloat_Short(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,12}[.]?[0-9]{0,9}`).Draw(t, "number")
		want, err := strconv.ParseFloat(text, 64)
		if got, ok := ParseFloat([]byte(text)); ok != (err == nil) || got != want {
			t.Fatalf("%q is %v, %v; not %v, %v", text, got, ok, want, err)
		}
	})
}

func TestParseInt(t *testing.T) {
	if n, ok := ParseInt([]byte("-9223372036854775808")); !ok || n != math.MinInt64 {
		t.Errorf("%d, %v", n, ok)
	}
	for _, text := range []string{"", "9223372036854775808", "1.0", "0x1"} {
		if n, ok := ParseInt([]byte(text)); ok {
			t.Errorf("%q is %d", text, n)
		}
	}
}

func TestSplitName(t *testing.T) {
	for path, want := range map[string][2]string{
		"x/G.MTX.gz": {"x/G", ".mtx"}, "a.b/c": {"a.b/c", ""}, "g.e": {"g", ".e"},
		"NY.gr.txt.GZ": {"NY.gr", ".txt"}, "r.csv.zst": {"r", ".csv"}, "-": {"-", ""},
	} {
		if stem, ending := SplitName(path); stem != want[0] || ending != want[1] {
			t.Errorf("%s: %q and %q", path, stem, ending)
		}
	}
}
