package aggregate

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// groups is a table of groups by their keys, with an aggregator of every function for each. When
// memory has no room for another group, records of groups that are not there are written to
// partitions by the hash of their keys, which are worked on one by one afterwards, each with a
// table of its own (hybrid hashing: DeWitt et al., Implementation Techniques for Main Memory
// Database Systems, 1984). Half of the memory is left for what groups collect.
type groups struct {
	*Records
	own        *budget.Tally
	keys       *rows.Set
	values     []aggregator  // of each group one of every function
	partitions []*rows.Spool // nil: all groups are here
	depth      int           // of partitions of partitions
}

// A level of partitioning looks at four bits of the hash.
const partitionBits = 4

func newGroups(r *Records, depth int) *groups {
	g := &groups{Records: r, own: r.Budget.Tally("an aggregate"), depth: depth}
	g.keys = rows.NewSet(len(r.Keys), g.own)
	return g
}

// aggregatorBytes is about what an aggregator takes at first.
const aggregatorBytes = 64

// create makes a group.
func (g *groups) create(key []value.Value) (number int, err error) {
	if err := g.own.Add(aggregatorBytes * int64(len(g.functions))); err != nil {
		return 0, err
	}
	if g.values, err = budget.Grown(g.own, g.values, len(g.functions)); err != nil {
		return 0, err
	}
	if number, _, err = g.keys.Find(key); err != nil {
		return 0, err
	}
	for i := range g.functions {
		g.values = append(g.values, g.functions[i].make())
	}
	return number, nil
}

// needs is what create would charge.
func (g *groups) needs(key []value.Value) int64 {
	return aggregatorBytes*int64(len(g.functions)) + budget.Growth(g.values, len(g.functions)) + g.keys.Needs(key)
}

// full tells whether there is no room for another group: half of the limit is left for what
// groups collect, and others may have the memory.
func (g *groups) full(key []value.Value) bool {
	needs := g.needs(key)
	return !g.Budget.WithinHalf(needs) || g.own.Crowded(needs)
}

// add adds a record to its group.
func (g *groups) add(record []value.Value) error {
	if len(g.Keys) == 0 && g.len() > 0 {
		return g.addTo(0, record)
	}
	key := record[:len(g.Keys)]
	number, ok := g.keys.Lookup(key)
	if !ok {
		if g.partitions != nil || g.len() > 0 && g.depth*partitionBits < 64 && g.full(key) {
			return g.spill(record)
		}
		var err error
		if number, err = g.create(key); err != nil {
			return err
		}
	}
	return g.addTo(number, record)
}

func (g *groups) len() int { return g.keys.Len() }

func (g *groups) addTo(number int, record []value.Value) error {
	n := len(g.functions)
	for i, one := range g.values[number*n : (number+1)*n] {
		if err := g.functions[i].add(one, record, g.own); err != nil {
			return err
		}
	}
	return nil
}

// spill writes a record to its partition.
func (g *groups) spill(record []value.Value) error {
	if g.partitions == nil {
		g.partitions = make([]*rows.Spool, 1<<partitionBits)
	}
	part := &g.partitions[rows.HashRow(record[:len(g.Keys)])>>(g.depth*partitionBits)%(1<<partitionBits)]
	if *part == nil {
		var err error
		if *part, err = rows.NewSpool(g.TempDir, len(record)); err != nil {
			return err
		}
	}
	return (*part).Add(record)
}

// finish gives out the groups, unless it failed to collect them, and then those of the partitions.
func (g *groups) finish(next frame.Emit, err error) error {
	defer g.drop()
	if err == nil && len(g.Keys) == 0 && g.len() == 0 {
		_, err = g.create(nil) // there is a group also of no rows
	}
	if err == nil {
		err = g.emitAll(next)
	}
	g.own.Clear()
	g.keys, g.values = nil, nil
	for _, part := range g.partitions {
		if part != nil && err == nil {
			err = g.within(part, next)
		}
	}
	return err
}

func (g *groups) emitAll(next frame.Emit) error {
	n := len(g.functions)
	for number := range g.len() {
		for i, v := range g.keys.Row(number) {
			g.Row[g.Keys[i].Slot] = v
		}
		for i, one := range g.values[number*n : (number+1)*n] {
			v, err := one.result()
			if err != nil {
				return err
			}
			g.Row[g.Values[i].Slot] = v
		}
		if err := g.Pass(next); err != nil {
			return err
		}
	}
	return nil
}

// within gives out the groups of a partition.
func (g *groups) within(part *rows.Spool, next frame.Emit) error {
	table := newGroups(g.Records, g.depth+1)
	err := part.Rewind()
	for err == nil {
		var record []value.Value
		if record, err = part.Next(); record == nil {
			break
		}
		if err == nil {
			err = table.add(record)
		}
	}
	return table.finish(next, err)
}

func (g *groups) drop() {
	for _, part := range g.partitions {
		if part != nil {
			part.Drop()
		}
	}
	g.partitions = nil
}
