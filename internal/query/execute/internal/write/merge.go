package write

import (
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Merging is what a MERGE does besides matching.
type Merging struct {
	Live              []int     // the slots that a match sets
	Properties        []Entries // of the pattern
	Pattern           Pattern
	OnCreate, OnMatch Changes
}

// Merge emits the matches of a row, or creates the pattern where there are none. It takes all matches
// of a row before it goes on: what follows may change them.
func Merge(f *frame.Frame, input, match frame.Input, m Merging, next frame.Emit) frame.Emit {
	matches := rows.Keep(f, "MERGE", m.Live)
	find := match(matches.Add)
	return input(func() error {
		defer matches.Drop()
		if err := noNulls(m.Properties); err != nil {
			return err
		}
		if err := find(); err != nil {
			return err
		}
		if matches.Len() > 0 {
			return matches.EmitAll(func() error {
				if err := m.OnMatch.apply(f); err != nil {
					return err
				}
				return next()
			})
		}
		if err := m.Pattern.create(f); err != nil {
			return err
		}
		if err := m.OnCreate.apply(f); err != nil {
			return err
		}
		return next()
	})
}

// noNulls refuses properties of a MERGE that are null: nothing could match what it creates.
func noNulls(properties []Entries) error {
	for _, entries := range properties {
		all, err := entries()
		if err != nil {
			return err
		}
		for _, e := range all {
			if e.Value.IsNull() {
				return fault.Met(fault.SemanticError, "MergeReadOwnWrites",
					"MERGE can't use null for the property %s: nothing equals null", e.Key)
			}
		}
	}
	return nil
}
