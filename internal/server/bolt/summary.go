package bolt

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

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

// metadata is the summary as drivers know it.
func (s Summary) metadata() []value.Entry {
	meta := []value.Entry{text("type", s.Type)}
	if stats := s.Counters.metadata(); len(stats) > 0 {
		meta = append(meta, entry("stats", value.OfEntries(stats)))
	}
	if s.Plan != nil {
		meta = append(meta, entry(s.Plan.key(), s.Plan.metadata()))
	}
	if s.Bookmark != "" {
		meta = append(meta, text("bookmark", s.Bookmark))
	}
	return meta
}

// metadata is the counters that are not 0.
func (c Counters) metadata() []value.Entry {
	var stats []value.Entry
	for _, counter := range c.ByName() {
		if counter.Value.Int() != 0 {
			stats = append(stats, counter)
		}
	}
	if len(stats) > 0 {
		stats = append(stats, entry("contains-updates", value.OfBool(true)))
	}
	return stats
}

// ByName are the counters as drivers know them.
func (c Counters) ByName() []value.Entry {
	return []value.Entry{
		integer("nodes-created", c.NodesCreated),
		integer("nodes-deleted", c.NodesDeleted),
		integer("relationships-created", c.RelationshipsCreated),
		integer("relationships-deleted", c.RelationshipsDeleted),
		integer("properties-set", c.PropertiesSet),
		integer("labels-added", c.LabelsAdded),
		integer("labels-removed", c.LabelsRemoved),
		integer("indexes-added", c.IndexesAdded),
		integer("indexes-removed", c.IndexesRemoved),
		integer("constraints-added", c.ConstraintsAdded),
		integer("constraints-removed", c.ConstraintsRemoved),
	}
}

// key is where drivers look for it.
func (p *Plan) key() string {
	if p.Profiled {
		return "profile"
	}
	return "plan"
}

func (p *Plan) metadata() value.Value {
	children := make([]value.Value, len(p.Children))
	for i, child := range p.Children {
		children[i] = child.metadata()
	}
	meta := []value.Entry{
		text("operatorType", p.Operator),
		entry("args", value.OfEntries(slices.Clone(p.Arguments))),
		entry("identifiers", texts(p.Columns)),
		entry("children", value.OfList(children)),
	}
	if p.Profiled {
		meta = append(meta, integer("rows", p.Rows))
	}
	return value.OfEntries(meta)
}
