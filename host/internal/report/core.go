package report

import "github.com/penstock-db/penstock/internal/core"

// CoreReport says which dense core a run on two devices has had, and what came of it.
type CoreReport struct {
	Rule     string  `json:"rule"` // by which it was chosen; "none": the first device had better be alone
	Vertices uint64  `json:"vertices"`
	Edges    uint64  `json:"edges"`   // inside, as lists have them: an undirected edge twice
	Density  float64 `json:"density"` // of the matrix that they make
	Settled  bool    `json:"settled"` // each device by itself, in between; else both in step
	// Merges is how often one device took what the other had found, Useful how often a device had something to send only
	// then; in step that is not looked at.
	Merges int `json:"merges"`
	Useful int `json:"useful,omitempty"`
	// Alone is what became of the second device, so that the first had to finish alone.
	Alone string `json:"alone,omitempty"`
	// Options are what was looked at, the best first; Without is how many seconds the run was expected to take on the
	// first device alone. 0: nothing is known of the devices' rates.
	Options []core.Option `json:"options,omitempty"`
	Without float64       `json:"without,omitempty"`
}
