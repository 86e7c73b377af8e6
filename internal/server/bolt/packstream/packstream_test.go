package packstream

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/formats/value"
)

var (
	bolt44 = Dialect{}
	bolt5  = Dialect{ElementIDs: true, UTC: true}
)

// examples are values and their bytes, from the specification of PackStream and of Bolt's
// structures.
var examples = []struct {
	name    string
	dialect Dialect
	v       value.Value
	hex     string
}{
	{"null", bolt5, value.Value{}, "C0"},
	{"true", bolt5, value.OfBool(true), "C3"},
	{"false", bolt5, value.OfBool(false), "C2"},
	{"1", bolt5, value.OfInt(1), "01"},
	{"-16", bolt5, value.OfInt(-16), "F0"},
	{"-17", bolt5, value.OfInt(-17), "C8EF"},
	{"-128", bolt5, value.OfInt(-128), "C880"},
	{"127", bolt5, value.OfInt(127), "7F"},
	{"128", bolt5, value.OfInt(128), "C90080"},
	{"-129", bolt5, value.OfInt(-129), "C9FF7F"},
	{"1234", bolt5, value.OfInt(1234), "C904D2"},
	{"32768", bolt5, value.OfInt(32768), "CA00008000"},
	{"-2147483649", bolt5, value.OfInt(-2147483649), "CBFFFFFFFF7FFFFFFF"},
	{"least", bolt5, value.OfInt(math.MinInt64), "CB8000000000000000"},
	{"1.23", bolt5, value.OfFloat(1.23), "C13FF3AE147AE147AE"},
	{"empty string", bolt5, value.OfString(""), "80"},
	{"string", bolt5, value.OfString("Größenmaßstäbe"), "D0124772C3B6C39F656E6D61C39F7374C3A46265"},
	{"list", bolt5, ints(1, 2, 3), "93010203"},
	{"longer list", bolt5, ints(make([]int64, 16)...), "D410" + strings.Repeat("00", 16)},
	{"map", bolt5, value.OfEntries([]value.Entry{{Key: "one", Value: value.OfString("eins")}}), "A1836F6E658465696E73"},
	{"date", bolt5, value.OfDate(16888), "B144C941F8"},
	{"local time", bolt5, value.OfLocalTime(1), "B17401"},
	{"time", bolt5, value.OfTime(value.ZonedTime{Nanos: 1, Offset: 3600}), "B25401C90E10"},
	{"local date time", bolt5, value.OfLocalDateTime(time.Unix(7, 8).UTC()), "B2640708"},
	{"date time", bolt5, value.OfDateTime(time.Unix(100, 8).In(time.FixedZone("", 60))), "B3496408" + "3C"},
	{"date time of old", bolt44, value.OfDateTime(time.Unix(40, 8).In(time.FixedZone("", 60))), "B3466408" + "3C"},
	{"date time in a zone", bolt5, value.OfDateTime(time.Unix(0, 0).In(zone("Europe/Berlin"))), "B3690000" +
		"8D4575726F70652F4265726C696E"},
	{"date time in a zone of old", bolt44, value.OfDateTime(time.Unix(0, 0).In(zone("Europe/Berlin"))), "B366C90E1000" +
		"8D4575726F70652F4265726C696E"},
	{"duration", bolt5, value.OfDuration(value.Span{Months: 1, Days: 2, Seconds: 3, Nanos: 4}), "B44501020304"},
	{"point", bolt5, value.OfPoint(value.Place{SRID: 7203, X: 1, Y: 2}), "B358C91C23C13FF0000000000000C14000000000000000"},
	{"point in space", bolt5, value.OfPoint(value.Place{SRID: 4979, X: 1, Y: 2, Z: 1}),
		"B459C91373C13FF0000000000000C14000000000000000C13FF0000000000000"},
	{"node", bolt5, value.OfNode(&value.NodeContent{ID: 3, Labels: []string{"A"}, Properties: name("x")}),
		"B44E03918141A1846E616D6581788133"},
	{"node of old", bolt44, value.OfNode(&value.NodeContent{ID: 3, Labels: []string{"A"}}), "B34E03918141A0"},
	{"relationship", bolt5, relationship(11, 2, 3), "B8520B020384" + "4B4E4F57A0" + "823131" + "8132" + "8133"},
	{"relationship of old", bolt44, relationship(11, 2, 3), "B5520B0203844B4E4F57A0"},
	{"path there and back", bolt44, thereAndBack(), "B35092B34E0190A0B34E0290A091B37207844B4E4F57A094" + "0101FF00"},
	{"path with element ids", bolt5, thereAndBack(), "B35092B44E0190A08131B44E0290A0813291B47207844B4E4F57A0813794" +
		"0101FF00"},
}

