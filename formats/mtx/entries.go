package mtx

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// coordinates reads "row column value" lines.
func (s *source) coordinates(edges *batch.Edges) error {
	for range s.entries {
		if !s.nextEntry() {
			return s.tooFew()
		}
		row, col, err := s.place()
		if err != nil {
			return err
		}
		if err := s.addEntry(edges, row, col); err != nil {
			return err
		}
	}
	return s.expectEnd()
}

// array reads one value a line, column by column; a symmetric matrix has only those on
// or below the diagonal, a skew-symmetric one only those below.
func (s *source) array(edges *batch.Edges) error {
	for col := int64(1); col <= s.cols; col++ {
		for row := s.firstRow(col); row <= s.rows; row++ {
			if !s.nextEntry() {
				return s.tooFew()
			}
			if err := s.addEntry(edges, row, col); err != nil {
				return err
			}
		}
	}
	return s.expectEnd()
}

func (s *source) firstRow(col int64) int64 {
	switch s.symmetry {
	case "symmetric":
		return col
	case "skew-symmetric":
		return col + 1
	}
	return 1
}

func (s *source) place() (row, col int64, err error) {
	if row, err = s.index("row", s.rows); err != nil {
		return 0, 0, err
	}
	if col, err = s.index("column", s.cols); err != nil {
		return 0, 0, err
	}
	if row == col && s.symmetry == "skew-symmetric" {
		return 0, 0, s.lines.Bad(0, fmt.Sprintf("row and column %d in a skew-symmetric matrix", row),
			"no entry on the diagonal, which is zero")
	}
	return row, col, nil
}

func (s *source) index(what string, limit int64) (int64, error) {
	field, ok := s.fields.Next()
	n, integer := formats.ParseID(string(field))
	if !ok || !integer || n < 1 || n > limit {
		return 0, s.lines.Bad(s.fields.Column, what+" "+input.Quote(field), fmt.Sprintf("a %s from 1 to %d", what, limit))
	}
	return n, nil
}

// addEntry reads the value at the line's end and adds the edge, and of a skew-symmetric
// matrix the one back.
func (s *source) addEntry(edges *batch.Edges, row, col int64) error {
	var x float64
	var n int64
	var err error
	switch s.field {
	case "real":
		x, err = s.real()
	case "integer":
		n, err = s.integer()
		x = float64(n)
	}
	if err != nil {
		return err
	}
	if field, more := s.fields.Next(); more {
		return s.lines.Bad(s.fields.Column, input.Quote(field)+" after the entry", "the end of the line")
	}
	if s.dense && x == 0 {
		return nil
	}
	if err := s.add(edges, row, col, x, n); err != nil || s.symmetry != "skew-symmetric" {
		return err
	}
	return s.add(edges, col, row, -x, -n)
}

func (s *source) add(edges *batch.Edges, src, dst int64, x float64, n int64) error {
	switch s.field {
	case "real":
		edges.Float(0).Append(x)
	case "integer":
		edges.Int(0).Append(n)
	}
	return edges.Add(src, dst, s.lines.Number())
}

func (s *source) real() (float64, error) {
	field, _ := s.fields.Next()
	x, ok := input.ParseFloat(field)
	if !ok || !s.kind.holdsReal(x) {
		return 0, s.badValue(field, "a finite number")
	}
	return x, nil
}

// integer also refuses the smallest int64 in a skew-symmetric matrix, as it has no negative.
func (s *source) integer() (int64, error) {
	field, _ := s.fields.Next()
	n, ok := input.ParseInt(field)
	if !ok || !s.kind.holdsInt(n) || n == math.MinInt64 && s.symmetry == "skew-symmetric" {
		return 0, s.badValue(field, "an integer from -9223372036854775808 to 9223372036854775807")
	}
	return n, nil
}

func (s *source) badValue(field []byte, expected string) error {
	if s.kind != nil {
		expected = s.kind.String()
	}
	return s.lines.Bad(s.fields.Column, "value "+input.Quote(field), expected)
}

func (s *source) tooFew() error {
	if err := s.lines.Err(); err != nil {
		return err
	}
	expected := fmt.Sprintf("the %d that line %d announces", s.entries, s.size.Line)
	if s.dense {
		expected = fmt.Sprintf("all values of the %d rows that line %d announces", s.rows, s.size.Line)
	}
	return s.lines.Bad(0, "the end after too few entries", expected)
}

func (s *source) expectEnd() error {
	if s.nextEntry() {
		return s.lines.BadLine(fmt.Sprintf("the end: line %d announces no more entries", s.size.Line))
	}
	return s.lines.Err()
}
