// Package write holds the operators that change the graph.
package write

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/path"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// Entries gives the properties of what is created, or that are set.
type Entries func() ([]value.Entry, error)

// Pattern is what creates nodes, relationships and paths, in this order.
type Pattern []frame.Emit

// create makes the pattern for the row that the frame has.
func (p Pattern) create(f *frame.Frame) error {
	for _, step := range p {
		if err := step(); err != nil {
			return err
		}
	}
	return f.Tick()
}

// Create creates a pattern for each row.
func Create(f *frame.Frame, input frame.Input, p Pattern, next frame.Emit) frame.Emit {
	return input(func() error {
		if err := p.create(f); err != nil {
			return err
		}
		return next()
	})
}

// NewNode creates a node in a slot.
func NewNode(f *frame.Frame, slot int, labels []string, properties Entries) frame.Emit {
	names := frame.Names(labels)
	return func() error {
		tokens := make([]store.Token, len(names))
		for i := range names {
			tokens[i] = names[i].Make(f.Graph.NewLabel)
		}
		entries, err := properties()
		if err != nil {
			return err
		}
		id, err := f.Graph.CreateNode(tokens)
		if err != nil {
			return err
		}
		f.Counted.NodesCreated++
		f.Counted.LabelsAdded += int64(len(tokens))
		f.Row[slot] = value.OfNodeID(id)
		return setAll(f, f.Row[slot], entries)
	}
}

// NewRelationship creates a relationship in a slot, between nodes that the row has.
func NewRelationship(f *frame.Frame, slot, from, to int, typ string, properties Entries) frame.Emit {
	name := frame.NewName(typ)
	return func() error {
		start, err := endOfNew(f, from)
		if err != nil {
			return err
		}
		end, err := endOfNew(f, to)
		if err != nil {
			return err
		}
		entries, err := properties()
		if err != nil {
			return err
		}
		id, err := f.Graph.CreateRelationship(start, end, name.Make(f.Graph.NewType))
		if err != nil {
			return err
		}
		f.Counted.RelationshipsCreated++
		f.Row[slot] = value.OfRelationshipID(id)
		return setAll(f, f.Row[slot], entries)
	}
}

func endOfNew(f *frame.Frame, slot int) (uint64, error) {
	node, ok, err := entity.NodeIn(f, slot)
	if err == nil && !ok {
		err = fault.Met(fault.SemanticError, "InvalidArgumentValue",
			"a relationship can't be created where its node is null: keep such rows out, WHERE … IS NOT NULL")
	}
	return node, err
}

// NewPath joins what was created to a path in a slot.
func NewPath(f *frame.Frame, slot int, parts []int) frame.Emit {
	return func() (err error) {
		f.Row[slot], err = path.Through(f, parts)
		return err
	}
}
