package parquet

import (
	"testing"

	"github.com/penstock-db/penstock/formats/graphtest"
)

func TestWrite_RoundTrip(t *testing.T) { graphtest.RoundTrip(t, Write, Open) }
