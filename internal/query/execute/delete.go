package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
	"github.com/penstock-db/penstock/store"
)

// delete deletes what expressions give. Whether a node still has relationships is looked at when
// the statement ends: it may delete these later.
func (b *builder) delete(o *plan.Delete, next emit) emit {
	expressions, f := b.expressions(o.Expressions), b.frame
	return b.operator(o.Input, func() error {
		for _, expression := range expressions {
			v, err := expression()
			if err != nil {
				return err
			}
			if err := f.remove(v, o.Detach); err != nil {
				return err
			}
		}
		if err := f.tick(); err != nil {
			return err
		}
		return next()
	})
}

func (f *frame) remove(v value.Value, detach bool) error {
	switch v.Kind() {
	case value.Null:
		return nil
	case value.Node:
		return f.removeNode(v.ID(), detach)
	case value.Relationship:
		return f.removeRelationship(v.ID())
	case value.Path:
		return f.removePath(v.Path(), detach)
	}
	return fault.Met(fault.TypeError, "InvalidArgumentType", "DELETE takes nodes, relationships and paths, not the %s %s", v.Kind(), v.Text())
}

func (f *frame) removePath(p *value.PathContent, detach bool) error {
	for _, all := range [][]value.Value{p.Relationships, p.Nodes} {
		for _, v := range all {
			if err := f.remove(v, detach); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *frame) removeRelationship(rel uint64) error {
	if !f.graph.RelationshipExists(rel) {
		return nil // it has been deleted already
	}
	start, end, typ, err := f.graph.Ends(rel)
	if err != nil {
		return err
	}
	if f.deleted == nil {
		f.deleted = map[uint64]ends{}
	}
	f.deleted[rel] = ends{start, end, typ}
	f.counters.RelationshipsDeleted++
	return f.graph.DeleteRelationship(rel)
}

func (f *frame) removeNode(node uint64, detach bool) error {
	if !f.graph.NodeExists(node) {
		return nil
	}
	if detach {
		if err := f.detach(node); err != nil {
			return err
		}
	}
	f.counters.NodesDeleted++
	return f.graph.DeleteNode(node)
}

func (f *frame) detach(node uint64) error {
	var rels []uint64
	err := f.graph.Expand(node, store.Both, nil, func(rel, _ uint64) bool {
		rels = append(rels, rel)
		return true
	})
	for i := 0; i < len(rels) && err == nil; i++ {
		err = f.removeRelationship(rels[i])
	}
	return err
}
