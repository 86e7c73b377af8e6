// Package result ends a run: it checks that the program has a result, copies it out of the arena, and reports what the
// run did. No slice of the arena leaves.
package result

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Collect copies the results of a plan out of the arena, after this last iteration.
func Collect(p *plan.Plan, memory *arena.Arena, final plugins.Iteration) (all []algorithms.Values, err error) {
	if err := diverged(p, memory, final); err != nil {
		return nil, err
	}
	for lane, suffix := range p.Suffixes() {
		columns, err := copyResults(p, memory, suffix)
		if err != nil {
			return nil, err
		}
		if p.Finite {
			if err := algorithms.CheckFinite(p.Task.Procedure, columns); err != nil {
				return nil, err
			}
		}
		for i := range columns {
			if len(p.Sources) > 0 {
				columns[i].Name = plan.FromSource(columns[i].Name, p.Sources[lane])
			}
		}
		all = append(all, columns...)
	}
	return all, nil
}

// CollectRows copies the rows of a plan that the device has filled out of the arena.
func CollectRows(p *plan.Plan, memory *arena.Arena) (map[string][]float32, error) {
	all := map[string][]float32{}
	for _, r := range p.Task.Layout.Rows {
		if r.Given || r.Kept || r.Room {
			continue
		}
		numbers, err := memory.Float32s(r.Range)
		if err != nil {
			return nil, err
		}
		all[r.Name] = slices.Clone(numbers)
	}
	return all, nil
}

// copyResults copies the results out of the columns with this suffix.
func copyResults(p *plan.Plan, memory *arena.Arena, suffix string) (all []algorithms.Values, err error) {
	columns := p.Task.Layout.Columns
	rows := 0
	for place, want := range p.Results {
		i := slices.IndexFunc(columns, func(c plugins.VertexColumn) bool { return c.Name == want.Name+suffix })
		if i < 0 {
			return nil, fmt.Errorf("its result %q is no column of its state", want.Name)
		}
		column := columns[i]
		if p.Shape == algorithms.OfRows { // what is behind the last row is not read
			if place == 0 {
				if rows, err = filled(memory, column); err != nil {
					return nil, err
				}
			}
			column.Range.Length = uint64(rows*want.Per()) * plan.Width(want.Type)
		}
		values, err := CopyColumn(memory, column)
		if err != nil {
			return nil, err
		}
		values.Column = want
		all = append(all, values)
	}
	if p.Finish != nil {
		p.Finish(all)
	}
	return all, nil
}

// filled is how many rows the device has filled of a table, by its first column.
func filled(memory *arena.Arena, first plugins.VertexColumn) (int, error) {
	values, err := memory.Int64s(first.Range)
	return algorithms.Filled(values), err
}

// CopyColumn copies a vertex column out of the arena.
func CopyColumn(memory *arena.Arena, c plugins.VertexColumn) (v algorithms.Values, err error) {
	switch c.Type {
	case algorithms.Float:
		v.Floats, err = memory.Float64s(c.Range)
		v.Floats = slices.Clone(v.Floats)
	case algorithms.Bool:
		var bytes []byte
		bytes, err = memory.Bytes(c.Range)
		v.Bools = make([]bool, len(bytes))
		for i, b := range bytes {
			v.Bools[i] = b != 0
		}
	default:
		v.Ints, err = memory.Int64s(c.Range)
		v.Ints = slices.Clone(v.Ints)
	}
	return v, err
}

// converged tells a run that ended by its own rule from one that reached its bound. A
// device only says that there is nothing more to do.
func converged(p *plan.Plan, final plugins.Iteration) bool {
	program := p.Task.Program
	if program == nil {
		return true
	}
	settled := program.Norm != algorithms.NoNorm && final.Number > 0 && final.Change <= program.Tolerance
	return settled || final.Active == 0
}

// diverged is the error of a program that has no result unless it converges, or of a procedure that has found a cycle.
func diverged(p *plan.Plan, memory *arena.Arena, final plugins.Iteration) error {
	program := p.Task.Program
	if program == nil && final.Cycle != nil {
		return &algorithms.DivergedError{Program: p.Task.Procedure, Meaning: cmp.Or(p.Diverged, "a cycle is in the way")}
	}
	if program == nil || program.Diverged == "" && !program.Finite {
		return nil
	}
	for lane := range p.Suffixes() {
		first := p.Task.Layout.Columns[p.Inputs()+lane*len(program.State)]
		values := algorithms.Values{Column: first.Column}
		if first.Type == algorithms.Float {
			var err error
			if values.Floats, err = memory.Float64s(first.Range); err != nil {
				return err
			}
		}
		if err := program.Divergence(values, final.Number, converged(p, final)); err != nil {
			return err
		}
	}
	return nil
}
