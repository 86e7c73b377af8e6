package transaction

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/base"
)

// retype gives encoded columns of the base a type again where all values that there are now have the same: what reads
// numbers, such as algorithms, does not read encoded ones.
func retype(columns []compactColumn, each func(key base.Token, yield func(value.Value) bool) error) error {
	for i, c := range columns {
		if c.base == nil || !arrays.IsEncoded(c.stored) {
			continue
		}
		same := sameType{name: c.stored.Name}
		if err := each(c.key, same.takes); err != nil {
			return err
		}
		if field, ok := same.field(); ok {
			columns[i].field = field
		}
	}
	return nil
}

// sameType finds out, a piece at a time, whether values have one type that a column can have.
type sameType struct {
	name  string
	piece []value.Value
	found arrow.Field // Type is nil: of no piece so far
	mixed bool
}

// takes is false when nothing that follows can make a difference.
func (s *sameType) takes(v value.Value) bool {
	if v.IsNull() {
		return true
	}
	const piece = 1024
	if s.piece = append(s.piece, v); len(s.piece) == piece {
		s.settle()
	}
	return !s.mixed
}

func (s *sameType) settle() {
	if len(s.piece) == 0 {
		return
	}
	field := arrays.FieldFor(s.name, s.piece)
	s.piece = s.piece[:0]
	s.mixed = s.mixed || arrays.IsEncoded(field) || s.found.Type != nil && !arrow.TypeEqual(s.found.Type, field.Type)
	s.found = field
}

// field is false where types differ, and where there are no values.
func (s *sameType) field() (arrow.Field, bool) {
	s.settle()
	return s.found, !s.mixed && s.found.Type != nil
}

// nodeValues gives what nodes have of a property.
func (c *compaction) nodeValues(key base.Token, yield func(value.Value) bool) (err error) {
	for id := range c.numbers() {
		v, failed := c.tx.NodeProperty(id, key)
		if err = failed; failed != nil || !yield(v) {
			break
		}
	}
	return err
}

// edgeValues gives what relationships have of a property.
func (c *compaction) edgeValues(key base.Token, yield func(value.Value) bool) error {
	state := c.tx.State
	for id := range state.RelationshipBase {
		if !c.tx.RelationshipExists(id) {
			continue
		}
		if v, err := c.tx.RelationshipProperty(id, key); err != nil || !yield(v) {
			return err
		}
	}
	for id, r, ok := state.Relationships.Next(state.RelationshipBase); ok; id, r, ok = state.Relationships.Next(id + 1) {
		if v, err := c.tx.RelationshipProperty(id, key); !r.Deleted && (err != nil || !yield(v)) {
			return err
		}
	}
	return nil
}
