package adjacency

import (
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// maxVertices bounds what a header may declare, so that a damaged one is refused at once.
const maxVertices = 1 << 40

// rows walks lists of which the k-th line belongs to the k-th vertex. A blank line is
// an empty list.
type rows struct {
	count    int64 // vertices, and so lines
	base     int64 // the first vertex
	comment  byte  // starts a line that is skipped; 0: there are none
	weighted bool  // a weight follows each neighbor
}

// walk visits all entries after the header, from which lines has just come.
func (r rows) walk(lines *input.Lines, visit func(src, dst int64, weight float64) error) error {
	for vertex := r.base; vertex < r.base+r.count; vertex++ {
		if !r.next(lines) {
			if err := lines.Err(); err != nil {
				return err
			}
			return lines.Bad(0, fmt.Sprintf("the end before the list of vertex %d", vertex), fmt.Sprintf("%d lists", r.count))
		}
		if err := r.list(lines, vertex, visit); err != nil {
			return err
		}
	}
	for r.next(lines) {
		var fields input.Fields
		if fields.Count(lines.Bytes()) > 0 {
			return lines.BadLine(fmt.Sprintf("the end after %d lists", r.count))
		}
	}
	return lines.Err()
}

func (r rows) next(lines *input.Lines) bool {
	for lines.Next() {
		if line := lines.Bytes(); r.comment == 0 || len(line) == 0 || line[0] != r.comment {
			return true
		}
	}
	return false
}

func (r rows) list(lines *input.Lines, vertex int64, visit func(src, dst int64, weight float64) error) error {
	var fields input.Fields
	for fields.Reset(lines.Bytes()); ; {
		field, ok := fields.Next()
		if !ok {
			return nil
		}
		neighbor, ok := formats.ParseID(string(field))
		if !ok || neighbor < r.base || neighbor >= r.base+r.count {
			return lines.Bad(fields.Column, "neighbor "+input.Quote(field),
				fmt.Sprintf("a vertex from %d to %d", r.base, r.base+r.count-1))
		}
		weight, err := r.weight(lines, &fields)
		if err != nil {
			return err
		}
		if err := visit(vertex, neighbor, weight); err != nil {
			return err
		}
	}
}

func (r rows) weight(lines *input.Lines, fields *input.Fields) (float64, error) {
	if !r.weighted {
		return 0, nil
	}
	field, _ := fields.Next()
	weight, ok := input.ParseFloat(field)
	if !ok {
		return 0, lines.Bad(fields.Column, "weight "+input.Quote(field), "a finite number after each neighbor")
	}
	return weight, nil
}
