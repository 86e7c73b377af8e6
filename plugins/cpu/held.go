package cpu

import (
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/kit"
)

// held is the chunks of a session by their numbers.
type held struct {
	graph  plugins.Graph
	chunks map[uint32]*csr.Chunk
}

func newHeld(graph plugins.Graph) held { return held{graph, map[uint32]*csr.Chunk{}} }

// Admit makes a chunk ready.
func (h held) Admit(c *kit.Chunk) error {
	r, err := csr.Open(c, h.graph)
	if err == nil {
		h.chunks[c.Number] = r
	}
	return err
}

// Evict forgets a chunk.
func (h held) Evict(c *kit.Chunk) { delete(h.chunks, c.Number) }

// of are the chunks as kernels read them.
func (h held) of(chunks []*kit.Chunk) []*csr.Chunk {
	list := make([]*csr.Chunk, 0, len(chunks))
	for _, c := range chunks {
		list = append(list, h.chunks[c.Number])
	}
	return list
}
