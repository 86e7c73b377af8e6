package network

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
)

// unit is steps that a command has the card do.
type unit struct {
	steps []step
	text  text
}

// stage is one of a pass that is computed interval by interval.
type stage struct {
	*grid.Stage
	near   map[*dataflow.Value]*buffer // in a region, rows that are not sparse
	sparse map[*dataflow.Value]*input  // those that are
	stored map[*dataflow.Value]*buffer // in a region
	waves  []wave
	small  unit
	sums   []*buffer // of what is added up over intervals
	kept   []*buffer // from its beginning to its end
	passes []*buffer // that one step leaves to another
	steps  int
}

// wave is what is computed of each cell, and of the rows then.
type wave struct {
	cell, rows unit
	far        []*buffer // rows that come with a cell
}

// stageCompiler makes a stage.
type stageCompiler struct {
	*compiler
	stage *stage
	stays map[*dataflow.Value]bool // what one unit leaves to others
	seen  map[*buffer]bool
}

// room is what intervals have at most.
type room struct {
	vertices uint64
	entries  uint64 // of sparse rows
}

// newStage makes a stage, of a pass that has computed these parameters.
func newStage(of *grid.Stage, g *graph, c *cell, most room, sparse map[*dataflow.Value]bool,
	parameters map[*dataflow.Value]*buffer) (*stage, error) {
	s := &stage{Stage: of, near: map[*dataflow.Value]*buffer{}, sparse: map[*dataflow.Value]*input{},
		stored: map[*dataflow.Value]*buffer{}}
	own := &graph{vertices: int(most.vertices), inputs: map[string]*input{}, given: g.given, anew: true}
	own.ends[of.End] = c.edges
	m := &stageCompiler{compiler: &compiler{graph: own, sparse: sparse, written: map[step][]*code{}, cell: c, end: of.End,
		own: map[*dataflow.Value]*buffer{}, known: map[*dataflow.Value]*buffer{}}, stage: s,
		stays: map[*dataflow.Value]bool{}, seen: map[*buffer]bool{}}
	for v, at := range parameters {
		m.keep(v, at)
	}
	for _, v := range of.Near {
		if !sparse[v] {
			s.near[v] = kept(0)
			m.keep(v, s.near[v])
			continue
		}
		in := &input{width: v.Width, vertices: int(most.vertices), numbers: kept(0),
			rows: newLists(most.vertices, most.entries)}
		in.Name, in.rows.begin, in.rows.others = v.Name, kept(0), kept(0)
		s.sparse[v], own.inputs[v.Name] = in, in
	}
	for _, v := range of.Stored {
		s.stored[v] = kept(0)
		m.own[v], m.stays[v] = s.stored[v], true
	}
	for _, v := range of.Kept {
		m.stays[v] = true
		if m.own[v] == nil {
			m.own[v] = m.make(v)
			s.kept = append(s.kept, m.own[v])
		}
	}
	for k := range of.Waves {
		if err := m.wave(k, parameters); err != nil {
			return nil, err
		}
	}
	if err := m.small(parameters); err != nil {
		return nil, err
	}
	for _, in := range s.sparse {
		s.kept = append(s.kept, in.rows.pieces, in.rows.longs)
		if in.columns != nil {
			s.kept = append(append(s.kept, in.columns.buffers()...), in.order)
		}
	}
	return s, nil
}

// keep says where the numbers of v are.
func (m *stageCompiler) keep(v *dataflow.Value, at *buffer) { m.known[v], m.stays[v] = at, true }

