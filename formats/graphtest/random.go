package graphtest

import (
	"strconv"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"pgregory.net/rapid"
)

// awkward are names and texts that formats have trouble with: separators, quotes, line
// ends, names of columns that are no properties, numbers that are no integers.
var awkward = []string{
	"weight", "id", "type", "source", "labels", "a,b", "x:y", "x:int", "tab\there", "say \"so\"", "two\nlines",
	"dos\r\nline",
	" blank ", "a|b", "ünïcödé 🜚", "~id", "#", "007", "-7", "1e5", "true", "null", "\r", "'", "\\", "(a)", "=1",
}

var scalarTypes = []arrow.DataType{
	arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean, arrow.BinaryTypes.String,
	arrow.FixedWidthTypes.Date32, &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	&arrow.TimestampType{Unit: arrow.Microsecond},
}

// Random draws a small graph with properties of all types. In lists, elements are not
// null, and strings neither empty nor with a ';': CSV has no spelling for those.
func Random(t *rapid.T) *Graph {
	g := &Graph{
		NodesDeclared: rapid.Bool().Draw(t, "nodes declared"), IntegerIDs: rapid.Bool().Draw(t, "integer ids"),
		NodeLabels: rapid.Bool().Draw(t, "labels"), EdgeType: rapid.Bool().Draw(t, "types"),
		EdgeSchema: randomSchema(t),
	}
	ids := randomIDs(t, g.IntegerIDs)
	if g.NodesDeclared {
		g.NodeSchema = randomSchema(t)
		for _, id := range ids {
			n := Node{ID: id, Values: randomValues(t, g.NodeSchema)}
			if g.NodeLabels {
				n.Labels = rapid.SampledFrom([]string{"", "Person", "Person;Author", "a b", "x,y;\"z\""}).Draw(t, "labels")
			}
			g.Nodes = append(g.Nodes, n)
		}
	}
	if len(ids) == 0 {
		return g
	}
	for range rapid.IntRange(0, 20).Draw(t, "edges") {
		e := Edge{Values: randomValues(t, g.EdgeSchema)}
		e.Src, e.Dst = rapid.SampledFrom(ids).Draw(t, "source"), rapid.SampledFrom(ids).Draw(t, "target")
		if g.EdgeType {
			e.Type = rapid.SampledFrom([]string{"", "KNOWS", "has;this", "a \"b\", c"}).Draw(t, "type")
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func randomIDs(t *rapid.T, integers bool) []string {
	integer := rapid.Custom(func(t *rapid.T) string {
		return strconv.FormatInt(rapid.Int64Min(0).Draw(t, "id"), 10)
	})
	if integers {
		return rapid.SliceOfNDistinct(integer, 0, 8, rapid.ID[string]).Draw(t, "ids")
	}
	text := rapid.OneOf(integer, rapid.SampledFrom(awkward), rapid.StringN(1, 6, -1).Filter(printable))
	return rapid.SliceOfNDistinct(text, 0, 8, rapid.ID[string]).Draw(t, "ids")
}

func printable(s string) bool {
	for _, r := range s {
		if r == 0 {
			return false
		}
	}
	return true
}

func randomSchema(t *rapid.T) *arrow.Schema {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(awkward), 0, 6, rapid.ID[string]).Draw(t, "property names")
	if len(names) == 0 {
		return nil
	}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Type: rapid.SampledFrom(scalarTypes).Draw(t, "type"), Nullable: true}
		if rapid.IntRange(0, 3).Draw(t, "list") == 0 {
			fields[i].Type = arrow.ListOf(fields[i].Type)
		}
	}
	return arrow.NewSchema(fields, nil)
}

func randomValues(t *rapid.T, schema *arrow.Schema) []any {
	if schema == nil {
		return nil
	}
	values := make([]any, schema.NumFields())
	for i, f := range schema.Fields() {
		if rapid.IntRange(0, 3).Draw(t, "null") > 0 {
			values[i] = randomValue(t, f.Type)
		}
	}
	return values
}

func randomValue(t *rapid.T, data arrow.DataType) any {
	if list, ok := data.(*arrow.ListType); ok {
		values := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			values = append(values, randomElement(t, list.Elem()))
		}
		return values
	}
	switch data.ID() {
	case arrow.INT64:
		return rapid.Int64().Draw(t, "int")
	case arrow.FLOAT64:
		return rapid.Float64().Draw(t, "float")
	case arrow.BOOL:
		return rapid.Bool().Draw(t, "bool")
	case arrow.DATE32:
		return arrow.Date32(rapid.Int32Range(-700_000, 2_900_000).Draw(t, "day")) // years 53 to 9909
	case arrow.TIMESTAMP:
		const century = int64(100 * 365 * 24 * time.Hour / time.Microsecond)
		return arrow.Timestamp(rapid.Int64Range(-19*century, 80*century).Draw(t, "µs"))
	}
	return rapid.OneOf(rapid.SampledFrom(awkward), rapid.Just(""), rapid.String().Filter(printable)).Draw(t, "text")
}

func randomElement(t *rapid.T, data arrow.DataType) any {
	if data.ID() == arrow.STRING {
		return rapid.SampledFrom(awkward).Draw(t, "element")
	}
	return randomValue(t, data)
}
