package damage

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/store"
)

// report is a damaged piece in JSON.
type report struct {
	Graph  string `json:"graph,omitempty"`
	Piece  string `json:"piece,omitempty"`
	File   string `json:"file,omitempty"`
	Offset *int64 `json:"offset,omitempty"`
	Error  string `json:"error"`
}

func reportOf(err error) report {
	r := report{Error: err.Error()}
	if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
		r.Graph, r.Piece = piece.Graph, piece.Kind
		if piece.Number >= 0 {
			r.Piece = fmt.Sprintf("%s %d", piece.Kind, piece.Number)
		}
	}
	if place := (*store.FileDamage)(nil); errors.As(err, &place) {
		r.File = place.File
		if place.Offset >= 0 {
			r.Offset = &place.Offset
		}
	}
	if model := (*trained.FormatError)(nil); errors.As(err, &model) {
		r.Piece, r.File = "model", model.File
	}
	return r
}

func reportsOf(damage []error) []report {
	reports := make([]report, len(damage))
	for i, err := range damage {
		reports[i] = reportOf(err)
	}
	return reports
}
