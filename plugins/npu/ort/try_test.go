package ort_test

import (
	"context"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// The npm package's library has no provider but the processor's.
func TestTry_TellsWhatComputes(t *testing.T) {
	r := orttest.Runtime(t)
	for _, p := range ort.All {
		switch err := r.Try(context.Background(), ort.Options{Provider: p}); {
		case p == ort.CPU:
			must(t, err)
		case r.Has(p):
			t.Logf("%s: %v", p, err)
		case !isCode(err, ort.MissingProvider):
			t.Errorf("%s: %v", p, err)
		}
	}
	if err := r.Try(context.Background(), ort.Options{Settings: map[string]string{"device_id": "0"}}); !isCode(err,
		ort.InvalidArgument) {
		t.Errorf("a setting that the provider does not have: %v", err)
	}
}
