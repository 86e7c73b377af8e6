package core

// Rates is how long one device takes for programs of one kind, as measured on this machine
// (host/internal/rates measures). Everything is in seconds.
type Rates struct {
	Launch float64 `json:"launch"` // until the device's process answers; a warm device takes none
	// beside launching: planning, reading, transfer, and conversion, of a matrix its building
	Load  Costs `json:"load"`
	Again Costs `json:"again"` // instead of Load, where the device is warm
	Step  Costs `json:"step"`  // each round
	// Lane is each round for each source but the first, of those that are gone through together.
	Lane Costs `json:"lane"`
	// Lanes is how many sources are gone through together, at most; 0: one, and the others follow in runs of their own.
	Lanes uint32 `json:"lanes,omitempty"`
}

// Costs is what is paid anyhow, and for each vertex, edge and cell. What does not grow with
// something has 0 for it: lists have no cells, and a matrix has few costs that grow with its edges.
type Costs struct {
	Fixed  float64 `json:"fixed"`
	Vertex float64 `json:"vertex"` // of the graph
	Edge   float64 `json:"edge"`   // in the chunks that the device is given
	Cell   float64 `json:"cell"`   // of the square matrix over the vertices that these edges join
}

// Work is what a device is asked to do.
type Work struct {
	// which it is: graphs of one size may take quite different times; 0: nobody knows
	Graph    uint64 `json:"graph,omitempty"`
	Vertices uint64 `json:"vertices"` // of the graph
	// that the device is given, as lists have them: an undirected edge twice, a directed one once
	Edges   uint64  `json:"edges"`
	Linked  uint64  `json:"linked"`            // how many vertices these edges join
	Rounds  float64 `json:"rounds"`            // as many as are expected, or were
	Sources uint64  `json:"sources,omitempty"` // how often the program is wanted, from different sources; 0: once
	Warm    bool    `json:"warm,omitempty"`    // the device's process is there, and has the chunks
}

// Seconds is how long the work is expected to take.
func (r Rates) Seconds(w Work) float64 {
	sources, together := max(1, w.Sources), max(1, uint64(r.Lanes))
	runs := (sources + together - 1) / together
	seconds := float64(runs)*w.Rounds*r.Step.Of(w) + float64(sources-runs)*w.Rounds*r.Lane.Of(w)
	if w.Warm {
		return seconds + float64(runs)*r.Again.Of(w)
	}
	return seconds + r.Launch + r.Load.Of(w) + float64(runs-1)*r.Again.Of(w)
}

// Of is what the work costs.
func (c Costs) Of(w Work) float64 {
	return c.Fixed + c.Vertex*float64(w.Vertices) + c.Edge*float64(w.Edges) + c.Cell*float64(w.Linked)*float64(w.Linked)
}
