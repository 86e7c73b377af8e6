package message

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// OfSummary is the summary as drivers know it.
func OfSummary(s backend.Summary) []value.Entry {
	meta := []value.Entry{Text("type", s.Type)}
	if stats := counterMetadata(s.Counters); len(stats) > 0 {
		meta = append(meta, Entry("stats", value.OfEntries(stats)))
	}
	if s.Plan != nil {
		meta = append(meta, Entry(planKey(s.Plan), planMetadata(s.Plan)))
	}
	if s.Bookmark != "" {
		meta = append(meta, Text("bookmark", s.Bookmark))
	}
	return meta
}

// counterMetadata is the counters that are not 0.
func counterMetadata(c backend.Counters) []value.Entry {
	var stats []value.Entry
	for _, counter := range c.ByName() {
		if counter.Value.Int() != 0 {
			stats = append(stats, counter)
		}
	}
	if len(stats) > 0 {
		stats = append(stats, Entry("contains-updates", value.OfBool(true)))
	}
	return stats
}

// planKey is where drivers look for it.
func planKey(p *backend.Plan) string {
	if p.Profiled {
		return "profile"
	}
	return "plan"
}

func planMetadata(p *backend.Plan) value.Value {
	children := make([]value.Value, len(p.Children))
	for i, child := range p.Children {
		children[i] = planMetadata(child)
	}
	meta := []value.Entry{
		Text("operatorType", p.Operator),
		Entry("args", value.OfEntries(slices.Clone(p.Arguments))),
		Entry("identifiers", Texts(p.Columns)),
		Entry("children", value.OfList(children)),
	}
	if p.Profiled {
		meta = append(meta, Integer("rows", p.Rows))
	}
	return value.OfEntries(meta)
}

// SummaryOf reads what OfSummary writes.
func SummaryOf(meta value.Value) backend.Summary {
	s := backend.Summary{Type: TextOf(meta, "type"), Bookmark: TextOf(meta, "bookmark")}
	if stats := At(meta, "stats"); stats.Kind() == value.Map {
		s.Counters = countersOf(stats)
	}
	for _, key := range []string{"plan", "profile"} {
		if plan := At(meta, key); plan.Kind() == value.Map {
			s.Plan = planOf(plan)
		}
	}
	return s
}

func countersOf(stats value.Value) backend.Counters {
	n := func(key string) int64 { return IntegerOf(stats, key, 0) }
	return backend.Counters{
		NodesCreated: n("nodes-created"), NodesDeleted: n("nodes-deleted"),
		RelationshipsCreated: n("relationships-created"), RelationshipsDeleted: n("relationships-deleted"),
		PropertiesSet: n("properties-set"), LabelsAdded: n("labels-added"), LabelsRemoved: n("labels-removed"),
		IndexesAdded: n("indexes-added"), IndexesRemoved: n("indexes-removed"),
		ConstraintsAdded: n("constraints-added"), ConstraintsRemoved: n("constraints-removed"),
	}
}

func planOf(meta value.Value) *backend.Plan {
	p := &backend.Plan{Operator: TextOf(meta, "operatorType"), Columns: StringsOf(meta.Get("identifiers"))}
	if args := meta.Get("args"); args.Kind() == value.Map {
		p.Arguments = args.Map()
	}
	if children := meta.Get("children"); children.Kind() == value.List {
		for _, child := range children.List() {
			if child.Kind() == value.Map {
				p.Children = append(p.Children, planOf(child))
			}
		}
	}
	if rows := meta.Get("rows"); rows.Kind() == value.Int {
		p.Profiled, p.Rows = true, rows.Int()
	}
	return p
}
