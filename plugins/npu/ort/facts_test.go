package ort_test

import (
	"math"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// round is v as the type keeps it.
func round(t onnx.Type, v float64) float64 {
	switch t {
	case onnx.Float16:
		return float64(onnx.HalfOf(float32(v)).Float32())
	case onnx.Float32:
		return float64(float32(v))
	}
	return v
}

func TestFacts_HoldForTheirType(t *testing.T) {
	for _, p := range ort.All {
		f := p.Facts()
		if f.Provider != p || f.Bucket == 0 || !slices.Contains(f.Types, f.Float) || p.Name() == "" {
			t.Errorf("%s: %+v", p, f)
		}
		if f.Status != ort.Untested && p != ort.CPU {
			t.Errorf("%s is said to be %s", p, f.Status)
		}
		exact := float64(f.Exact)
		if round(f.Float, exact) != exact || round(f.Float, exact-1) != exact-1 ||
			int64(round(f.Float, float64(f.Exact+1))) == f.Exact+1 {
			t.Errorf("%s: %v is not the largest whole number up to which %v holds all", p, exact, f.Float)
		}
		twice := round(f.Float, 2*f.Infinity)
		if round(f.Float, f.Infinity) < exact || twice < f.Infinity || math.IsInf(twice, 1) != math.IsInf(f.Infinity, 1) {
			t.Errorf("%s: infinity %v in %v, twice %v", p, f.Infinity, f.Float, twice)
		}
	}
}

func TestParseProvider(t *testing.T) {
	for _, p := range ort.All {
		if parsed, err := ort.ParseProvider(string(p)); parsed != p || err != nil {
			t.Errorf("%s: %v, %v", p, parsed, err)
		}
	}
	if _, err := ort.ParseProvider("Cuda"); err == nil {
		t.Error("Cuda was taken")
	}
}
