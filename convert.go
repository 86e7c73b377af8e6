package penstock

import (
	"math"
	"reflect"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/formats/value/calendar"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// maxDepth bounds how deeply parameters are nested; a map that contains itself has no end.
const maxDepth = 1000

// parametersOf are the values of a statement's parameters.
func parametersOf(parameters map[string]any) (map[string]value.Value, error) {
	values := make(map[string]value.Value, len(parameters))
	for name, given := range parameters {
		v, err := valueOf(given, maxDepth)
		if err != nil {
			return nil, fault.Met(fault.TypeError, "InvalidParameter", "parameter $%s: %v", name, err)
		}
		values[name] = v
	}
	return values, nil
}

// valueOf is a value as statements have it.
func valueOf(given any, depth int) (value.Value, error) {
	switch given := given.(type) {
	case nil:
		return value.Value{}, nil
	case time.Time:
		_, err := dayOf(given)
		return value.OfDateTime(given), err
	case Date:
		day, err := dayOf(time.Time(given))
		return value.OfDate(day), err
	case LocalDateTime:
		t := time.Time(given)
		_, err := dayOf(t)
		_, offset := t.Zone()
		return value.OfLocalDateTime(t.UTC().Add(time.Duration(offset) * time.Second)), err
	case LocalTime:
		return value.OfLocalTime(int64(given)), checkTime(given)
	case OffsetTime:
		return offsetTime(given)
	case Duration:
		return durationValue(given)
	case Point:
		p := value.Place(given)
		if p.System() == "" {
			return value.Value{}, refused("%d is no coordinate system: 4326, 4979, 7203 and 9157 are", p.SRID)
		}
		return value.OfPoint(p), nil
	}
	return plainValue(reflect.ValueOf(given), depth)
}

// plainValue is a value of Go's own kinds.
func plainValue(given reflect.Value, depth int) (value.Value, error) {
	switch given.Kind() {
	case reflect.Bool:
		return value.OfBool(given.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.OfInt(given.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if given.Uint() > math.MaxInt64 {
			return value.Value{}, refused("%d is above the largest integer, %d", given.Uint(), math.MaxInt64)
		}
		return value.OfInt(int64(given.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return value.OfFloat(given.Float()), nil
	case reflect.String:
		return value.OfString(given.String()), nil
	}
	if depth == 0 {
		return value.Value{}, refused("it is nested more than %d levels deep", maxDepth)
	}
	switch {
	case given.Kind() == reflect.Slice || given.Kind() == reflect.Array:
		return listValue(given, depth)
	case given.Kind() == reflect.Map && given.Type().Key().Kind() == reflect.String:
		return mapValue(given, depth)
	}
	return value.Value{}, refused("%s is no type of a parameter", given.Type())
}

func listValue(given reflect.Value, depth int) (value.Value, error) {
	elements := make([]value.Value, given.Len())
	for i := range elements {
		var err error
		if elements[i], err = valueOf(given.Index(i).Interface(), depth-1); err != nil {
			return value.Value{}, err
		}
	}
	return value.OfList(elements), nil
}

func mapValue(given reflect.Value, depth int) (value.Value, error) {
	entries := make([]value.Entry, 0, given.Len())
	for key, element := range given.Seq2() {
		v, err := valueOf(element.Interface(), depth-1)
		if err != nil {
			return value.Value{}, err
		}
		entries = append(entries, value.Entry{Key: key.String(), Value: v})
	}
	return value.OfEntries(entries), nil
}

func refused(format string, args ...any) error {
	return fault.Met(fault.TypeError, "InvalidParameter", format, args...)
}

// dayOf is the day that a time shows, from 1970-01-01 on; years have at most 9 digits.
func dayOf(t time.Time) (int64, error) {
	return calendar.DayOf(int64(t.Year()), int64(t.Month()), int64(t.Day()))
}

func checkTime(t LocalTime) error {
	if t < 0 || time.Duration(t) >= 24*time.Hour {
		return refused("%v is no time of day", time.Duration(t))
	}
	return nil
}

func offsetTime(t OffsetTime) (value.Value, error) {
	const most = 18 * 60 * 60
	if t.Offset < -most || t.Offset > most {
		return value.Value{}, refused("an offset of %d seconds is more than 18 hours", t.Offset)
	}
	return value.OfTime(value.ZonedTime{Nanos: int64(t.Time), Offset: int32(t.Offset)}), checkTime(t.Time)
}

func durationValue(d Duration) (value.Value, error) {
	if d.Nanos < 0 || d.Nanos >= 1e9 {
		return value.Value{}, refused("%d nanoseconds of a duration: they are 0 to 999,999,999", d.Nanos)
	}
	return value.OfDuration(value.Span{Months: d.Months, Days: d.Days, Seconds: d.Seconds, Nanos: int32(d.Nanos)}), nil
}

func anysOf(values []value.Value) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = anyOf(v)
	}
	return all
}

// anyOf is a statement's value as Rows.Values has it.
func anyOf(v value.Value) any {
	switch v.Kind() {
	case value.Bool:
		return v.Bool()
	case value.Int:
		return v.Int()
	case value.Float:
		return v.Float()
	case value.String:
		return v.Str()
	case value.List:
		return anysOf(v.List())
	case value.Map:
		return properties(v.Map())
	case value.Node:
		return nodeOf(v)
	case value.Relationship:
		return relationshipOf(v)
	case value.Path:
		return pathOf(v.Path())
	default:
		return temporalOf(v)
	}
}

// temporalOf is a value of time or space; of null, nil.
func temporalOf(v value.Value) any {
	switch v.Kind() {
	case value.Date:
		return Date(time.Unix(v.Days()*24*60*60, 0).UTC())
	case value.LocalTime:
		return LocalTime(v.Nanos())
	case value.Time:
		t := v.Time()
		return OffsetTime{Time: LocalTime(t.Nanos), Offset: int(t.Offset)}
	case value.LocalDateTime:
		return LocalDateTime(v.DateTime())
	case value.DateTime:
		return v.DateTime()
	case value.Duration:
		d := v.Duration()
		return Duration{Months: d.Months, Days: d.Days, Seconds: d.Seconds, Nanos: int(d.Nanos)}
	case value.Point:
		return Point(v.Point())
	default:
		return nil
	}
}

func nodeOf(v value.Value) Node {
	n := v.Node()
	return Node{ID: n.ID, Labels: n.Labels, Properties: properties(n.Properties)}
}

func relationshipOf(v value.Value) Relationship {
	r := v.Relationship()
	return Relationship{ID: r.ID, Start: r.Start, End: r.End, Type: r.Type, Properties: properties(r.Properties)}
}

func pathOf(p *value.PathContent) Path {
	path := Path{Nodes: make([]Node, len(p.Nodes)), Relationships: make([]Relationship, len(p.Relationships))}
	for i, n := range p.Nodes {
		path.Nodes[i] = nodeOf(n)
	}
	for i, r := range p.Relationships {
		path.Relationships[i] = relationshipOf(r)
	}
	return path
}

func properties(entries []value.Entry) map[string]any {
	m := make(map[string]any, len(entries))
	for _, e := range entries {
		m[e.Key] = anyOf(e.Value)
	}
	return m
}
