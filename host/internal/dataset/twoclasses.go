package dataset

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/store"
)

// ReadTwoClasses reads labels of two classes: integers, strings or truths, or two numbers.
//
// Errors: *PropertyError.
func ReadTwoClasses(ctx context.Context, snap *store.Snapshot, property string) (Targets, error) {
	t, err := ReadTargets(ctx, snap, property, false)
	if err == nil && t.Task == neural.Values && t.Width == 1 {
		t = classesOf(t)
	}
	if err == nil && (t.Task != neural.Classes || len(t.Classes) != 2) {
		err = wrong(snap, property, "has %d classes, %s; give two, such as -1 and 1", len(t.Classes), some(t.Classes))
	}
	return t, err
}

// classesOf takes numbers to be names of classes.
func classesOf(t Targets) Targets {
	found := map[float32]int{}
	for v, known := range t.Known {
		if known {
			found[t.Wanted[v]] = 0
		}
	}
	var all []float32
	for x := range found {
		all = append(all, x)
	}
	slices.Sort(all)
	t.Task, t.Classes, t.Integer = neural.Classes, nil, true
	for i, x := range all {
		found[x] = i
		t.Classes = append(t.Classes, strconv.FormatFloat(float64(x), 'g', -1, 32))
		t.Integer = t.Integer && x == float32(int32(x))
	}
	for v, known := range t.Known {
		if known {
			t.Wanted[v] = float32(found[t.Wanted[v]])
		} else {
			t.Wanted[v] = -1
		}
	}
	return t
}

// some are the first of some names.
func some(names []string) string {
	const few = 5
	if len(names) > few {
		return fmt.Sprintf("%v and others", names[:few])
	}
	return fmt.Sprint(names)
}