func ints(elements ...int64) value.Value {
	list := make([]value.Value, len(elements))
	for i, e := range elements {
		list[i] = value.OfInt(e)
	}
	return value.OfList(list)
}

func name(s string) []value.Entry { return []value.Entry{{Key: "name", Value: value.OfString(s)}} }

func node(id uint64) value.Value { return value.OfNode(&value.NodeContent{ID: id}) }

func relationship(id, start, end uint64) value.Value {
	return value.OfRelationship(&value.RelationshipContent{ID: id, Start: start, End: end, Type: "KNOW"})
}

// thereAndBack walks a relationship forwards and then backwards.
func thereAndBack() value.Value {
	r := relationship(7, 1, 2)
	return value.OfPath(&value.PathContent{Nodes: []value.Value{node(1), node(2), node(1)},
		Relationships: []value.Value{r, r}})
}

func zone(name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return z
}

func TestAppend_Examples(t *testing.T) {
	for _, e := range examples {
		if got := hex.EncodeToString(e.dialect.Append(nil, e.v)); !strings.EqualFold(got, e.hex) {
			t.Errorf("%s is %s, not %s", e.name, strings.ToUpper(got), e.hex)
		}
	}
}

func TestDecoder_Examples(t *testing.T) {
	for _, e := range examples {
		src, err := hex.DecodeString(e.hex)
		if err != nil {
			t.Fatal(e.name, err)
		}
		d := NewDecoder(src, 1<<20)
		v, err := d.Value()
		if err = errors.Join(err, d.End()); err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		if again := e.dialect.Append(nil, v); !bytes.Equal(again, src) || v.Kind() != e.v.Kind() {
			t.Errorf("%s was decoded as %x", e.name, again)
		}
	}
}

// TestDecoder_Lengths tries all widths of lengths.
func TestDecoder_Lengths(t *testing.T) {
	for _, n := range []int{0, 15, 16, 255, 256, 65535, 65536} {
		text := value.OfString(strings.Repeat("x", n))
		m := make(map[string]value.Value)
		for i := range n {
			m[string(rune(0x10000+i))] = value.OfInt(int64(i))
		}
		for _, v := range []value.Value{text, ints(make([]int64, n)...), value.OfMap(m)} {
			src := bolt5.Append(nil, v)
			got, err := NewDecoder(src, 1<<30).Value()
			if err != nil || !bytes.Equal(bolt5.Append(nil, got), src) {
				t.Fatalf("%s of length %d: %v", v.Kind(), n, err)
			}
		}
	}
}

func TestDecoder_Malformed(t *testing.T) {
	for what, text := range map[string]string{
		"ends before":                "D0",
		"announced":                  "D005414243",
		"elements are announced":     "D6FFFFFFFF",
		"not UTF-8":                  "82C328",
		"byte arrays":                "CC0101",
		"marks no value":             "DF",
		"twice":                      "A2816101816102",
		"should be a string":         "A10102",
		"deeper than":                strings.Repeat("91", 1<<16),
		"no value is a structure":    "B07A",
		"cannot have 2 fields":       "B2440101",
		"no known time zone":         "B369000085" + hex.EncodeToString([]byte("Mars/")),
		"SRID of no coordinate":      "B35801C10000000000000000C10000000000000000",
		"path goes to a node":        "B35091B34E0190A0909201" + "01",
		"a path consists":            "B350909090",
		"should be between":          "B174CB7FFFFFFFFFFFFFFF00",
		"more seconds than 64 bits":  "B4450000CB7FFFFFFFFFFFFFFFCA7FFFFFFF",
		"a list should be here":      "B34E0101A0",
		"properties should be a map": "B34E019001",
	} {
		src, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewDecoder(src, 1<<20).Value()
		var malformed *MalformedError
		if !errors.As(err, &malformed) || !strings.Contains(err.Error(), what) {
			t.Errorf("%.40s: %v, not about %q", text, err, what)
		}
	}
}

