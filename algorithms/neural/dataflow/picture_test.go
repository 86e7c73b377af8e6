package dataflow_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A picture is well-formed, names every value that is computed, and has an arrow for each stage that reads what another
// has stored.
func TestSchedule_Picture(t *testing.T) {
	r := testseed.Rand(t)
	for range 20 {
		d := neuraltest.RandomData(r)
		p := neuraltest.Grow(r, false, d)
		s := dataflow.NewSchedule(p.Values, append(p.Gradients, p.Loss)...)
		var out strings.Builder
		if err := s.Picture(&out, "a < b"); err != nil {
			t.Fatal(err)
		}
		arrows, x := 0, xml.NewDecoder(strings.NewReader(out.String()))
		var text strings.Builder
		for {
			token, err := x.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				if token.Name.Local == "path" && token.Attr[1].Value == "none" {
					arrows++
				}
			case xml.CharData:
				text.Write(token)
			}
		}
		stages, want := append(append([]dataflow.Stage{}, s.Once...), s.Epoch...), 0
		for i, from := range stages {
			for _, v := range from.Stored {
				for _, to := range stages[i+1:] {
					if reads(to, v) {
						want++
					}
				}
			}
			for _, v := range computed(from) {
				if !strings.Contains(text.String(), v.String()) {
					t.Errorf("%v is not in the picture", v)
				}
			}
		}
		if arrows != want {
			t.Fatalf("%d arrows, want %d", arrows, want)
		}
	}
}

// computed are the values of a stage.
func computed(s dataflow.Stage) []*dataflow.Value {
	all := append(append([]*dataflow.Value{}, s.Sums...), s.Small...)
	for _, w := range s.Waves {
		all = append(append(append(all, w.Edges...), w.Gathers...), w.Rows...)
	}
	return all
}

func reads(s dataflow.Stage, v *dataflow.Value) bool {
	for _, made := range computed(s) {
		for _, a := range made.Args {
			if a == v && made != v {
				return true
			}
		}
	}
	return false
}
