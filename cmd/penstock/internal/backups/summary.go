package backups

import (
	"time"

	"github.com/penstock-db/penstock/internal/backup"
)

// summary is a backup in JSON.
type summary struct {
	File      string           `json:"file"`
	SHA256    string           `json:"sha256"`
	Bytes     int64            `json:"bytes"`
	Penstock  string           `json:"penstock"`
	Previous  *backup.Previous `json:"previous,omitempty"`
	Time      time.Time        `json:"time"`
	Values    uint64           `json:"values"`
	Inherited uint64           `json:"inherited"`
	Graphs    []graphSummary   `json:"graphs"`
}

type graphSummary struct {
	Graph    string    `json:"graph"`
	Snapshot uint64    `json:"snapshot"`
	Created  time.Time `json:"created"`
	Vertices uint64    `json:"vertices"`
	Edges    uint64    `json:"edges"`
	Commits  uint64    `json:"commits"` // since the snapshot
	Held     uint64    `json:"held"`    // of them in this file
}

func summarize(f *backup.File) summary {
	s := summary{
		File: f.Path, SHA256: f.SHA256(), Bytes: f.Size, Penstock: f.Header.Penstock, Previous: f.Header.Previous,
		Time: f.End.Time, Values: f.End.Values, Inherited: f.End.Inherited, Graphs: []graphSummary{},
	}
	for _, g := range f.Graphs() {
		m := g.Manifest
		s.Graphs = append(s.Graphs, graphSummary{m.Graph, m.ID, m.Created, m.Vertices, m.Edges, g.Commits, g.Held})
	}
	return s
}
