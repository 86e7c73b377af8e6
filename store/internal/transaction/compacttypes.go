package transaction

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/base"
)

// retype gives columns that would be encoded a type where one holds all values that there are now: what reads numbers,
// such as algorithms, does not read encoded ones. A column of integers and floats may have become one of either.
func retype(columns []compactColumn, each func(key base.Token, yield func(value.Value) bool) error) error {
	for i, c := range columns {
		if !arrays.IsEncoded(c.field) && !arrays.IsNumbers(c.field) {
			continue
		}
		common := commonType{name: c.field.Name}
		if err := each(c.key, common.takes); err != nil {
			return err
		}
		if field, ok := common.field(); ok {
			columns[i].field = field
		}
	}
	return nil
}

// commonType finds out, a piece at a time, whether there is a type that holds all values.
type commonType struct {
	name  string
	piece []value.Value
	left  []arrow.Field // those that hold all pieces so far
	begun bool          // there was a piece
}

// takes is false when nothing that follows can make a difference.
func (c *commonType) takes(v value.Value) bool {
	if v.IsNull() {
		return true
	}
	const piece = 1024
	if c.piece = append(c.piece, v); len(c.piece) == piece {
		c.settle()
	}
	return !c.begun || len(c.left) > 0
}

func (c *commonType) settle() {
	if len(c.piece) == 0 {
		return
	}
	if !c.begun {
		c.begun, c.left = true, arrays.Candidates(c.name, c.piece)
	}
	c.left = slices.DeleteFunc(c.left, func(field arrow.Field) bool { return !arrays.Holds(field, c.piece) })
	c.piece = c.piece[:0]
}

// field is the plainest that is left; false where there is none, and where there are no values.
func (c *commonType) field() (arrow.Field, bool) {
	if c.settle(); len(c.left) == 0 {
		return arrow.Field{}, false
	}
	return c.left[0], true
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
