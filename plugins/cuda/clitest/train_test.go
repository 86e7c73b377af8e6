package clitest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/blas"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// training is what a report says of one.
type training struct {
	Model    string
	Loss     float64
	Accuracy struct{ Train, Validation, Test float64 }
	Device   string
	Kernel   string
	Peak     uint64 `json:"peak_device_bytes"`
	Batches  *struct {
		Batch int
	}
	Pieces *struct{ Intervals, Expected uint64 }
	Bytes  struct{ Transfer uint64 }
}

// train trains a model on the graph blocks, on a device.
func (h *home) train(device, model string, flags ...string) training {
	h.t.Helper()
	arguments := append([]string{"train", model, "--graph", "blocks", "--features", "features", "--label", "class",
		"--epochs", "5", "--device", device, "--json", "--seed", "3"}, flags...)
	var report training
	if err := json.Unmarshal([]byte(h.penstock(arguments...)), &report); err != nil {
		h.t.Fatal(err)
	}
	return report
}

// What is learned on the card is what is learned on the processor, to single precision; twice, it is the same to the
// bit, and predicts the same.
func TestTrain(t *testing.T) {
	h := newHome(t)
	h.penstock("generate", "blocks", "--kind", "sbm", "--scale", "7", "--classes", "4", "--signal", "0.5")
	for _, model := range []string{"gcn", "gat"} {
		t.Run(model, func(t *testing.T) {
			h := h.of(t)
			want, got := h.train("cpu", model), h.train("cuda", model, "--save", model, "--replace")
			if again := h.train("cuda", model); again.Loss != got.Loss {
				t.Errorf("loss %v, and then %v", got.Loss, again.Loss)
			}
			if math.Abs(got.Loss-want.Loss) > 1e-3*want.Loss {
				t.Errorf("loss %v; expected %v, as on the processor", got.Loss, want.Loss)
			}
			if got.Device != "cuda" || got.Peak == 0 {
				t.Errorf("%+v", got)
			}
			h.refused([]string{"train", model, "--graph", "blocks", "--features", "features", "--label", "class", "--device",
				"cuda", "--device-memory", "2000B"}, "need", "budget") // less than the least pieces take
			predict := func(device string) string {
				h.penstock("predict", "--graph", "blocks", model, "--device", device, "--out", h.file("p.csv"))
				rows, err := os.ReadFile(h.file("p.csv"))
				if err != nil {
					t.Fatal(err)
				}
				return string(rows)
			}
			if first, second := predict("cuda"), predict("cuda"); first != second || strings.Count(first, "\n") != 129 {
				t.Errorf("predictions %.200s, and then %.200s", first, second)
			}
		})
	}
}

// What is learned of sampled neighborhoods on the card is what is learned of them on the processor.
func TestTrain_Batches(t *testing.T) {
	h := newHome(t)
	h.penstock("generate", "blocks", "--kind", "sbm", "--scale", "7", "--classes", "4", "--signal", "0.5")
	for _, model := range []string{"sage", "gat"} {
		flags := []string{"--batch", "32", "--fanout", "5,3"}
		want, got := h.train("cpu", model, flags...), h.train("cuda", model, flags...)
		if again := h.train("cuda", model, flags...); again.Loss != got.Loss {
			t.Errorf("%s: loss %v, and then %v", model, got.Loss, again.Loss)
		}
		if math.Abs(got.Loss-want.Loss) > 1e-5*want.Loss {
			t.Errorf("%s: loss %v; expected %v, as on the processor", model, got.Loss, want.Loss)
		}
		if got.Batches == nil || got.Device != "cuda" || got.Peak == 0 {
			t.Errorf("%s: %+v", model, got)
		}
	}
}

// A network that does not fit the card is computed piece by piece, on a card that has no more than the budget: the
// driver counts. What comes and goes is what the host says beforehand, and the losses are those of all at once.
func TestTrain_Pieces(t *testing.T) {
	h := newHome(t)
	h.penstock("generate", "blocks", "--kind", "sbm", "--scale", "8", "--classes", "4", "--signal", "0.5", "--features",
		"1024")
	want := h.train("cuda", "gat")
	budget := want.Peak / 2
	h = h.telling(fmt.Sprintf("MEMORY=%d", budget))
	got := h.train("cuda", "gat", "--device-memory", fmt.Sprintf("%dB", budget))
	if math.Abs(got.Loss-want.Loss) > 1e-5*want.Loss {
		t.Errorf("loss %v; expected %v, as with all of it on the card", got.Loss, want.Loss)
	}
	if got.Pieces == nil || got.Pieces.Intervals < 2 || got.Bytes.Transfer != got.Pieces.Expected {
		t.Errorf("%+v comes and goes by %+v", got.Bytes, got.Pieces)
	}
	if got.Peak > budget || want.Pieces != nil {
		t.Errorf("%d bytes of %d; before %+v", got.Peak, budget, want.Pieces)
	}
}

// cuBLAS multiplies matrices where there is one, and a kernel where there is none, or where that is asked for.
// The report says which.
func TestTrain_Products(t *testing.T) {
	h := faulty(t)
	h.penstock("generate", "blocks", "--kind", "sbm", "--scale", "6", "--signal", "0.5")
	with := func(variables ...string) *home {
		other := h.of(t)
		other.environment = append(slices.Clone(h.environment), variables...)
		return other
	}
	library := blas.LibraryVariable + "=" + softcuda.Blas(t)
	want := with(blas.LibraryVariable+"=none").train("cuda", "gcn")
	got := with(library).train("cuda", "gcn")
	if want.Kernel != "cuda network, tiled products" || got.Kernel != "cuda network, products by cuBLAS 12.99" {
		t.Errorf("kernels %q and %q", want.Kernel, got.Kernel)
	}
	if math.Abs(got.Loss-want.Loss) > 1e-3*want.Loss || got.Peak != want.Peak+blas.WorkspaceBytes {
		t.Errorf("%+v; expected %+v, and a workspace more", got, want)
	}
	if other := with(library, "PENSTOCK_CUDA_PRODUCTS=tiled").train("cuda", "gcn"); other != want {
		t.Errorf("%+v; expected %+v", other, want)
	}
	arguments := []string{"train", "gcn", "--graph", "blocks", "--features", "features", "--label", "class", "--device",
		"cuda"}
	with(library).telling("BLAS_FAIL=3").refused(arguments, "device cuda", "cublasSgemm: execution failed (status 13)")
	with(blas.LibraryVariable+"=none", "PENSTOCK_CUDA_PRODUCTS=cublas").refused(arguments, "there is no cuBLAS", "none")
	with("PENSTOCK_CUDA_PRODUCTS=fast").refused(arguments, `products "fast": there are cublas and tiled`)
}
