package neural

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// Streamed is a Network of which rows and edges come and go, piece by piece: package grid says how.
type Streamed struct {
	*Network[float32]
	grid     *plugins.Grid
	memory   *arena.Arena
	names    []string // of edge properties
	vertices uint64   // of the graph
	stages   [2][]grid.Stage
	room     *room
	at       plugins.Piece
	staying  [2]grid.Staying // by region, where it stays
	begun    bool            // rows of the first wave of at have been computed
	ended    bool            // and those of the last wave of the last interval of the last stage
}

// room is what an interval takes on the device beside the regions that the host fills.
type room struct {
	kept    []float32
	touched []bool
	offsets []int64
	lists   [2]*kept // by region, of edges that stay
}

// kept is the edges of a cell that stays, and their far ends.
type kept struct {
	Lists
	sources []uint32
}

// roomOf is what the most that stages need of intervals of a grid takes.
func roomOf(g *plugins.Grid, stages []grid.Stage) (kept, rows int) {
	for i := range stages {
		most := mostRows(g, stages[i].End)
		kept, rows = max(kept, most*widths(stages[i].Kept)), max(rows, most)
	}
	return kept, rows
}

// mostRows is how many vertices an interval at an end has at most.
func mostRows(g *plugins.Grid, end dataflow.End) (most int) {
	for k := range g.Intervals(end) {
		most = max(most, int(g.Interval(end, k).Count))
	}
	return most
}

// newStreamed makes a network that computes roots piece by piece.
func newStreamed(job plugins.Job, network *plugins.Network, roots []*dataflow.Value, pool parallel.Pool,
	work *workspace[float32], room *room, staying [2]grid.Staying) *Streamed {
	n := &Network[float32]{pool: pool, work: work, schedule: dataflow.NewSchedule(network.Values, roots...),
		known: newTable[[]float32](network.Values), given: map[*dataflow.Value]Rows[float32]{},
		sparse: dataflow.Sparse(dataflow.Order(network.Values, roots...), givenSparse(network.Inputs))}
	s := &Streamed{Network: n, grid: network.Grid, memory: job.Arena, names: dataflow.EdgeProperties(network.Values),
		vertices: job.Graph.Vertices, room: room, staying: staying}
	for k, stages := range [][]dataflow.Stage{n.schedule.Once, n.schedule.Epoch} {
		s.stages[k] = grid.Stages(stages)
		for i := range stages {
			n.passes[k] = append(n.passes[k], n.prepareSums(&stages[i], int(network.Grid.Each), nil))
		}
	}
	for _, v := range network.Values {
		if v.Op == dataflow.Number {
			n.known[v.ID] = []float32{float32(v.Number)}
		}
	}
	return s
}

// Rows computes the rows of a wave for an interval. With the first wave the interval begins.
func (s *Streamed) Rows(ctx context.Context, piece plugins.Piece, dropout dataflow.Dropout) error {
	stage, p, err := s.find(piece)
	if err != nil {
		return err
	}
	if piece.Wave == 0 {
		err = s.open(piece, stage, p)
	} else if !s.begun || !s.follows(piece) {
		err = plugins.Errorf(plugins.KindInvalid, "wave %d of an interval that is not at that wave", piece.Wave)
	}
	if err != nil {
		return err
	}
	s.at, s.begun, s.dropout = piece, true, dropout
	wave, last := stage.Waves[piece.Wave], int(piece.Wave) == len(stage.Waves)-1
	var stored []*dataflow.Value
	for _, v := range slices.Concat(wave.Gathers, wave.Rows) {
		if slices.Contains(stage.Stored, v) {
			stored = append(stored, v)
		}
	}
	err = s.eachBlock(ctx, stage, p, last && len(stage.Sums) > 0, func(b *block[float32]) {
		for _, v := range stage.Rows[piece.Wave] {
			b.compute(v)
		}
		for _, v := range stored {
			b.store(v)
		}
		if last {
			for _, v := range stage.Sums {
				b.add(v)
			}
		}
	})
	clear(s.touched)
	if last && err == nil {
		s.addUp(stage, p)
	}
	return err
}

