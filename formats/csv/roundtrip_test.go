package csv

import (
	"context"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graphtest"
	"github.com/penstock-db/penstock/formats/input"
)

// open is Open by paths.
func open(ctx context.Context, paths []string, opts formats.Options) (formats.Source, error) {
	files, err := input.OpenAll(paths, opts)
	if err != nil {
		return nil, err
	}
	return Open(ctx, files, opts)
}

func TestWrite_RoundTrip(t *testing.T) { graphtest.RoundTrip(t, Write, open) }
