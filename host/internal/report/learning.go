package report

import "github.com/penstock-db/penstock/plugins"

// Learning is how a procedure learned.
type Learning struct {
	Epochs  []Epoch  `json:"epochs"`
	Workers []Worker `json:"workers"`
}

// Epoch is one that has ended.
type Epoch struct {
	Number  int     `json:"number"` // from 1
	Loss    float64 `json:"loss"`
	Seconds float64 `json:"seconds"` // that it took
}

// Worker is what one worker has done. See plugins.Work.
type Worker struct {
	Edges       uint64  `json:"edges"`
	Masters     uint64  `json:"masters"`
	Mirrors     uint64  `json:"mirrors"`
	LeftMasters uint64  `json:"left_masters"`
	LeftMirrors uint64  `json:"left_mirrors"`
	Clocks      uint64  `json:"clocks"`
	Pushed      uint64  `json:"bytes_pushed"`
	Pulled      uint64  `json:"bytes_pulled"`
	Waited      float64 `json:"seconds_waited"`
	Ahead       uint64  `json:"clocks_ahead"`
	// Timeline is its first clocks, if it was asked for.
	Timeline []plugins.Span `json:"-"`
}
