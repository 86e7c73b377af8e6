package backend

import "github.com/penstock-db/penstock/formats/value"

// Summary is what is to be said of a statement besides its rows.
type Summary struct {
	Type     string // "r", "w", "rw" or "s", which is a change of the schema
	Counters Counters
	Plan     *Plan  // nil: not asked for
	Bookmark string // of a statement that was a transaction of its own
}

// Counters is what a statement has changed.
type Counters struct {
	NodesCreated, NodesDeleted, RelationshipsCreated, RelationshipsDeleted int64
	PropertiesSet, LabelsAdded, LabelsRemoved                              int64
	IndexesAdded, IndexesRemoved, ConstraintsAdded, ConstraintsRemoved     int64
}

// Plan is an operator of a plan.
type Plan struct {
	Operator  string
	Arguments []value.Entry
	Columns   []string
	Children  []*Plan
	Profiled  bool // the statement has run: Rows are known
	Rows      int64
}

// ByName are the counters as drivers know them.
func (c Counters) ByName() []value.Entry {
	return []value.Entry{
		counter("nodes-created", c.NodesCreated),
		counter("nodes-deleted", c.NodesDeleted),
		counter("relationships-created", c.RelationshipsCreated),
		counter("relationships-deleted", c.RelationshipsDeleted),
		counter("properties-set", c.PropertiesSet),
		counter("labels-added", c.LabelsAdded),
		counter("labels-removed", c.LabelsRemoved),
		counter("indexes-added", c.IndexesAdded),
		counter("indexes-removed", c.IndexesRemoved),
		counter("constraints-added", c.ConstraintsAdded),
		counter("constraints-removed", c.ConstraintsRemoved),
	}
}

func counter(name string, n int64) value.Entry { return value.Entry{Key: name, Value: value.OfInt(n)} }