// wave makes what looks at a cell, and the rows after that. With the last come the sums of rows.
func (m *stageCompiler) wave(k int, parameters map[*dataflow.Value]*buffer) error {
	var w wave
	m.farValues, m.far = m.stage.Far[k], nil
	for range m.farValues {
		m.far = append(m.far, kept(0))
	}
	w.far = m.far
	ended := &folded{cell: m.cell}
	m.partOf = map[*dataflow.Value]bool{}
	for _, v := range m.stage.Waves[k].Gathers {
		if v.Place == dataflow.Parameters {
			if err := m.addTo(v, m.sum(v, parameters)); err != nil {
				return err
			}
			continue
		}
		f, err := m.fold(v)
		if err != nil {
			return err
		}
		ended.folds = append(ended.folds, f)
		m.stage.kept = append(m.stage.kept, f.piece)
	}
	if m.stage.Gathers(k) {
		m.steps[1] = append(m.steps[1], &come{m.cell})
	}
	w.cell = m.unit()
	if m.stage.Gathers(k) {
		m.steps[1] = append(m.steps[1], ended)
		for i, v := range m.gatheredRows(k) {
			m.known[v] = ended.folds[i].out
		}
	}
	if err := m.rows(k, parameters); err != nil {
		return err
	}
	w.rows = m.unit()
	m.stage.waves = append(m.stage.waves, w)
	return nil
}

// gatheredRows are the gathers of a wave that leave rows.
func (m *stageCompiler) gatheredRows(k int) (rows []*dataflow.Value) {
	for _, v := range m.stage.Waves[k].Gathers {
		if v.Place != dataflow.Parameters {
			rows = append(rows, v)
		}
	}
	return rows
}

// rows computes those of a wave.
func (m *stageCompiler) rows(k int, parameters map[*dataflow.Value]*buffer) error {
	values, roots := slices.Clone(m.stage.Rows[k]), []*dataflow.Value{}
	if k == len(m.stage.Waves)-1 {
		values = append(values, m.stage.Sums...)
	}
	for _, v := range values {
		if m.stays[v] {
			roots = append(roots, v)
		}
	}
	m.findParts(values, roots)
	for _, v := range m.stage.Rows[k] {
		if err := m.compute(v); err != nil {
			return err
		}
	}
	if k < len(m.stage.Waves)-1 {
		return nil
	}
	for _, v := range m.stage.Sums {
		if err := m.addTo(v, m.sum(v, parameters)); err != nil {
			return err
		}
	}
	return nil
}

// sum is what v, of intervals, is added up to.
func (m *stageCompiler) sum(v *dataflow.Value, parameters map[*dataflow.Value]*buffer) *buffer {
	parameters[v] = kept(4 * uint64(v.Rows) * uint64(v.Width))
	m.stage.sums = append(m.stage.sums, parameters[v])
	return parameters[v]
}

// small computes parameters of parameters, once all intervals are added up.
func (m *stageCompiler) small(parameters map[*dataflow.Value]*buffer) error {
	m.partOf = map[*dataflow.Value]bool{}
	for _, v := range m.stage.Added() {
		m.keep(v, parameters[v])
	}
	for _, v := range m.stage.Small {
		parameters[v] = kept(4 * uint64(v.Rows) * uint64(v.Width))
		m.own[v] = parameters[v]
		if err := m.compute(v); err != nil {
			return err
		}
	}
	m.stage.small = m.unit()
	return nil
}

// unit ends one. What it leaves to no other is forgotten.
func (m *stageCompiler) unit() unit {
	u := unit{m.steps[1], newText(m.codes)}
	m.stage.kept = append(m.stage.kept, u.text.at)
	for _, s := range u.steps {
		used := s.buffers()
		for _, code := range m.written[s] {
			used = append(used, code.buffers()...)
		}
		for _, b := range used {
			m.use(b)
		}
		m.stage.steps++
	}
	m.steps[1], m.codes = nil, nil
	for v := range m.known {
		if !m.stays[v] {
			delete(m.known, v)
		}
	}
	return u
}

// use says that the step at hand uses b.
func (m *stageCompiler) use(b *buffer) {
	switch {
	case b.kept || b.within != nil || slices.Contains(m.stage.kept, b):
		return
	case !m.seen[b]:
		b.first, m.seen[b] = m.stage.steps, true
		m.stage.passes = append(m.stage.passes, b)
	}
	b.last = m.stage.steps
}

// layOut gives what the stage uses a place from base on, and returns where the last ends.
func (s *stage) layOut(base uint64) uint64 {
	for _, b := range s.kept {
		b.at = base
		base += aligned(b.bytes)
	}
	return max(base, place(s.passes, s.steps, base))
}
