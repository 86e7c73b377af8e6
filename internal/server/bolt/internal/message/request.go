package message

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Form is the shape of a kind of requests.
type Form struct {
	Name   string
	Fields []value.Kind
}

// Decode reads the fields of a request.
func (f Form) Decode(decoder *packstream.Decoder, fields int) ([]value.Value, error) {
	if fields != len(f.Fields) {
		return nil, status.Violation("%s has %d fields, not %d", f.Name, len(f.Fields), fields)
	}
	values := make([]value.Value, fields)
	for i, kind := range f.Fields {
		v, err := decoder.Value()
		if err != nil {
			return nil, err
		}
		if v.Kind() != kind {
			return nil, status.Violation("field %d of %s is of type %s, not %s", i+1, f.Name, kind, v.Kind())
		}
		values[i] = v
	}
	return values, decoder.End()
}
