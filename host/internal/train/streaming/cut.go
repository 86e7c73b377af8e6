package streaming

import (
	"context"
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/plugins"
)

// Source is where the lists of an end come from.
type Source struct {
	Supply *supply.Supply
	Chunks []plan.Chunk
	// Without are edges that are in no cell; nil: all are.
	Without *dataset.HeldOut
}

// cutting cuts the lists at an end into cells.
type cutting struct {
	network *plugins.Network
	layout  Layout
	names   []string // of edge properties
	filters func(some []uint32, all int) bool
	cells   *Cells
	counts  []uint32 // of each vertex, edges to the interval
	places  []uint32 // of each vertex its place among the sources of a cell
	valid   []uint32 // vertices that have an edge to the interval
	buf     []byte
}

// Cut cuts all lists, interval by interval; a chunk with rows of several is looked at for each. Where filters says so
// of the vertices that have an edge to an interval, among all, its cells have these as sources, wherever they are; else
// all vertices. Degrees are those of lists with loops, if a model wants them, of vertices at each end.
func Cut(ctx context.Context, network *plugins.Network, layout Layout, passes []Stages, d Degrees,
	sources [2]*Source, filters func(some []uint32, all int) bool) (cells *Cells, degrees [2][]float32, err error) {
	if cells, err = newCells(); err != nil {
		return nil, degrees, err
	}
	c := &cutting{network: network, layout: layout, names: dataflow.EdgeProperties(network.Values), filters: filters,
		cells: cells, counts: make([]uint32, len(d.Of[0])), places: make([]uint32, len(d.Of[0]))}
	cells.shared = sources[dataflow.AtTarget] == sources[dataflow.AtSource]
	for end, source := range sources {
		if source == nil {
			continue
		}
		if cells.shared && dataflow.End(end) == dataflow.AtSource {
			degrees[end] = degrees[dataflow.AtTarget]
			continue
		}
		needed := GathersAt(passes, dataflow.End(end)) || cells.shared
		for i, of := range layout.Columns[end] {
			lists, err := ReadLists(ctx, source, of, d.Of[end], c.names, network.SelfLoops)
			if err == nil && needed {
				err = c.cut(dataflow.End(end), i, lists)
			}
			if err != nil {
				cells.Close()
				return nil, degrees, err
			}
			degrees[end] = append(degrees[end], lists.Degrees()...)
		}
	}
	return cells, degrees, nil
}

// GathersAt says whether a pass gathers at an end.
func GathersAt(passes []Stages, end dataflow.End) bool {
	for _, p := range passes {
		for _, stage := range p.All() {
			for wave := range stage.Waves {
				if stage.Gathers(wave) && stage.End == end {
					return true
				}
			}
		}
	}
	return false
}

// ReadLists reads those of an interval, of all vertices with such degrees.
func ReadLists(ctx context.Context, from *Source, of chunk.Interval, degrees []int64, names []string, selfLoops bool) (
	l adjacency.Lists, err error) {
	b := adjacency.NewBuilder(uint32(of.Base), degrees[of.Base:of.End()], names, selfLoops)
	for i, each := range from.Chunks {
		if each.Info.Rows.Base >= of.End() || each.Info.Rows.End() <= of.Base {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return l, err
		}
		view, _, err := from.Supply.View(ctx, i)
		if err == nil && from.Without != nil {
			if view, err = from.Without.Cut(view); err == nil {
				err = take(b, of, view, names)
				view.Release()
			}
		} else if err == nil {
			err = take(b, of, view, names)
		}
		if err != nil {
			return l, err
		}
	}
	return b.Complete()
}

// take adds the rows of a chunk that are in an interval.
func take(b *adjacency.Builder, of chunk.Interval, view *chunk.Chunk, names []string) error {
	columns := make([][]float64, len(names))
	for i, name := range names {
		numbers, ok := view.Float64s(name)
		if !ok {
			return fmt.Errorf("chunk: edge property %q has no numbers", name)
		}
		columns[i] = numbers
	}
	at, base := 0, uint32(view.Meta().Cols.Base)
	properties := make([][]float64, len(names))
	for v, list := range view.Lists() {
		from := at
		at += len(list)
		if v < of.Base || v >= of.End() {
			continue
		}
		for i := range columns {
			properties[i] = columns[i][from:at]
		}
		if !b.Add(int(v-of.Base), base, list, properties) {
			return fmt.Errorf("chunk: vertex %d has more edges than its degree says", v)
		}
	}
	return nil
}

// cut makes the cells of an interval: sources in ascending order, as many as a cell may have, with as many edges.
func (c *cutting) cut(end dataflow.End, interval int, l adjacency.Lists) error {
	clear(c.counts)
	for _, u := range l.Others {
		c.counts[u]++
	}
	c.valid = c.valid[:0]
	for u, count := range c.counts {
		if count > 0 {
			c.valid = append(c.valid, uint32(u))
		}
	}
	filtered := c.filters(c.valid, len(c.counts))
	if filtered {
		c.cells.Filtered++
	}
	next := make([]int64, len(l.Offsets)-1) // of each row the first edge that is in no cell
	copy(next, l.Offsets)
	sources, edges := make([]uint32, 0, min(c.layout.Sources, len(c.counts))), 0
	flush := func() error {
		if edges == 0 && len(sources) == 0 {
			return nil
		}
		err := c.write(end, interval, l, next, sources, edges)
		sources, edges = sources[:0], 0
		return err
	}
	for u, count := range c.counts {
		if count == 0 && filtered {
			continue
		}
		if int(count) > c.layout.Edges {
			return fmt.Errorf("cells: vertex %d has %d edges to interval %d, and a cell has room for %d: give more device "+
				"memory", u, count, interval, c.layout.Edges)
		}
		if len(sources) == c.layout.Sources || edges+int(count) > c.layout.Edges {
			if err := flush(); err != nil {
				return err
			}
		}
		sources, edges = append(sources, uint32(u)), edges+int(count)
	}
	if err := flush(); err != nil {
		return err
	}
	for len(c.cells.columns[end]) <= interval { // it has none
		c.cells.columns[end] = append(c.cells.columns[end], nil)
	}
	return nil
}

// write writes the cell of some sources: of each row those edges that are next.
func (c *cutting) write(end dataflow.End, interval int, l adjacency.Lists, next []int64, sources []uint32,
	edges int) error {
	size := grid.Size{Vertices: len(next), Sources: len(sources), Edges: edges, Properties: len(c.names)}
	if need := int(size.EdgeBytes()); len(c.buf) < need {
		c.buf = chunk.Aligned(need)
	}
	cell, err := grid.PlaceCell(c.buf[:size.EdgeBytes()], size, nil)
	if err != nil {
		return err
	}
	for i, u := range sources {
		c.places[u] = uint32(i)
	}
	copy(cell.Sources, sources)
	last, at := sources[len(sources)-1], 0
	for v := range next {
		cell.Offsets[v] = uint32(at)
		from, to := next[v], next[v]
		for to < l.Offsets[v+1] && l.Others[to] <= last {
			cell.Others[at+int(to-from)] = c.places[l.Others[to]]
			to++
		}
		for i, name := range c.names {
			copy(cell.Properties[i][at:], l.Properties[name][from:to])
		}
		next[v], at = to, at+int(to-from)
	}
	cell.Offsets[len(next)] = uint32(at)
	return c.cells.add(end, interval, size, c.buf[:size.EdgeBytes()])
}
