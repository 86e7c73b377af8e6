package snapshot

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// Relationships goes over all relationships, by the dense ids of their ends, with what each has of a property; "": of
// none. The type may be "". An undirected one comes twice, once from each end, unless it is a loop.
//
// Errors: *failure.UnknownPropertyError, *failure.DamagedError, and yield's.
func (s *Snapshot) Relationships(ctx context.Context, property string,
	yield func(from, to uint64, typ string, v value.Value) error) error {
	source := s.Source(nil)
	if property != "" && !slices.Contains(propertyNames(s.manifest.EdgeProperties), property) {
		return &failure.UnknownPropertyError{Graph: s.manifest.Graph, Kind: "edge", Name: property,
			Known: propertyNames(s.manifest.EdgeProperties)}
	}
	return source.Edges(ctx, func(b *formats.EdgeBatch) error {
		read := arrays.Reader(func(int) value.Value { return value.Value{} })
		if b.Props != nil {
			for i, field := range b.Props.Schema().Fields() {
				if field.Name == property {
					read, _ = arrays.NewReader(field, b.Props.Column(i))
				}
			}
		}
		if read == nil {
			return s.Mistyped("edge property " + property)
		}
		for i := range b.Src.Len() {
			from, to, typ, v := uint64(b.SrcNumbers[i]), uint64(b.DstNumbers[i]), "", read(i)
			if b.Types != nil {
				typ = b.Types[i]
			}
			err := yield(from, to, typ, v)
			if err == nil && !s.manifest.Directed && from != to {
				err = yield(to, from, typ, v)
			}
			if err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}