// TestDecoder_Memory sends a list that would take 24 times its bytes.
func TestDecoder_Memory(t *testing.T) {
	src := bolt5.Append(nil, ints(make([]int64, 1<<16)...))
	_, err := NewDecoder(src, 1<<20).Value()
	var memory *MemoryError
	if !errors.As(err, &memory) {
		t.Fatalf("%v", err)
	}
}

// TestRoundTrip_Random encodes any value, and what was decoded once more.
func TestRoundTrip_Random(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dialect := Dialect{ElementIDs: rapid.Bool().Draw(t, "ids"), UTC: rapid.Bool().Draw(t, "utc")}
		v := anyValue(3).Draw(t, "value")
		src := dialect.Append(nil, v)
		d := NewDecoder(src, 1<<24)
		got, err := d.Value()
		if err = errors.Join(err, d.End()); err != nil {
			t.Fatal(err)
		}
		if again := dialect.Append(nil, got); !bytes.Equal(again, src) || got.Kind() != v.Kind() {
			t.Fatalf("%x became %x", src, again)
		}
	})
}

func anyValue(depth int) *rapid.Generator[value.Value] {
	scalars := []*rapid.Generator[value.Value]{
		rapid.Just(value.Value{}),
		rapid.Map(rapid.Bool(), value.OfBool),
		rapid.Map(rapid.Int64(), value.OfInt),
		rapid.Map(rapid.Float64(), value.OfFloat),
		rapid.Map(rapid.String(), value.OfString),
		rapid.Map(rapid.Int64Range(-1e9, 1e9), value.OfDate),
		rapid.Map(rapid.Int64Range(0, secondsPerDay*1e9-1), value.OfLocalTime),
		rapid.Map(moments(), func(t time.Time) value.Value { return value.OfLocalDateTime(t.UTC()) }),
		rapid.Map(moments(), value.OfDateTime),
		rapid.Map(rapid.Int64Range(-1e12, 1e12), func(i int64) value.Value {
			return value.OfDuration(value.Span{Months: i, Days: -i, Seconds: i / 3, Nanos: int32(uint64(i) % 1e9)})
		}),
		rapid.Map(rapid.Float64(), func(f float64) value.Value {
			return value.OfPoint(value.Place{SRID: 9157, X: f, Y: 2,
				Z: -f})
		}),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	elements := rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[value.Value] { return anyValue(depth - 1) }), 0, 20)
	maps := rapid.MapOfN(
		rapid.String(), rapid.Deferred(func() *rapid.Generator[value.Value] { return anyValue(depth - 1) }), 0, 20)
	return rapid.OneOf(append(scalars, rapid.Map(elements, value.OfList), rapid.Map(maps, value.OfMap), paths())...)
}

func moments() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		zones := []*time.Location{time.FixedZone("", -3600), zone("Europe/Berlin"), zone("America/Sao_Paulo"), zone("UTC")}
		seconds := rapid.Int64Range(-1e11, 1e11).Draw(t, "seconds")
		at := time.Unix(seconds, rapid.Int64Range(0, 1e9-1).Draw(t, "nanos")).In(rapid.SampledFrom(zones).Draw(t, "zone"))
		return shownAs(shown(at), at.Location()) // one of the two moments where a clock is put back
	})
}

func shown(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// paths walks at random over a few nodes by relationships in either direction.
func paths() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		at := rapid.Uint64Range(0, 4).Draw(t, "start")
		p := &value.PathContent{Nodes: []value.Value{node(at)}}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			to := rapid.Uint64Range(0, 4).Draw(t, "to")
			r := relationship(10*min(at, to)+max(at, to), min(at, to), max(at, to))
			p.Relationships, p.Nodes, at = append(p.Relationships, r), append(p.Nodes, node(to)), to
		}
		return value.OfPath(p)
	})
}
