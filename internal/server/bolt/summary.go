package bolt

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

// summaryMetadata is the summary as drivers know it.
func summaryMetadata(s backend.Summary) []value.Entry {
	meta := []value.Entry{text("type", s.Type)}
	if stats := counterMetadata(s.Counters); len(stats) > 0 {
		meta = append(meta, entry("stats", value.OfEntries(stats)))
	}
	if s.Plan != nil {
		meta = append(meta, entry(planKey(s.Plan), planMetadata(s.Plan)))
	}
	if s.Bookmark != "" {
		meta = append(meta, text("bookmark", s.Bookmark))
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
		stats = append(stats, entry("contains-updates", value.OfBool(true)))
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
