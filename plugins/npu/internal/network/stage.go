package network

import (
	"iter"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/internal/lowering"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// pass is a pass of the network, and where the rows of its values are.
type pass struct {
	plugins.NetworkPass
	schedule dataflow.Schedule
	once     []*stage
	epoch    []*stage
	known    map[*dataflow.Value][]float32
	fixed    bool // what stays as it is has been computed
}

func newPass(values []*dataflow.Value, of plugins.NetworkPass) *pass {
	p := &pass{NetworkPass: of, schedule: dataflow.NewSchedule(values, of.Roots...)}
	for i := range p.schedule.Once {
		p.once = append(p.once, &stage{Stage: &p.schedule.Once[i]})
	}
	for i := range p.schedule.Epoch {
		p.epoch = append(p.epoch, &stage{Stage: &p.schedule.Epoch[i]})
	}
	return p
}

// stages goes through all of a pass.
func (p *pass) stages() iter.Seq[*stage] { return slices.Values(slices.Concat(p.once, p.epoch)) }

// stored are the values that a stage leaves: rows, and parameters.
func stored(s *dataflow.Stage) []*dataflow.Value {
	list := slices.Concat(s.Stored, s.Sums, s.Small)
	for _, w := range s.Waves {
		for _, v := range w.Gathers {
			if v.Op == dataflow.Outer {
				list = append(list, v)
			}
		}
	}
	return list
}

// numbersOf is how many a value has, of n vertices.
func numbersOf(v *dataflow.Value, n int) int {
	if v.Place == dataflow.Parameters {
		n = v.Rows
	}
	return n * v.Width
}

// numbers is how many a pass keeps.
func (p *pass) numbers(n int) (numbers uint64) {
	for s := range p.stages() {
		for _, v := range stored(s.Stage) {
			numbers += uint64(numbersOf(v, n))
			if v.Place == dataflow.Parameters {
				numbers += uint64(numbersOf(v, n)) // what a block adds
			}
		}
	}
	return numbers
}

// stage is a stage with its sessions.
type stage struct {
	*dataflow.Stage
	rows     int    // of a block
	limit    uint64 // of what a block brings
	sessions []*ort.Session
	blocks   []*block
	small    *block
	factors  map[*dataflow.Value][]float32 // of dropouts, for a block
	partial  map[*dataflow.Value][]float32 // what a block adds to parameters
}

// block is rows of a stage with memory bound.
type block struct {
	first, rows int
	model       *lowering.Model
	binding     *ort.Binding
}

// build makes the sessions of a pass.
func (t *Task) build(p *pass) error {
	p.known, p.fixed = map[*dataflow.Value][]float32{}, false
	for v, numbers := range t.given {
		p.known[v] = numbers
	}
	for s := range p.stages() {
		for _, v := range stored(s.Stage) {
			p.known[v] = make([]float32, numbersOf(v, t.n))
		}
	}
	for s := range p.stages() {
		if err := t.buildStage(p, s); err != nil {
			return err
		}
	}
	return nil
}

func (t *Task) buildStage(p *pass, s *stage) (err error) {
	pairs := t.pairs[s.End]
	size := lowering.Size{Vertices: t.n, Columns: pairs.width, Repeated: pairs.vertices != nil}
	if size.Repeated && looks(s.Stage) {
		if s.rows, _, err = blockOf(s.Stage, size, t.isGiven, s.limit); err != nil {
			return err
		}
	}
	s.factors, s.partial = map[*dataflow.Value][]float32{}, map[*dataflow.Value][]float32{}
	var made *block
	for first := 0; first < t.n && len(stored(s.Stage)) > 0; first += s.rows {
		b := &block{first: first, rows: min(s.rows, t.n-first)}
		if made == nil || made.rows != b.rows {
			size.Rows = b.rows
			if b.model, err = lowering.Stage(s.Stage, size, t.isGiven); err != nil {
				return err
			}
			if len(b.model.Outputs) == 0 {
				break
			}
			if err := t.open(s, b.model); err != nil {
				return err
			}
		} else {
			b.model = made.model
		}
		made = b
		if err := t.bind(p, s, b); err != nil {
			return err
		}
		s.blocks = append(s.blocks, b)
	}
	if len(s.Small) == 0 {
		return nil
	}
	s.small = &block{}
	if s.small.model, err = lowering.Small(s.Small); err == nil {
		if err = t.open(s, s.small.model); err == nil {
			err = t.bind(p, s, s.small)
		}
	}
	return err
}

// open makes a session of a model, the last of the stage's.
func (t *Task) open(s *stage, m *lowering.Model) error {
	options := t.on.Options
	options.Threads = t.job.Threads
	session, err := t.on.Library.NewSession(m.Graph.Model(), options)
	if err == nil {
		s.sessions = append(s.sessions, session)
	}
	return err
}

// bind has a block's model of the stage's last session read and write where rows are.
func (t *Task) bind(p *pass, s *stage, b *block) (err error) {
	if b.binding, err = s.sessions[len(s.sessions)-1].Bind(); err != nil {
		return err
	}
	for _, o := range b.model.Inputs {
		if err := b.binding.BindInput(o.Name, o.Type, o.Shape, t.memory(p, s, b, o)); err != nil {
			return err
		}
	}
	for _, o := range b.model.Outputs {
		if err := b.binding.BindOutput(o.Name, o.Type, o.Shape, t.memory(p, s, b, o)); err != nil {
			return err
		}
	}
	return nil
}

// rebind has the device's own memory take what has changed since the last run.
func (t *Task) rebind(p *pass, s *stage, b *block) error {
	if t.on.Options.Provider == ort.CPU {
		return nil // it reads in place
	}
	for _, o := range b.model.Inputs {
		if o.Kind == lowering.Counts || o.Kind == lowering.Property || o.Kind == lowering.Columns {
			continue
		}
		if err := b.binding.BindInput(o.Name, o.Type, o.Shape, t.memory(p, s, b, o)); err != nil {
			return err
		}
	}
	return nil
}

// memory is where an operand of a block lies.
func (t *Task) memory(p *pass, s *stage, b *block, o lowering.Operand) []byte {
	pairs := t.pairs[s.End]
	rows := func(all []float32, width int) []byte {
		return onnx.Bytes(all[b.first*width : (b.first+b.rows)*width])
	}
	scratch := func(of map[*dataflow.Value][]float32, size int) []byte {
		if len(of[o.Value]) < size {
			of[o.Value] = make([]float32, size)
		}
		return onnx.Bytes(of[o.Value][:size])
	}
	size := 1
	for _, d := range o.Shape {
		size *= int(d)
	}
	switch o.Kind {
	case lowering.Factors, lowering.EdgeFactors:
		return scratch(s.factors, size)
	case lowering.Sum:
		return scratch(s.partial, size)
	case lowering.Counts:
		return rows(pairs.counts, pairs.width)
	case lowering.Property:
		return rows(pairs.properties[o.Value.Name], pairs.width)
	case lowering.Columns:
		return onnx.Bytes(pairs.vertices)
	}
	if o.Kind == lowering.Far || o.Value.Place == dataflow.Parameters {
		return onnx.Bytes(p.known[o.Value])
	}
	return rows(p.known[o.Value], o.Value.Width)
}

// close ends the sessions.
func (p *pass) close() {
	for s := range p.stages() {
		blocks := s.blocks
		if s.small != nil {
			blocks = append(blocks, s.small)
		}
		for _, b := range blocks {
			if b.binding != nil {
				b.binding.Close()
			}
		}
		for _, session := range s.sessions {
			session.Close()
		}
		s.sessions, s.blocks, s.small, s.factors, s.partial = nil, nil, nil, nil, nil
	}
	p.known = nil
}
