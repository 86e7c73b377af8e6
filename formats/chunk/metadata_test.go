package chunk

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// written is a header with all that metadata says in it.
func written(h head) *encoding.Header {
	metadata := metadataOf(h)
	return &encoding.Header{Version: h.version, Keys: metadata.Keys(), Values: slices.Clone(metadata.Values())}
}

var fullHead = head{
	version: 2,
	meta:    Meta{"g", 1<<64 - 1, In, Interval{3, 4}, Interval{5, 6}},
	stats:   Stats{Rows: 7, Edges: math.MaxInt32, MinDegree: 8, MaxDegree: 9},
}

func TestMetadata_RoundTrip(t *testing.T) {
	for version := range uint32(Version) {
		for _, graph := range []string{"", "g", " ", "two words", "a  b "} {
			want := fullHead
			want.version, want.meta.Graph = version+1, graph
			got, err := parseMetadata(written(want))
			if err != nil || got != want {
				t.Errorf("%+v, %v; expected %+v", got, err, want)
			}
		}
	}
}

// A line is taken apart at its spaces: one more or less, and a value is not as it would have been written.
func TestMetadata_Line(t *testing.T) {
	now := fullHead
	now.version = 3
	const whole = "3 18446744073709551615 in 3 4 5 6 7 2147483647 8 9 g"
	if h := written(now); !slices.Equal(h.Keys, []string{"penstock"}) || !slices.Equal(h.Values, []string{whole}) {
		t.Errorf("%q %q", h.Keys, h.Values)
	}
	for text, says := range map[string]string{
		"":                                       "1 values in penstock; expected 12",
		"3":                                      "1 values in penstock; expected 12",
		strings.TrimSuffix(whole, " g"):          "11 values in penstock; expected 12",
		strings.Replace(whole, " in", "  in", 1): `penstock.direction is ""`,
		strings.Replace(whole, "in ", "", 1):     "11 values in penstock; expected 12",
		strings.Replace(whole, " 3 4", " 03 4", 1): `penstock.row_base is "03"`,
		strings.Replace(whole, "3", "2", 1):        "penstock.version is 2; the trailer says 3",
		" " + whole:                                `penstock.version is ""`,
	} {
		h := written(now)
		h.Values[0] = text
		requireCorrupt(t, h, says)
	}
	none, more, other := written(now), written(now), written(now)
	none.Keys, none.Values = nil, nil
	requireCorrupt(t, none, "0 metadata entries; expected 1")
	more.Keys, more.Values = append(more.Keys, "more"), append(more.Values, "")
	requireCorrupt(t, more, `unexpected metadata "more"`)
	other.Keys = []string{earlierKeys[0]}
	requireCorrupt(t, other, `unexpected metadata "penstock.version"`)
}

// A value that is not as it would have been written is named, the first one where there are several.
func TestMetadata_NamesTheFirstWrongValue(t *testing.T) {
	for i, key := range earlierKeys {
		wrong := []string{"", "x", "-1", "01", "18446744073709551616"}
		if i >= 8 {
			wrong = append(wrong, "2147483648")
		}
		if key == "penstock.graph" {
			wrong = nil // any text is a name
		}
		for _, value := range wrong {
			for _, also := range []int{i, len(earlierKeys) - 1} {
				h := written(fullHead)
				h.Values[also] = "y"
				h.Values[i] = value
				requireCorrupt(t, h, fmt.Sprintf("%s is %q", key, value))
			}
		}
	}
	h := written(fullHead)
	h.Version = 1
	requireCorrupt(t, h, "penstock.version is 2; the trailer says 1")
	for cut := range earlierKeys {
		h := written(fullHead)
		h.Keys, h.Values = h.Keys[:cut], h.Values[:cut]
		requireCorrupt(t, h, "metadata entries")
		other := written(fullHead)
		other.Keys = slices.Clone(other.Keys)
		other.Keys[cut] = "other"
		requireCorrupt(t, other, `unexpected metadata "other"`)
	}
	more := written(fullHead)
	more.Keys, more.Values = append(slices.Clone(more.Keys), "more"), append(more.Values, "")
	requireCorrupt(t, more, `unexpected metadata "more"`)
}

func requireCorrupt(t *testing.T, h *encoding.Header, says string) {
	t.Helper()
	var damaged *CorruptError
	if _, err := parseMetadata(h); !errors.As(err, &damaged) || !strings.Contains(err.Error(), says) {
		t.Errorf("%v; expected %q", err, says)
	}
}

// An interval may end with the last number there is, and have 2^32 vertices.
func TestCheckMeta_Bounds(t *testing.T) {
	for _, c := range []struct {
		meta Meta
		ok   bool
	}{
		{Meta{Rows: Interval{math.MaxUint64 - 5, 5}}, true}, {Meta{Rows: Interval{math.MaxUint64 - 5, 6}}, false},
		{Meta{Cols: Interval{0, 1 << 32}}, true}, {Meta{Cols: Interval{0, 1<<32 + 1}}, false},
		{Meta{Direction: Both}, true}, {Meta{Direction: Both + 1}, false},
	} {
		if err := checkMeta(c.meta); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.meta, err)
		}
	}
}
