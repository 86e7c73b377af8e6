package value

import (
	"math"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value/calendar"
)

func TestText(t *testing.T) {
	x := []Entry{{"x", OfInt(1)}}
	a := OfNode(&NodeContent{ID: 1, Labels: []string{"A"}, Properties: x})
	b := OfNode(&NodeContent{ID: 2, Labels: []string{"B", "my label"}})
	rel := OfRelationship(&RelationshipContent{ID: 3, Start: 1, End: 2, Type: "T", Properties: x})
	zone, err := calendar.Zone("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	moment := time.Date(2015, 7, 21, 19, 40, 32, 142e6, time.UTC)
	for _, test := range []struct {
		v    Value
		want string
	}{
		{Value{}, "null"}, {OfBool(true), "true"}, {OfInt(-1), "-1"}, {OfString("it's \\"), `'it\'s \\'`},
		{OfString("\x1b[2J\n"), `'\u001b[2J\n'`},
		{OfFloat(1), "1.0"}, {OfFloat(0.1), "0.1"}, {OfFloat(1e305), "1e305"}, {OfFloat(-1.5e-7), "-1.5e-7"},
		{OfFloat(12345678.9), "12345678.9"},
		{OfFloat(math.NaN()), "NaN"}, {OfFloat(math.Inf(-1)), "-Infinity"}, {OfFloat(math.Inf(1)), "Infinity"},
		{OfFloat(math.Copysign(0, -1)), "-0.0"},
		{list(OfInt(1), OfString("a"), Value{}), "[1, 'a', null]"},
		{OfMap(map[string]Value{"b": OfInt(1), "a c": list()}), "{`a c`: [], b: 1}"},
		{a, "(:A {x: 1})"}, {b, "(:B:`my label`)"}, {OfNode(&NodeContent{Properties: x}), "({x: 1})"},
		{OfNode(&NodeContent{}), "()"}, {OfNodeID(7), "(#7)"},
		{rel, "[:T {x: 1}]"}, {OfRelationshipID(8), "[#8]"},
		{OfPath(&PathContent{Nodes: []Value{a, b}, Relationships: []Value{rel}}),
			"<(:A {x: 1})-[:T {x: 1}]->(:B:`my label`)>"},
		{OfPath(&PathContent{Nodes: []Value{b, a}, Relationships: []Value{rel}}),
			"<(:B:`my label`)<-[:T {x: 1}]-(:A {x: 1})>"},
		{OfDate(16637), "'2015-07-21'"}, {OfDate(calendar.MinDay), "'-999999999-01-01'"},
		{OfDate(calendar.MaxDay), "'+999999999-12-31'"},
		{OfDate(-719529), "'-0001-12-31'"},
		{OfLocalTime(0), "'00:00'"}, {OfLocalTime(78032142e6), "'21:40:32.142'"}, {OfLocalTime(5), "'00:00:00.000000005'"},
		{OfTime(ZonedTime{0, -5400}), "'00:00-01:30'"}, {OfTime(ZonedTime{0, 0}), "'00:00Z'"},
		{OfLocalDateTime(moment), "'2015-07-21T19:40:32.142'"},
		{OfDateTime(moment.In(zone)), "'2015-07-21T21:40:32.142+02:00[Europe/Stockholm]'"},
		{OfDateTime(moment.In(calendar.Offset(3208))), "'2015-07-21T20:34:00.142+00:53:28'"},
		{OfDuration(Span{}), "'PT0S'"}, {OfDuration(Span{Months: 149, Days: 14, Seconds: 58390, Nanos: 1}),
			"'P12Y5M14DT16H13M10.000000001S'"},
		{OfDuration(Span{Days: 1, Seconds: -1, Nanos: 999e6}), "'P1DT-0.001S'"},
		{OfDuration(Span{Seconds: -61, Nanos: 999e6}), "'PT-1M-0.001S'"},
		{OfDuration(Span{Months: -14, Seconds: -2, Nanos: 1e6}), "'P-1Y-2MT-1.999S'"},
		{OfDuration(Span{Seconds: math.MinInt64}), "'PT-2562047788015215H-30M-8S'"},
		{OfPoint(Place{SRID: WGS84, X: 1, Y: 2.5}), "point({x: 1.0, y: 2.5, crs: 'wgs-84'})"},
		{OfPoint(Place{SRID: CartesianIn3D, X: 1, Y: 2, Z: 3}), "point({x: 1.0, y: 2.0, z: 3.0, crs: 'cartesian-3d'})"},
	} {
		if got := test.v.Text(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
