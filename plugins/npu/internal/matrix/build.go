package matrix

import (
	"maps"
	"time"

	"github.com/penstock-db/penstock/plugins/npu/internal/edges"
)

// Of is the matrix of these chunks, which is made unless it is there already.
func (m *Maker) Of(chunks edges.Chunks) (*Matrix, error) {
	if m.made != nil && maps.Equal(m.made.chunks, chunks) {
		return m.made, nil
	}
	began := time.Now()
	m.unmake()
	err := m.build(chunks)
	if m.spent += time.Since(began); err != nil {
		m.unmake()
	}
	return m.made, err
}

// build makes a matrix, or takes over that of an earlier session, which was made of the same chunks.
func (m *Maker) build(chunks edges.Chunks) error {
	made := &Matrix{chunks: maps.Clone(chunks)}
	m.made = made
	if l := m.earlier; l != nil && maps.Equal(l.chunks, chunks.Identities()) {
		made.numbers, made.Edges, made.model, made.more = l.numbers, l.edges, l.Model, l.More
		m.earlier = nil
	} else {
		m.Disinherit()
		made.numbers, made.Edges = edges.Compact(made.chunks, m.task.Vertices), made.chunks.Count()
	}
	if err := m.grow(made.numbers.N()); err != nil {
		return err
	}
	for range m.task.Lanes {
		made.vectors = append(made.vectors, m.vectors(made.numbers.N()))
	}
	return m.buildModel(made)
}

// buildModel makes the runtime's part of a matrix; there is none where no vertex is linked.
func (m *Maker) buildModel(made *Matrix) error {
	take := func(bytes uint64) error {
		err := m.budget.Take(bytes, "the matrix")
		if err == nil {
			made.more += bytes
		}
		return err
	}
	n, rows := made.numbers.N(), made.chunks.Rows(made.numbers)
	switch {
	case n == 0:
		return nil
	case made.model != nil:
		return m.plan.Adopt(made.model, rows, take)
	}
	built, err := m.plan.Build(m.on.Library, m.on.Options, n, rows, take)
	if err == nil {
		made.model = built
	}
	return err
}

// unmake frees the matrix.
func (m *Maker) unmake() {
	made := m.made
	if m.made = nil; made == nil {
		return
	}
	if m.budget.Give(made.more); made.model != nil {
		(&Legacy{bytes: m.plan.Bytes + made.more, Model: made.model}).discard()
	}
}