// Cell adds up along the edges of a cell, for the wave after that of the last Rows.
func (s *Streamed) Cell(ctx context.Context, piece plugins.Piece, dropout dataflow.Dropout) error {
	stage, p, err := s.find(piece)
	if err != nil {
		return err
	}
	if !s.begun || !s.follows(piece) || !stage.Gathers(int(piece.Wave)) {
		return plugins.Errorf(plugins.KindInvalid, "a cell of wave %d for an interval that does not wait for it", piece.Wave)
	}
	s.dropout = dropout
	if err := s.take(piece, stage); err != nil {
		return err
	}
	offsets := s.graph.Ends[stage.End].Offsets
	outer := slices.ContainsFunc(stage.Waves[piece.Wave].Gathers, func(v *dataflow.Value) bool {
		return v.Op == dataflow.Outer
	})
	return s.eachBlock(ctx, stage, p, outer, func(b *block[float32]) {
		b.gatherMore(int(piece.Wave))
		for v := b.first; v < b.first+b.count; v++ {
			s.touched[v] = s.touched[v] || offsets[v] < offsets[v+1]
		}
	})
}

// find is the stage of a piece.
func (s *Streamed) find(piece plugins.Piece) (*grid.Stage, *pass[float32], error) {
	k := 1
	if piece.Once {
		k = 0
	}
	if int(piece.Stage) >= len(s.stages[k]) {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "stage %d of %d", piece.Stage, len(s.stages[k]))
	}
	stage := &s.stages[k][piece.Stage]
	if int(piece.Interval) >= s.grid.Intervals(stage.End) || int(piece.Wave) >= len(stage.Waves) || piece.Slot > 1 {
		return nil, nil, plugins.Errorf(plugins.KindInvalid, "there is no interval %d, wave %d, or no slot %d",
			piece.Interval, piece.Wave, piece.Slot)
	}
	return stage, &s.passes[k][piece.Stage], nil
}

// follows says whether a piece is of the next wave of the interval that the device is at.
func (s *Streamed) follows(piece plugins.Piece) bool {
	return piece.Once == s.at.Once && piece.Stage == s.at.Stage && piece.Interval == s.at.Interval &&
		piece.Wave == s.at.Wave+1
}

// open begins an interval, of which what the stage reads has come.
func (s *Streamed) open(piece plugins.Piece, stage *grid.Stage, p *pass[float32]) error {
	of := s.grid.Interval(stage.End, int(piece.Interval))
	region, err := s.memory.Bytes(s.grid.Rows[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of rows: %w", err)
	}
	var all map[*dataflow.Value]grid.Rows
	if s.grid.Stays {
		all, err = s.stayingRows(&s.staying[piece.Slot], region, int(of.Count))
	} else {
		all, err = stage.PlaceRows(region, int(of.Count), s.sparse, nil)
	}
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "rows of interval %d: %w", piece.Interval, err)
	}
	for v, rows := range all {
		if rows.Offsets == nil {
			s.known[v.ID] = rows.Numbers
			continue
		}
		s.given[v] = Rows[float32]{Offsets: rows.Offsets, Columns: rows.Columns, Values: rows.Numbers}
		if !s.given[v].fits(int(of.Count), v.Width) {
			return plugins.Errorf(plugins.KindInvalid, "input %s: the rows of interval %d are not as wide as they shall be",
				v.Name, piece.Interval)
		}
	}
	s.origin, s.kept, s.touched = of.Base, map[*dataflow.Value][]float32{}, s.room.touched[:of.Count]
	at := 0
	for _, v := range stage.Kept {
		size := int(of.Count) * v.Width
		s.kept[v] = s.room.kept[at : at+size]
		at += size
	}
	clear(s.room.kept[:at])
	clear(s.touched)
	for _, partial := range p.partial {
		for _, v := range p.sums {
			clear(partial[v])
		}
	}
	s.pack(p)
	s.ended = false
	return nil
}

