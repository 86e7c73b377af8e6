package reference

import (
	"errors"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// resident is an uploaded chunk, read in place in the arena.
type resident struct {
	chunk *chunk.Chunk
	bytes uint64 // charged to the budget
}

// upload keeps the range until the chunk is evicted, so it does not say Released.
func (s *session) upload(c plugins.Command) error {
	if s.chunks[c.Chunk] != nil {
		return bad(plugins.KindInvalid, c, errors.New("it is resident already"))
	}
	b, err := s.job.Arena.Bytes(c.At)
	if err != nil {
		return bad(plugins.KindInvalid, c, err)
	}
	opened, err := s.open(b)
	if err != nil {
		return bad(plugins.KindChunk, c, err)
	}
	bytes := c.At.Length + decoded(opened)
	if err := s.budget.take(bytes); err != nil {
		opened.Release()
		return bad(plugins.KindBudget, c, err)
	}
	s.chunks[c.Chunk] = &resident{chunk: opened, bytes: bytes}
	return nil
}

// open trusts nothing: not the bytes, not the numbers in them, not that it was meant
// for this run.
func (s *session) open(b []byte) (*chunk.Chunk, error) {
	c, err := chunk.Open(b)
	if err != nil {
		return nil, err
	}
	err = errors.Join(c.Verify(), c.Validate(), s.belongs(c))
	if err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

func (s *session) belongs(c *chunk.Chunk) error {
	meta, n := c.Meta(), s.job.Graph.Vertices
	if !s.wants(meta.Direction) || meta.Rows.End() > n || meta.Cols.End() > n {
		return errors.New("it is of another direction or of a larger graph")
	}
	if s.task.Program != nil {
		for _, name := range s.task.Program.EdgeColumns {
			if _, ok := c.Float64s(name); !ok {
				return errors.New("it lacks the numeric edge column " + name)
			}
		}
	}
	return nil
}

// decoded is what lists makes of a chunk, in bytes, besides offsets.
func decoded(c *chunk.Chunk) uint64 { return uint64(c.Edges()) * uint64(4+8*len(c.Columns())) }

func (s *session) evict(c plugins.Command) error {
	r := s.chunks[c.Chunk]
	if r == nil {
		return bad(plugins.KindInvalid, c, errNotResident)
	}
	r.chunk.Release()
	s.budget.give(r.bytes)
	delete(s.chunks, c.Chunk)
	return nil
}

// resident is every resident chunk in the order of their numbers: sums need an order.
func (s *session) resident() []*chunk.Chunk {
	var chunks []*chunk.Chunk
	for _, number := range slices.Sorted(maps.Keys(s.chunks)) {
		chunks = append(chunks, s.chunks[number].chunk)
	}
	return chunks
}

// lists are a chunk's lists as the interpreter wants them: dense ids, every vertex there.
func (s *session) lists(c *chunk.Chunk) algorithms.Lists {
	meta := c.Meta()
	l := algorithms.Lists{
		Offsets: make([]int, s.job.Graph.Vertices+1),
		Columns: map[string][]float64{},
	}
	for row := range c.Rows() {
		l.Offsets[meta.Rows.Base+uint64(local(c, row))+1] = int(c.Offsets()[row+1])
	}
	for v := range s.job.Graph.Vertices {
		l.Offsets[v+1] = max(l.Offsets[v+1], l.Offsets[v])
	}
	for _, neighbor := range c.Neighbors() {
		l.Neighbors = append(l.Neighbors, uint32(meta.Cols.Base)+neighbor)
	}
	for _, field := range c.Columns() {
		if values, ok := c.Float64s(field.Name); ok {
			l.Columns[field.Name] = values
		}
	}
	return l
}

// local is the vertex of a row, within the chunk's row interval.
func local(c *chunk.Chunk, row int) uint32 {
	if vertices := c.Vertices(); vertices != nil {
		return vertices[row]
	}
	return uint32(row)
}

// graph is the whole graph from its resident chunks. In the chunks of an undirected
// graph an edge stands at both of its ends; the lesser end has it here.
func (s *session) graph() *algorithms.Graph {
	var edges []algorithms.Edge
	for _, c := range s.resident() {
		l := s.lists(c)
		for v := range s.job.Graph.Vertices {
			for k := l.Offsets[v]; k < l.Offsets[v+1]; k++ {
				if !s.job.Graph.Directed && l.Neighbors[k] < uint32(v) {
					continue
				}
				e := algorithms.Edge{Src: uint32(v), Dst: l.Neighbors[k], Weights: map[string]float64{}}
				for name, values := range l.Columns {
					e.Weights[name] = values[k]
				}
				edges = append(edges, e)
			}
		}
	}
	return algorithms.NewGraph(s.job.Graph.Directed, s.ids(), edges)
}
