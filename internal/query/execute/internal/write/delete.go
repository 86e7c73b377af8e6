package write

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// Delete deletes what expressions give. Whether a node still has relationships is looked at when
// the statement ends: it may delete these later.
func Delete(f *frame.Frame, input frame.Input, expressions []expression.Evaluator, detach bool,
	next frame.Emit) frame.Emit {
	return input(func() error {
		for _, expression := range expressions {
			v, err := expression()
			if err != nil {
				return err
			}
			if err := remove(f, v, detach); err != nil {
				return err
			}
		}
		if err := f.Tick(); err != nil {
			return err
		}
		return next()
	})
}

func remove(f *frame.Frame, v value.Value, detach bool) error {
	switch v.Kind() {
	case value.Null:
		return nil
	case value.Node:
		return removeNode(f, v.ID(), detach)
	case value.Relationship:
		return removeRelationship(f, v.ID())
	case value.Path:
		return removePath(f, v.Path(), detach)
	}
	return fault.Met(fault.TypeError, "InvalidArgumentType", "DELETE takes nodes, relationships and paths, not the %s %s",
		v.Kind(), v.Text())
}

func removePath(f *frame.Frame, p *value.PathContent, detach bool) error {
	for _, all := range [][]value.Value{p.Relationships, p.Nodes} {
		for _, v := range all {
			if err := remove(f, v, detach); err != nil {
				return err
			}
		}
	}
	return nil
}

func removeRelationship(f *frame.Frame, rel uint64) error {
	if !f.Graph.RelationshipExists(rel) {
		return nil // it has been deleted already
	}
	return f.DeleteRelationship(rel)
}

func removeNode(f *frame.Frame, node uint64, detach bool) error {
	if !f.Graph.NodeExists(node) {
		return nil
	}
	if detach {
		if err := detachAll(f, node); err != nil {
			return err
		}
	}
	f.Counted.NodesDeleted++
	return f.Graph.DeleteNode(node)
}

// detachAll deletes the relationships of a node.
func detachAll(f *frame.Frame, node uint64) error {
	var rels []uint64
	err := f.Graph.Expand(node, store.Both, nil, func(rel, _ uint64) bool {
		rels = append(rels, rel)
		return true
	})
	for i := 0; i < len(rels) && err == nil; i++ {
		err = removeRelationship(f, rels[i])
	}
	return err
}
