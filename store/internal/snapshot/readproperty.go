package snapshot

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// NodeProperty reads a node property block by block: yield is told the dense id of
// the first value, and may use values until it returns.
//
// Errors: *UnknownPropertyError, *DamagedError.
func (s *Snapshot) NodeProperty(ctx context.Context, name string,
	yield func(from uint64, values arrow.Array) error) error {
	p, ok := s.manifest.NodeProperty(name)
	if !ok {
		return &failure.UnknownPropertyError{Graph: s.manifest.Graph, Kind: "node", Name: name,
			Known: propertyNames(s.manifest.NodeProperties)}
	}
	return s.scan(ctx, manifest.NamedColumn{Column: &p.Column, Name: name}, 0, s.manifest.Vertices, yield)
}

// NodeValues reads a node property value by value, in the order of dense ids; null where a node has none.
//
// Errors: those of NodeProperty.
func (s *Snapshot) NodeValues(ctx context.Context, name string, yield func(dense uint64, v value.Value) error) error {
	return s.NodeProperty(ctx, name, func(from uint64, block arrow.Array) error {
		p, _ := s.manifest.NodeProperty(name)
		field, err := p.Field()
		if err != nil {
			return err
		}
		read, ok := arrays.NewReader(field, block)
		if !ok {
			return s.Mistyped("property " + name)
		}
		for i := range block.Len() {
			if err := yield(from+uint64(i), read(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

func propertyNames(properties []manifest.Property) []string {
	names := make([]string, len(properties))
	for i, p := range properties {
		names[i] = p.Name
	}
	return names
}
