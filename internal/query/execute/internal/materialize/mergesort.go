package materialize

import (
	"container/heap"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// spill writes the records, sorted, to a file of their own.
func (s *sorting) spill() error {
	s.order()
	run, err := rows.NewSpool(s.frame.TempDir, len(s.keys)+len(s.live))
	if err != nil {
		return err
	}
	s.runs = append(s.runs, run)
	for _, record := range s.records {
		if err := run.Add(record); err != nil {
			return err
		}
	}
	s.Clear()
	s.records = nil
	return run.Rewind()
}

// mergeAll merges the runs (Knuth, The Art of Computer Programming 3, 5.4.1).
func (s *sorting) mergeAll(next frame.Emit) error {
	if err := s.spill(); err != nil {
		return err
	}
	m := &merging{sorting: s}
	for number, run := range s.runs {
		record, err := run.Next()
		if err != nil {
			return err
		}
		if record != nil {
			m.heads = append(m.heads, head{record, number})
		}
	}
	heap.Init(m)
	for left := s.most; len(m.heads) > 0 && left != 0; left-- {
		if err := s.emit(m.heads[0].record, next); err != nil {
			return err
		}
		if err := m.advance(); err != nil {
			return err
		}
	}
	return nil
}

// merging is a heap of the first records of runs. Of equal ones that of the earlier run comes
// first: the order of rows stays.
type merging struct {
	*sorting
	heads []head
}

type head struct {
	record []value.Value
	run    int
}

// advance puts the next record of its run in the place of the first.
func (m *merging) advance() (err error) {
	first := &m.heads[0]
	if first.record, err = m.runs[first.run].Next(); err != nil {
		return err
	}
	if first.record == nil {
		heap.Pop(m)
		return nil
	}
	heap.Fix(m, 0)
	return nil
}

func (m *merging) Len() int      { return len(m.heads) }
func (m *merging) Swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merging) Push(x any)    { m.heads = append(m.heads, x.(head)) }

func (m *merging) Less(i, j int) bool {
	a, b := m.heads[i], m.heads[j]
	if c := m.compare(a.record, b.record); c != 0 {
		return c < 0
	}
	return a.run < b.run
}

func (m *merging) Pop() any {
	last := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return last
}
