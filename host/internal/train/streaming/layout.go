package streaming

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/plugins"
)

// Stages are those of a pass.
type Stages struct {
	Once, Epoch []grid.Stage
	Sparse      map[*dataflow.Value]bool // inputs that come as numbers that are not 0
}

// All are the stages of the pass.
func (s *Stages) All() []grid.Stage { return slices.Concat(s.Once, s.Epoch) }

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

// Layout is how vertices are cut into intervals, and what the largest of them need.
type Layout struct {
	Sections [2][]uint64
	Each     uint32              // sections of an interval
	Columns  [2][]chunk.Interval // by end
	Sources  int                 // that a cell has at most
	Edges    int                 // that a cell has at most
	rows     uint64              // bytes of a region of rows
	cells    uint64              // and of one of cells
}

// SectionsOf are those of vertices at both ends.
func SectionsOf(d Degrees) (all [2][]uint64) {
	for end, degrees := range d.Of {
		for _, bound := range adjacency.Sections(degrees) {
			all[end] = append(all[end], uint64(bound))
		}
	}
	return all
}

// Place places the regions of a device; of several, with room for so many bytes of sums.
func (l *Layout) Place(at *plan.Placer, several bool, sums uint64) *plugins.Grid {
	g := &plugins.Grid{Sections: l.Sections, Each: l.Each, Shared: several}
	for i := range g.Rows {
		g.Rows[i], g.Cells[i] = at.Place(l.rows), at.Place(l.cells)
	}
	if several && sums > 0 {
		g.Sums = at.Place(sums)
	}
	return g
}

// SumsBytes is what the numbers take that a stage adds up over rows and edges, at most.
func SumsBytes(passes []Stages) (bytes uint64) {
	for _, p := range passes {
		for _, stage := range p.All() {
			bytes = max(bytes, AddedBytes(&stage))
		}
	}
	return bytes
}

// AddedBytes is what the numbers take that a stage adds up.
func AddedBytes(stage *grid.Stage) uint64 {
	return 4 * uint64(stage.AddedNumbers())
}

// Intervals are the numbers of sections that an interval may have, the most first: those that make 1, 2, 3 … of them,
// and not fewer than there are devices, as far as there are sections.
func Intervals(d Degrees, devices int) (each []uint32) {
	most := max(len(adjacency.Sections(d.Of[0])), len(adjacency.Sections(d.Of[1]))) - 1
	for count := min(devices, most); count <= most; count++ {
		if n := uint32((most + count - 1) / count); n > 0 && !slices.Contains(each, n) {
			each = append(each, n)
		}
	}
	if len(each) == 0 { // there are no vertices
		each = []uint32{1}
	}
	return each
}

// NewLayout makes intervals of so many sections. A cell has at most as many
// sources as an interval has vertices, and edges for two of the cells that make a grid as wide as it is high: columns
// and their cells are not equally long.
func NewLayout(network *plugins.Network, passes []Stages, d Degrees, each uint32, entries func(v *dataflow.Value,
	from, to uint64) int64) Layout {
	l := Layout{Each: each, Sections: SectionsOf(d)}
	cut := plugins.Grid{Each: each, Sections: l.Sections}
	most := [2]int{} // vertices of an interval
	for end := range most {
		count := cut.Intervals(dataflow.End(end))
		for i := range count {
			l.Columns[end] = append(l.Columns[end], cut.Interval(dataflow.End(end), i))
			most[end] = max(most[end], int(l.Columns[end][i].Count))
		}
		all := d.Entries[end]
		if network.SelfLoops {
			all += uint64(len(d.Of[end]))
		}
		l.Edges = max(l.Edges, int(2*all)/max(count*count, 1), most[end])
	}
	l.Sources = max(most[0], most[1])
	properties := len(dataflow.EdgeProperties(network.Values))
	for _, p := range passes {
		for _, stage := range p.All() {
			for _, of := range l.Columns[stage.End] {
				l.rows = max(l.rows, stage.RowsBytes(int(of.Count), p.Sparse, func(v *dataflow.Value) int64 {
					return entries(v, of.Base, of.End())
				}))
			}
			for wave := range stage.Waves {
				if stage.Gathers(wave) {
					size := grid.Size{Vertices: most[stage.End], Sources: l.Sources, Edges: l.Edges, Properties: properties}
					l.cells = max(l.cells, size.Bytes(stage.Far[wave]))
				}
			}
		}
	}
	return l
}
