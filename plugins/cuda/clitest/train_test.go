package clitest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// training is what a report says of one.
type training struct {
	Model    string
	Loss     float64
	Accuracy struct{ Train, Validation, Test float64 }
	Device   string
	Peak     uint64 `json:"peak_device_bytes"`
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
				"cuda", "--device-memory", fmt.Sprintf("%dB", got.Peak/2)}, "device cuda", "over budget", "need")
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
