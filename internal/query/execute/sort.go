package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// sorting is a Sort at work. A row's record is its keys, then its live slots.
type sorting struct {
	*plan.Sort
	*tally
	keys    []evaluator
	most    int64 // records worth keeping; < 0: all
	records [][]value.Value
	runs    []*spool // sorted records that memory had no room for
}

func (b *builder) sort(o *plan.Sort, next emit) emit {
	s := &sorting{Sort: o, tally: b.tally("ORDER BY")}
	for _, key := range o.Keys {
		s.keys = append(s.keys, b.expression(key.Expression))
	}
	most := b.mostRows(o)
	run := b.operator(o.Input, s.take)
	return func() (err error) {
		defer s.drop()
		if s.most, err = most(); err != nil {
			return err
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

// mostRows is the sum of SKIP and LIMIT.
func (b *builder) mostRows(o *plan.Sort) func() (int64, error) {
	if o.Limit == nil {
		return func() (int64, error) { return -1, nil }
	}
	limit, skip := b.count("LIMIT", o.Limit), func() (int64, error) { return 0, nil }
	if o.Skip != nil {
		skip = b.count("SKIP", o.Skip)
	}
	return func() (int64, error) {
		n, err := limit()
		if err != nil {
			return 0, err
		}
		m, err := skip()
		return max(n, n+m), err
	}
}

// take keeps a row. Of a Top, records are cut to the best each time there are twice as many.
func (s *sorting) take() error {
	record := make([]value.Value, 0, len(s.keys)+len(s.Live))
	for _, key := range s.keys {
		v, err := key()
		if err != nil {
			return err
		}
		record = append(record, v)
	}
	for _, slot := range s.Live {
		record = append(record, s.row[slot])
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

// leastSpilled is how many bytes are worth a file when others have the memory.
const leastSpilled = 1 << 20

// makeRoom charges a record, which is yet to be appended. Where there is no room for it, those so
// far are written as a sorted run.
func (s *sorting) makeRoom(record []value.Value) (err error) {
	bytes := sizes(record) + growth(s.records, 1)
	full := !s.memory.within(bytes) || s.bytes > leastSpilled && !s.fits(bytes)
	if full && len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if err := s.add(sizes(record)); err != nil {
		return err
	}
	s.records, err = grown(s.tally, s.records, 1)
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
		s.less(sizes(record))
	}
	clear(s.records[s.most:])
	s.records = s.records[:s.most]
}

func (s *sorting) compare(a, b []value.Value) int {
	for i := range s.keys {
		if c := value.Order(a[i], b[i]); c != 0 {
			if s.Keys[i].Descending {
				return -c
			}
			return c
		}
	}
	return 0
}

func (s *sorting) emitAll(next emit) error {
	for _, record := range s.records {
		if err := s.emit(record, next); err != nil {
			return err
		}
	}
	return nil
}

func (s *sorting) emit(record []value.Value, next emit) error {
	for i, slot := range s.Live {
		s.row[slot] = record[len(s.keys)+i]
	}
	if err := s.tick(); err != nil {
		return err
	}
	return s.pass(next)
}

func (s *sorting) drop() {
	for _, run := range s.runs {
		run.drop()
	}
	s.clear()
	s.records, s.runs = nil, nil
}
