package query

import (
	"time"

	"github.com/penstock-db/penstock/internal/query/execute"
)

// Summary is what a statement has done.
type Summary struct {
	Counters execute.Counters
	Writes   bool
	Schema   bool          // it has changed indexes or constraints
	Plan     string        // of EXPLAIN and PROFILE
	Took     time.Duration // until the last row
}

// Change says how often something was changed.
type Change struct {
	Name  string // "nodes created"
	Count int64
}

// Changes lists what the statement has changed.
func (s Summary) Changes() []Change {
	c := s.Counters
	var changes []Change
	for _, change := range []Change{
		{"nodes created", c.NodesCreated}, {"nodes deleted", c.NodesDeleted},
		{"relationships created", c.RelationshipsCreated}, {"relationships deleted", c.RelationshipsDeleted},
		{"properties set", c.PropertiesSet}, {"labels added", c.LabelsAdded}, {"labels removed", c.LabelsRemoved},
	} {
		if change.Count > 0 {
			changes = append(changes, change)
		}
	}
	return changes
}
