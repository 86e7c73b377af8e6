package npu

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
	"github.com/penstock-db/penstock/plugins/npu/model"
)

// matrix is the edges of some chunks as the runtime takes them, and the vectors that meet it:
// values of the vertices that are linked, of each lane.
type matrix struct {
	*compaction
	chunks map[uint32]*resident // which it was made of
	edges  uint64
	model  *model.Model
	lanes  []model.Lane
	more   uint64 // bytes beyond what the plan foretold
}

// make makes the matrix of these chunks, unless it is made already.
func (p *program) make(chunks map[uint32]*resident) error {
	if p.matrix != nil && maps.Equal(p.matrix.chunks, chunks) {
		return nil
	}
	began := time.Now()
	p.unmake()
	err := p.build(chunks)
	if p.conversion += time.Since(began); err != nil {
		p.unmake()
	}
	return err
}

// build makes a matrix, or takes over that of an earlier session, which was made of the same chunks.
func (p *program) build(chunks map[uint32]*resident) error {
	m := &matrix{chunks: maps.Clone(chunks)}
	if l := p.earlier; l != nil && maps.Equal(l.chunks, identities(chunks)) {
		m.compaction, m.edges, m.model, m.more = l.compaction, l.edges, l.model, l.more
		p.earlier = nil
	} else {
		p.disinherit()
		m.compact(p.n)
	}
	p.matrix = m
	if err := p.grow(m.n()); err != nil {
		return err
	}
	for _, l := range p.lanes {
		m.lanes = append(m.lanes, p.vectors(l, m.n()))
	}
	return p.buildModel()
}

// buildModel makes the runtime's part of the matrix; there is none where no vertex is linked.
func (p *program) buildModel() error {
	m := p.matrix
	take := func(bytes uint64) error {
		err := p.budget.Take(bytes, "the matrix")
		if err == nil {
			m.more += bytes
		}
		return err
	}
	switch {
	case m.n() == 0:
		return nil
	case m.model != nil:
		return p.model.Adopt(m.model, m.rows, take)
	}
	made, err := p.model.Build(p.device.library, p.device.settings(), m.n(), m.rows, take)
	if err == nil {
		m.model = made
	}
	return err
}

// compact numbers the vertices that are linked by the chunks, and counts their edges.
func (m *matrix) compact(n int) {
	m.compaction = compact(m.chunks, n)
	for _, r := range m.chunks {
		m.edges += uint64(len(r.neighbors))
	}
}

// unmake frees the matrix.
func (p *program) unmake() {
	m := p.matrix
	if p.matrix = nil; m == nil {
		return
	}
	if p.budget.Give(m.more); m.model != nil {
		(&legacy{bytes: p.model.Bytes + m.more, model: m.model}).discard()
	}
}

// vectors are those of a lane for n linked vertices.
func (p *program) vectors(l *lane, n int) model.Lane {
	v := model.Lane{Columns: map[string]vector.Column{}, Senders: make([]uint64, bitmap.Words(n)), Acc: vector.Make(l.accType, n)}
	for _, in := range p.model.Inputs {
		v.Columns[in.Name] = vector.Make(in.Type, n)
	}
	if p.isLoose() {
		v.Left = make([]uint64, bitmap.Words(n))
	}
	if shape.Improves(p.spec) {
		v.State = vector.Make(l.accType, n)
	}
	return v
}

// vectorBytes is what vectors takes.
func (p *program) vectorBytes(n int) uint64 {
	bytes := 16*uint64(bitmap.Words(n)) + 2*uint64(n)*kit.Width(p.lanes[0].accType)
	for _, in := range p.model.Inputs {
		bytes += uint64(n) * kit.Width(in.Type)
	}
	return bytes
}

// rows are the edges, chunk by chunk in the order of their numbers: sums have an order.
func (m *matrix) rows(yield func(model.Row) bool) {
	var row model.Row
	for _, number := range slices.Sorted(maps.Keys(m.chunks)) {
		r := m.chunks[number]
		for i := range r.rowCount() {
			from, to := r.list(i)
			if from == to {
				continue
			}
			row.Target = m.of(r.vertex(i))
			row.Sources, row.Weights = row.Sources[:0], row.Weights[:0]
			for _, neighbor := range r.neighbors[from:to] {
				row.Sources = append(row.Sources, m.of(r.cols.Base+uint64(neighbor)))
			}
			for _, all := range r.weights {
				row.Weights = append(row.Weights, all[from:to])
			}
			if !yield(row) {
				return
			}
		}
	}
}

// send has vertices send, some of each lane: what comes of it is in the accumulators of the vectors.
func (m *matrix) send(ctx context.Context, lanes []*lane, senders ...[]uint64) error {
	if m.model == nil {
		return nil
	}
	for i, l := range lanes {
		m.gather(m.lanes[i], l, senders[i])
	}
	return m.model.Send(ctx, m.lanes)
}

// gather takes what Process reads, what there is to be bettered, and who sends.
func (m *matrix) gather(v model.Lane, l *lane, senders []uint64) {
	for name, values := range v.Columns {
		_, column, _ := strings.Cut(name, ".")
		values.Gather(l.columns[column], m.ids)
	}
	if shape.Improves(l.spec) {
		v.State.Gather(l.state[0], m.ids)
	}
	clear(v.Senders)
	for i, id := range m.ids {
		if bitmap.Has(senders, int(id)) {
			v.Senders[i/64] |= 1 << (i % 64)
		}
	}
}
