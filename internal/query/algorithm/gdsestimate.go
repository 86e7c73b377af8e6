package algorithm

import (
	"context"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/procedure"
	"github.com/penstock-db/penstock/store"
)

var gdsNeeds = []procedure.Field{
	field("nodeCount", "INTEGER"), field("relationshipCount", "INTEGER"),
	field("requiredMemory", "STRING"), field("bytesMin", "INTEGER"), field("bytesMax", "INTEGER"),
}

// estimateMemory tells what a run would take on the device: at the least, and with the whole graph at once.
func (c call) estimateMemory(ctx context.Context, g procedure.Graph, request configured,
	yield func([]value.Value) error) error {
	n, err := c.runner.Estimate(ctx, g.Name(), request.part, request.Request)
	if err != nil {
		return err
	}
	m, err := c.runner.Describe(ctx, g.Name(), request.part)
	if err != nil {
		return err
	}
	least, most := humanize.IBytes(n.Minimum), humanize.IBytes(n.Resident)
	return yield([]value.Value{value.OfInt(int64(m.Vertices)), relationshipCount(m.Edges, m.Directed),
		value.OfString("[" + least + " ... " + most + "]"), value.OfInt(int64(n.Minimum)), value.OfInt(int64(n.Resident))})
}

// estimated is an estimate of what takes memory here, and no device.
func estimated(m *store.Manifest, bytes int64) []value.Value {
	return []value.Value{value.OfInt(int64(m.Vertices)), relationshipCount(m.Edges, m.Directed),
		value.OfString(humanize.IBytes(uint64(bytes))), value.OfInt(bytes), value.OfInt(bytes)}
}

// mayTake fails where a call would take more memory than it may, which is as much as projections may.
func mayTake(name string, bytes int64, instead string) error {
	if bytes <= mostHeld {
		return nil
	}
	return fault.Met(fault.MemoryLimit, "MemoryLimit", "%s would take %s; it may take %s: %s", name,
		humanize.IBytes(uint64(bytes)), humanize.IBytes(mostHeld), instead)
}
