package graphs

import (
	"cmp"

	"github.com/penstock-db/penstock/store"
)

// Summary is a graph in JSON.
type Summary struct {
	Graph    string `json:"graph"`
	Snapshot uint64 `json:"snapshot"`
	store.Size
	Directed   bool   `json:"directed"`
	ChunkBytes uint64 `json:"chunk_bytes"`
	Order      string `json:"order"`
}

func summarize(m *store.Manifest, size store.Size) Summary {
	return Summary{m.Graph, m.ID, size, m.Directed, m.ChunkBytes(), cmp.Or(string(m.Order.Taken), string(store.OrderNone))}
}

// SummaryOf is a graph without changes.
func SummaryOf(m *store.Manifest) Summary { return summarize(m, sizeOf(m)) }

// sizeOf a graph without changes.
func sizeOf(m *store.Manifest) store.Size { return store.Size{Vertices: m.Vertices, Edges: m.Edges} }

func directedText(directed bool) string {
	if directed {
		return "directed"
	}
	return "undirected"
}
