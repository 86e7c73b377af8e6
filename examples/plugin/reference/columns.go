package reference

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// openColumns finds the vertex columns and the active set in the arena.
func (s *session) openColumns() error {
	n := s.job.Graph.Vertices
	s.columns = map[string]algorithms.Values{}
	for _, c := range s.task.Layout.Columns {
		values, err := s.openColumn(c)
		if err != nil || uint64(values.Len()) < n {
			return plugins.Errorf(plugins.KindInvalid, "column %s: %d values for %d vertices: %w", c.Name, values.Len(), n, err)
		}
		s.columns[c.Name] = values
	}
	if p := s.task.Program; p != nil {
		for _, c := range algorithms.VertexColumns(p) {
			if _, ok := s.columns[c.Name]; !ok {
				return plugins.Errorf(plugins.KindInvalid, "the layout has no column %s", c.Name)
			}
		}
	}
	var err error
	if s.active, err = s.job.Arena.Uint64s(s.task.Layout.Active); err != nil || uint64(len(s.active)) < (n+63)/64 {
		return plugins.Errorf(plugins.KindInvalid, "%d words of active set for %d vertices: %w", len(s.active), n, err)
	}
	return nil
}

func (s *session) openColumn(c plugins.VertexColumn) (values algorithms.Values, err error) {
	values.Column = c.Column
	switch c.Type {
	case algorithms.Float:
		values.Floats, err = s.job.Arena.Float64s(c.Range)
	case algorithms.Bool:
		var b []byte
		b, err = s.job.Arena.Bytes(c.Range)
		values.Bools = bools(b)
	default:
		values.Ints, err = s.job.Arena.Int64s(c.Range)
	}
	return values, err
}

// ids is the id of every vertex; its dense number when the task does not use ids.
func (s *session) ids() []int64 {
	if column, ok := s.columns["id"]; ok {
		return column.Ints[:s.job.Graph.Vertices]
	}
	ids := make([]int64, s.job.Graph.Vertices)
	for v := range ids {
		ids[v] = int64(v)
	}
	return ids
}

// degrees are lists that have the lengths in a column and nothing in them; zero lengths
// when the task does not use that column.
func (s *session) degrees(column string) algorithms.Lists {
	l := algorithms.Lists{Offsets: make([]int, s.job.Graph.Vertices+1), Columns: map[string][]float64{}}
	for _, name := range s.task.Program.EdgeColumns {
		l.Columns[name] = nil
	}
	if lengths, ok := s.columns[column]; ok {
		for v := range s.job.Graph.Vertices {
			l.Offsets[v+1] = l.Offsets[v] + int(lengths.Ints[v])
		}
	}
	return l
}

// write puts computed columns and the active set into the arena.
func (s *session) write(columns []algorithms.Values, active []bool) {
	for _, from := range columns {
		to := s.columns[from.Name]
		copy(to.Floats, from.Floats)
		copy(to.Ints, from.Ints)
		copy(to.Bools, from.Bools)
	}
	clear(s.active)
	for v, is := range active {
		if is {
			s.active[v/64] |= 1 << (v % 64)
		}
	}
}
