package materialize

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
)

// sorting is a Sort at work. A row's record is its keys, then its live slots.
type sorting struct {
	*budget.Tally
	frame   *frame.Frame
	keys    []Key
	live    []int
	most    int64 // records worth keeping; < 0: all
	records [][]value.Value
	runs    []*rows.Spool // sorted records that memory had no room for
}

// Key is what rows are sorted by.
type Key struct {
	Value      expression.Evaluator
	Descending bool
}

// Sort emits rows in order, of which the live slots are kept. It keeps no more rows than most says; nil: all.
func Sort(f *frame.Frame, input frame.Input, keys []Key, live []int, most func() (int64, error),
	next frame.Emit) frame.Emit {
	s := &sorting{Tally: f.Budget.Tally("ORDER BY"), frame: f, keys: keys, live: live}
	run := input(s.take)
	return func() (err error) {
		defer s.drop()
		s.most = -1
		if most != nil {
			if s.most, err = most(); err != nil {
				return err
			}
		}
		if err := run(); err != nil {
			return err
		}
		s.order()
		if len(s.runs) > 0 {
			return s.mergeAll(next)
		}
		return s.emitAll(next)
	}
}

// take keeps a row. Of a Top, records are cut to the best each time there are twice as many.
func (s *sorting) take() error {
	record := make([]value.Value, 0, len(s.keys)+len(s.live))
	for _, key := range s.keys {
		v, err := key.Value()
		if err != nil {
			return err
		}
		record = append(record, v)
	}
	for _, slot := range s.live {
		record = append(record, s.frame.Row[slot])
	}
	if err := s.makeRoom(record); err != nil {
		return err
	}
	s.records = append(s.records, record)
	if s.most >= 0 && int64(len(s.records)) >= 2*s.most+1024 {
		s.order()
	}
	return nil
}

// makeRoom charges a record, which is yet to be appended. Where there is no room for it, those so
// far are written as a sorted run.
func (s *sorting) makeRoom(record []value.Value) (err error) {
	bytes := budget.Sizes(record) + budget.Growth(s.records, 1)
	if (!s.Within(bytes) || s.Crowded(bytes)) && len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if err := s.Add(budget.Sizes(record)); err != nil {
		return err
	}
	s.records, err = budget.Grown(s.Tally, s.records, 1)
	return err
}

// order sorts the records, and drops those that will not be given on. Rows that are equal in
// their keys stay in order.
func (s *sorting) order() {
	slices.SortStableFunc(s.records, s.compare)
	if s.most < 0 || int64(len(s.records)) <= s.most {
		return
	}
	for _, record := range s.records[s.most:] {
		s.Less(budget.Sizes(record))
	}
	clear(s.records[s.most:])
	s.records = s.records[:s.most]
}

func (s *sorting) compare(a, b []value.Value) int {
	for i := range s.keys {
		if c := value.Order(a[i], b[i]); c != 0 {
			if s.keys[i].Descending {
				return -c
			}
			return c
		}
	}
	return 0
}

func (s *sorting) emitAll(next frame.Emit) error {
	for _, record := range s.records {
		if err := s.emit(record, next); err != nil {
			return err
		}
	}
	return nil
}

func (s *sorting) emit(record []value.Value, next frame.Emit) error {
	for i, slot := range s.live {
		s.frame.Row[slot] = record[len(s.keys)+i]
	}
	if err := s.frame.Tick(); err != nil {
		return err
	}
	return s.frame.Pass(next)
}

func (s *sorting) drop() {
	for _, run := range s.runs {
		run.Drop()
	}
	s.Clear()
	s.records, s.runs = nil, nil
}
