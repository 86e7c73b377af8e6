package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/store"
)

// Targets are what a model is to say of vertices.
type Targets struct {
	Task    neural.Task
	Width   int       // of what is wanted of a vertex: 1 class, as many labels as there are, or numbers
	Classes []string  // or labels, ascending; of integers, by number
	Integer bool      // Classes are integers
	Wanted  []float32 // Width of each vertex: a class or -1, 1 for a label that it has, numbers
	Known   []bool    // of which vertices something is known
}

// Outputs is how many numbers a model says of a vertex.
func (t Targets) Outputs() int {
	if t.Task == neural.Classes {
		return len(t.Classes)
	}
	return t.Width
}

// ReadTargets reads what is wanted from a property: of integers, strings or truths classes, of lists of these labels,
// of numbers with a fraction, or lists of them, values. With values, integers are numbers as well.
//
// Errors: *PropertyError.
func ReadTargets(ctx context.Context, snap *store.Snapshot, property string, values bool) (Targets, error) {
	t := Targets{Known: make([]bool, snap.Manifest().Vertices)}
	found := map[string]int{}
	list, fraction := false, false
	err := snap.NodeProperty(ctx, property, func(from uint64, block arrow.Array) error {
		l := listsOf(block)
		list = l.values != block
		text := textOf(l.values)
		_, fraction = l.values.(*array.Float64)
		if _, t.Integer = l.values.(*array.Int64); text == nil && block.Len() > 0 {
			return wrong(snap, property, "is of type %v; a model learns integers, strings, numbers, or lists of these",
				block.DataType())
		}
		for i := range block.Len() {
			if block.IsNull(i) {
				continue
			}
			v := from + uint64(i)
			t.Known[v] = true
			first, last := l.bounds(i)
			if fraction || values {
				if t.Width == 0 {
					t.Width = int(last - first)
				}
				if int(last-first) != t.Width || t.Width == 0 {
					return wrongAt(ctx, snap, property, v, "has %d numbers; others have %d", last-first, t.Width)
				}
			}
			for k := int(first); k < int(last); k++ {
				if l.values.IsNull(k) {
					return wrongAt(ctx, snap, property, v, "has an element that is null")
				}
				if !fraction && !values {
					found[text(k)] = 0
				}
			}
		}
		return nil
	})
	if err != nil {
		return t, err
	}
	if !slices.Contains(t.Known, true) {
		return t, wrong(snap, property, "has no value at any vertex: there is nothing to learn")
	}
	switch {
	case fraction || values:
		t.Task = neural.Values
	case list:
		t.Task = neural.Labels
	}
	t.number(found)
	return t, t.fill(ctx, snap, property)
}

// number gives classes their places.
func (t *Targets) number(found map[string]int) {
	for name := range found {
		t.Classes = append(t.Classes, name)
	}
	slices.SortFunc(t.Classes, func(a, b string) int {
		if t.Integer {
			x, _ := strconv.ParseInt(a, 10, 64)
			y, _ := strconv.ParseInt(b, 10, 64)
			if x != y {
				return int(max(-1, min(1, float64(x)-float64(y))))
			}
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	switch t.Task {
	case neural.Classes:
		t.Width = 1
	case neural.Labels:
		t.Width = len(t.Classes)
	}
}

// fill reads the property again.
func (t *Targets) fill(ctx context.Context, snap *store.Snapshot, property string) error {
	places := make(map[string]int, len(t.Classes))
	for i, name := range t.Classes {
		places[name] = i
	}
	t.Wanted = make([]float32, len(t.Known)*t.Width)
	return snap.NodeProperty(ctx, property, func(from uint64, block arrow.Array) error {
		l := listsOf(block)
		text, number := textOf(l.values), numberOf(l.values)
		for i := range block.Len() {
			row := t.Wanted[(int(from)+i)*t.Width:][:t.Width]
			if block.IsNull(i) {
				if t.Task == neural.Classes {
					row[0] = -1
				}
				continue
			}
			first, last := l.bounds(i)
			for k := int(first); k < int(last); k++ {
				switch t.Task {
				case neural.Classes:
					row[0] = float32(places[text(k)])
				case neural.Labels:
					row[places[text(k)]] = 1
				case neural.Values:
					if number == nil {
						return wrong(snap, property, "is of type %v, and values are numbers", block.DataType())
					}
					if row[k-int(first)] = float32(number(k)); math.IsNaN(number(k)) || math.IsInf(float64(float32(number(k))), 0) {
						return wrongAt(ctx, snap, property, from+uint64(i), "is not a finite number")
					}
				}
			}
		}
		return nil
	})
}

// textOf reads a value as the name of a class; nil: values of this type have none.
func textOf(values arrow.Array) func(i int) string {
	switch a := values.(type) {
	case *array.String:
		return a.Value
	case *array.Int64:
		return func(i int) string { return strconv.FormatInt(a.Value(i), 10) }
	case *array.Boolean:
		return func(i int) string { return strconv.FormatBool(a.Value(i)) }
	case *array.Float64:
		return func(i int) string { return fmt.Sprint(a.Value(i)) }
	}
	return nil
}
