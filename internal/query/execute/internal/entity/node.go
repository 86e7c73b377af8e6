package entity

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// NodeIn is the node in a slot; false: there is null.
func NodeIn(f *frame.Frame, slot int) (uint64, bool, error) {
	v := f.Row[slot]
	switch v.Kind() {
	case value.Node:
		return v.ID(), true, nil
	case value.Null:
		return 0, false, nil
	}
	return 0, false, fault.Met(fault.TypeError, "InvalidArgumentType", "a pattern has the %s %s where a node has to be",
		v.Kind(), v.Text())
}