// take takes the edges of a cell, with rows of its sources.
func (s *Streamed) take(piece plugins.Piece, stage *grid.Stage) error {
	of, far := s.grid.Interval(stage.End, int(piece.Interval)), stage.Far[piece.Wave]
	if s.grid.Stays {
		far = s.staying[piece.Slot].Far
	}
	region, err := s.memory.Bytes(s.grid.Cells[piece.Slot])
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a region of cells: %w", err)
	}
	size := grid.Size{Vertices: int(of.Count), Sources: int(piece.Sources), Edges: int(piece.Edges),
		Properties: len(s.names)}
	cell, err := grid.PlaceCell(region, size, far)
	before := s.room.lists[piece.Slot]
	if err == nil && before == nil {
		err = cell.Check(s.vertices)
	}
	if err == nil && before != nil && (len(before.Others) != size.Edges || len(before.sources) != size.Sources) {
		err = plugins.Errorf(plugins.KindInvalid, "it had %d edges from %d vertices", len(before.Others), len(before.sources))
	}
	if err != nil {
		return plugins.Errorf(plugins.KindInvalid, "a cell of interval %d: %w", piece.Interval, err)
	}
	if before == nil {
		before = s.listsOf(cell)
	}
	if s.grid.Stays {
		s.room.lists[piece.Slot] = before
	}
	s.graph.Ends[stage.End], s.sources, s.far = before.Lists, before.sources, make(table[[]float32], len(s.known))
	for i, v := range far {
		s.far[v.ID] = cell.Far[i]
	}
	return nil
}

// listsOf makes lists of the edges of a cell.
func (s *Streamed) listsOf(cell grid.Cell) *kept {
	lists := Lists{Others: cell.Others, Properties: map[string][]float64{}}
	if s.grid.Stays {
		lists.Offsets = make([]int64, len(cell.Offsets))
	} else {
		lists.Offsets = s.room.offsets[:len(cell.Offsets)]
	}
	for v, at := range cell.Offsets {
		lists.Offsets[v] = int64(at)
	}
	for i, name := range s.names {
		lists.Properties[name] = cell.Properties[i]
	}
	return &kept{lists, cell.Sources}
}

// eachBlock calls do for all blocks of the interval: section by section, where something is added up that must be so in
// their order, and else in as many parts as keep all workers busy.
func (s *Streamed) eachBlock(ctx context.Context, stage *grid.Stage, p *pass[float32], inSections bool,
	do func(*block[float32])) error {
	var bounds []int
	if inSections {
		for _, bound := range s.bounds(stage.End) {
			bounds = append(bounds, int(bound-s.origin))
		}
	} else {
		for from := 0; from < len(s.touched); from += blockRows {
			bounds = append(bounds, from)
		}
		bounds = append(bounds, len(s.touched))
	}
	return s.pool.Run(ctx, len(bounds)-1, func(worker, k int) {
		if p.blocks[worker] == nil {
			p.blocks[worker] = newBlock(s.Network, p, worker)
		}
		var sums map[*dataflow.Value][]float32
		if inSections {
			sums = p.partial[k]
		}
		b := p.blocks[worker]
		b.each(bounds[k], bounds[k+1], sums, func() { do(b) })
	})
}

// bounds are those of the sections of the interval that the device is at.
func (s *Streamed) bounds(end dataflow.End) []uint64 {
	all := s.grid.Sections[end]
	first, _ := slices.BinarySearch(all, s.origin)
	return all[first:min(first+int(s.grid.Each)+1, len(all))]
}

// addUp ends an interval, and with the last one the stage; where there are other devices, Reduce and Reduced do.
func (s *Streamed) addUp(stage *grid.Stage, p *pass[float32]) {
	if s.grid.Shared {
		return
	}
	for _, v := range p.sums {
		if s.at.Interval == 0 {
			clear(s.known[v.ID])
		}
		for _, partial := range p.partial[:len(s.bounds(stage.End))-1] {
			weightedSum(s.known[v.ID], partial[v], nil, nil, 1, 0, 0)
		}
	}
	if int(s.at.Interval) < s.grid.Intervals(stage.End)-1 {
		return
	}
	s.end(p)
}

// end ends the stage that the device is at, of which all is added up.
func (s *Streamed) end(p *pass[float32]) {
	for _, v := range p.Small {
		s.small(v, s.known[v.ID])
	}
	s.ended = !s.at.Once && int(s.at.Stage) == len(s.stages[1])-1
}
