package chunk_test

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Places are those entries of a list that stand there, by asking each.
func TestPlaces(t *testing.T) {
	for from := range uint32(6) {
		for to := range uint32(8) {
			for degree := range uint32(7) {
				p := chunk.Places{From: from, To: to}
				first, end := p.Within(degree)
				count := uint32(0)
				for i := range degree {
					in := i >= from && (to == 0 || i < to)
					if in {
						count++
					}
					if in != (first <= i && i < end) {
						t.Errorf("%+v of %d: [%d, %d), with %d %v", p, degree, first, end, i, in)
					}
				}
				if from <= to && p.In(degree) != count {
					t.Errorf("%+v of %d: %d entries; expected %d", p, degree, p.In(degree), count)
				}
			}
		}
	}
}

func TestDirection(t *testing.T) {
	for _, d := range []chunk.Direction{chunk.Out, chunk.In, chunk.Both} {
		if got, err := chunk.ParseDirection(d.String()); got != d || err != nil {
			t.Errorf("%v is read as %v, %v", d, got, err)
		}
	}
	if got, err := chunk.ParseDirection("up"); got != chunk.Out || err == nil {
		t.Errorf("up is read as %v", got)
	}
	if got := chunk.Direction(3).String(); got != "direction 3" {
		t.Error(got)
	}
}
