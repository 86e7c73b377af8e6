package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
)

// sorting is a Sort at work. A row's record is its keys, then its live slots.
type sorting struct {
	*plan.Sort
	*frame
	keys    []evaluator
	most    int64 // records worth keeping; < 0: all
	records [][]value.Value
	bytes   int64
	runs    []*spool // sorted records that memory had no room for
}

func (b *builder) sort(o *plan.Sort, next emit) emit {
	s := &sorting{Sort: o, frame: b.frame}
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
	if err := s.charge(record); err != nil {
		return err
	}
	s.records = append(s.records, record)
	if s.most >= 0 && int64(len(s.records)) >= 2*s.most+1024 {
		s.order()
	}
	return nil
}

// recordBytes is what a record takes, with the slice that leads to it.
func recordBytes(record []value.Value) int64 { return sizes(record) + valueBytes }

// charge makes room for a record: where there is none, those so far are written as a sorted run.
func (s *sorting) charge(record []value.Value) error {
	bytes := recordBytes(record)
	if !s.fits(bytes) && len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if err := s.hold("ORDER BY", bytes); err != nil {
		return err
	}
	s.bytes += bytes
	return nil
}

// order sorts the records, and drops those that will not be given on. Rows that are equal in
// their keys stay in order.
func (s *sorting) order() {
	slices.SortStableFunc(s.records, s.compare)
	if s.most < 0 || int64(len(s.records)) <= s.most {
		return
	}
	for _, record := range s.records[s.most:] {
		bytes := recordBytes(record)
		s.bytes -= bytes
		s.release(bytes)
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
	return next()
}

func (s *sorting) drop() {
	for _, run := range s.runs {
		run.drop()
	}
	s.release(s.bytes)
	s.records, s.bytes, s.runs = nil, 0, nil
}
