package stats

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// drawn is the picture, which must be XML without numbers that are none.
func drawn(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	must(t, r.WriteSVG(&b))
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
	}
	for _, wrong := range []string{"NaN", "Inf", "ZgotmplZ", "%!", "922337203685477580"} {
		if strings.Contains(b.String(), wrong) {
			t.Errorf("%s in the picture", wrong)
		}
	}
	return b.String()
}

func TestWriteSVG(t *testing.T) {
	rng, db := testseed.Rand(t), testDB(t)
	for range 5 {
		s := randomSample(rng)
		r, err := Of(t.Context(), s.snapshot(t, db, store.OrderRabbit), Options{})
		must(t, err)
		r.Graph = "<&>"
		text := drawn(t, r)
		if !strings.Contains(text, "&lt;&amp;&gt;") || strings.Count(text, "<g transform") != 6 {
			t.Errorf("%+v: no name, or no six panels", s)
		}
	}
}

// TestSpy_Path: the paths of all shades together cover what is not empty, once.
func TestSpy_Path(t *testing.T) {
	rng := testseed.Rand(t)
	for range 100 {
		s := newSpy(uint64(1+rng.IntN(300)), nil)
		for range rng.IntN(200) {
			s.Entries[rng.IntN(len(s.Entries))] += uint64(1 + rng.IntN(20))
		}
		covered := make([]uint64, len(s.Entries))
		least, most := s.extremes()
		for shade := range shades {
			cover(t, s, s.path(shade, least, most), covered)
		}
		for i, entries := range s.Entries {
			if covered[i] != min(entries, 1) {
				t.Fatalf("square %d of %d has %d entries, and is drawn %d times", i, s.Side, entries, covered[i])
			}
		}
	}
}

// cover follows a path of M, m and h.
func cover(t *testing.T, s Spy, path string, covered []uint64) {
	x, y := 0, 0
	for len(path) > 0 {
		end := 1 + len(path[1:])
		if i := strings.IndexAny(path[1:], "Mmh"); i >= 0 {
			end = 1 + i
		}
		numbers := []int{}
		for _, text := range strings.Fields(path[1:end]) {
			number, err := strconv.Atoi(text)
			must(t, err)
			numbers = append(numbers, number)
		}
		switch path[0] {
		case 'M':
			x, y = numbers[0], numbers[1]
		case 'm':
			x, y = x+numbers[0], y+numbers[1]
		case 'h':
			for range numbers[0] {
				covered[y*s.Side+x]++
				x++
			}
		}
		path = path[end:]
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, "0 %"}, {1, "100 %"}, {0.5, "50.0 %"}, {0.00205, "0.205 %"}, {0.99795, "99.795 %"}, {0.9999895, "99.99895 %"},
		{0.08, "8 %"}, {3e-8, "3e-06 %"}, {1.5, "150.0 %"}} {
		if got := Percent(c.share); got != c.want {
			t.Errorf("%g: %q, not %q", c.share, got, c.want)
		}
	}
}
