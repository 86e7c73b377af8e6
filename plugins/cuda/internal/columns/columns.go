// Package columns finds vertex columns in the arena, which have a place on the card as well.
package columns

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Column is a vertex column, on both sides.
type Column struct {
	Name  string
	Bytes []byte // in the arena
	At    uint64 // its offset in a slab of the card's memory
}

// Part is the column of some of its vertices.
func (c Column) Part(from, to uint64, of uint64) Column {
	width := uint64(len(c.Bytes)) / of
	return Column{Name: c.Name, Bytes: c.Bytes[from*width : to*width], At: c.At + from*width}
}

// Find is a column of n values as the layout has it. Its place on the card is not known yet.
func Find(job plugins.Job, layout plugins.Layout, wanted algorithms.Column, n int) (Column, error) {
	for _, c := range layout.Columns {
		if c.Name != wanted.Name || kit.Width(c.Type) != kit.Width(wanted.Type) ||
			(c.Type == algorithms.Float) != (wanted.Type == algorithms.Float) {
			continue
		}
		bytes, err := job.Arena.Bytes(c.Range)
		if err != nil {
			return Column{}, plugins.Errorf(plugins.KindInvalid, "column %q: %w", c.Name, err)
		}
		need := uint64(n) * kit.Width(c.Type)
		if uint64(len(bytes)) < need {
			return Column{}, plugins.Errorf(plugins.KindInvalid, "column %q has %d bytes for %d vertices; expected %d", c.Name,
				len(bytes), n, need)
		}
		return Column{Name: wanted.Name, Bytes: bytes[:need]}, nil
	}
	return Column{}, plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of the program's type", wanted.Name)
}
