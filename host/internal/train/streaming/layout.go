package streaming

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
)

// Stages are those of a pass.
type Stages struct {
	Once, Epoch []grid.Stage
	Sparse      map[*dataflow.Value]bool // inputs that come as numbers that are not 0
}

func (s *Stages) all() []grid.Stage { return slices.Concat(s.Once, s.Epoch) }

// StagesOf are those of each pass of a network, of which given says which inputs are stored sparse.
func StagesOf(network *plugins.Network, given func(*dataflow.Value) bool) []Stages {
	all := make([]Stages, len(network.Passes))
	for i, p := range network.Passes {
		if p.Batched {
			continue // the host brings its graphs whole
		}
		schedule := dataflow.NewSchedule(network.Values, p.Roots...)
		all[i] = Stages{grid.Stages(schedule.Once), grid.Stages(schedule.Epoch),
			dataflow.Sparse(dataflow.Order(network.Values, p.Roots...), given)}
	}
	return all
}

// Degrees are the lengths of lists, by the end at which they are, and how many there are of all.
type Degrees struct {
	Of      [2][]int64
	Entries [2]uint64
}

// NewDegrees counts entries.
func NewDegrees(targets, sources []int64) Degrees {
	d := Degrees{Of: [2][]int64{dataflow.AtTarget: targets, dataflow.AtSource: sources}}
	for end, degrees := range d.Of {
		for _, n := range degrees {
			d.Entries[end] += uint64(n)
		}
	}
	return d
}

// Layout is how vertices are cut into intervals, and where regions lie in the arena.
type Layout struct {
	Grid    plugins.Grid
	Sources int // that a cell has at most
	Edges   int // that a cell has at most
}

// Intervals are the numbers of sections that an interval may have, the most first: those that make 1, 2, 3 … of them.
func Intervals(d Degrees) (each []uint32) {
	most := max(len(adjacency.Sections(d.Of[0])), len(adjacency.Sections(d.Of[1]))) - 1
	for count := 1; count <= most; count++ {
		if n := uint32((most + count - 1) / count); !slices.Contains(each, n) {
			each = append(each, n)
		}
	}
	return each
}

// NewLayout makes intervals of so many sections, and places what the largest of them need. A cell has at most as many
// sources as an interval has vertices, and edges for two of the cells that make a grid as wide as it is high: columns
// and their cells are not equally long.
func NewLayout(network *plugins.Network, passes []Stages, d Degrees, each uint32, entries func(v *dataflow.Value,
	from, to uint64) int64, at *plan.Placer) Layout {
	l := Layout{Grid: plugins.Grid{Each: each}}
	for end, degrees := range d.Of {
		for _, bound := range adjacency.Sections(degrees) {
			l.Grid.Sections[end] = append(l.Grid.Sections[end], uint64(bound))
		}
	}
	most := [2]int{} // vertices of an interval
	for end := range most {
		count := l.Grid.Intervals(dataflow.End(end))
		for i := range count {
			most[end] = max(most[end], int(l.Grid.Interval(dataflow.End(end), i).Count))
		}
		all := d.Entries[end]
		if network.SelfLoops {
			all += uint64(len(d.Of[end]))
		}
		l.Edges = max(l.Edges, int(2*all)/max(count*count, 1), most[end])
	}
	l.Sources = max(most[0], most[1])
	rows, cells, properties := uint64(0), uint64(0), len(dataflow.EdgeProperties(network.Values))
	for _, p := range passes {
		for _, stage := range p.all() {
			for i := range l.Grid.Intervals(stage.End) {
				of := l.Grid.Interval(stage.End, i)
				rows = max(rows, stage.RowsBytes(int(of.Count), p.Sparse, func(v *dataflow.Value) int64 {
					return entries(v, of.Base, of.End())
				}))
			}
			for wave := range stage.Waves {
				if stage.Gathers(wave) {
					size := grid.Size{Vertices: most[stage.End], Sources: l.Sources, Edges: l.Edges, Properties: properties}
					cells = max(cells, size.Bytes(stage.Far[wave]))
				}
			}
		}
	}
	for i := range l.Grid.Rows {
		l.Grid.Rows[i], l.Grid.Cells[i] = at.Place(rows), at.Place(cells)
	}
	return l
}
