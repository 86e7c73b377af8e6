package instance

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega/linear"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Regressions come to the objectives that LIBLINEAR finds for a9a with C = 1 and no bias, which its authors' own
// programs print.
func TestRegress_Published(t *testing.T) {
	long.Unraced(t)
	file := filepath.Join("..", "..", "..", "shared", "data", "libsvm-a9a", "a9a")
	if _, err := os.Stat(file); err != nil {
		t.Skip("needs the data of libsvm's a9a: ", err)
	}
	db, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Load(t.Context(), "a9a", []string{file}, LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		objective float64
		weights   int
		further   float64 // than its last epoch it comes
	}{"lr": {10529.5626, 123, 0}, "blockpg": {10558.7234, 96, 0.2}} {
		request := host.DefaultRegression(name)
		request.Split = "1,0,0"
		got, err := Learn(t.Context(), db, "a9a", request, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		f := *got.Report.Learner.Objective
		t.Logf("%s: %v, %d weights that are not 0", name, f, *got.Report.Learner.NonZero)
		weights := *got.Report.Learner.NonZero
		if math.Abs(f-want.objective) > 1e-4*want.objective || max(weights-want.weights, want.weights-weights) > 5 {
			t.Errorf("%s: the objective is %v with %d weights, want %v with %d", name, f, weights, want.objective, want.weights)
		}
		loss := 32561 * got.Report.Epochs[len(got.Report.Epochs)-1].Loss
		if loss < f*(1-1e-3) || loss > f*(1+1e-3+want.further) {
			t.Errorf("%s: it told of %v at last; the objective is %v", name, loss, f)
		}
	}
}

// TestRegress_Converges: with a small penalty, and with features of any scale, a regression is not over before it has
// come near the best, by its defaults; and one that has too few epochs says so.
func TestRegress_Converges(t *testing.T) {
	s, file := unscaled(t, testseed.Rand(t))
	db, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Load(t.Context(), "g", []string{file}, LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	few := 0
	for _, l2 := range []float64{1e-4, 1, 300} {
		params := linear.Defaults()
		params.L2 = l2
		best, err := linear.Newton(s, params)
		if err != nil {
			t.Fatal(err)
		}
		want := s.Objective(best, 0, l2)
		request := host.DefaultRegression("lr")
		request.Split, request.L2 = "1,0,0", l2
		learned := func() (converged bool) {
			var noticed error
			got, err := Learn(t.Context(), db, "g", request, host.TrainEvents{Noticed: func(err error) { noticed = err }})
			if err != nil {
				t.Fatal(err)
			}
			l := got.Report.Learner
			if l.Primal != (l2 < 100) {
				t.Errorf("l2 %v: it went along features: %v", l2, l.Primal)
			}
			var said *host.UnconvergedError
			if converged = *l.Converged; errors.As(noticed, &said) == converged {
				t.Errorf("l2 %v: converged is %v in %d epochs, %s; noticed %v", l2, converged, got.Model.Epochs, l.Distance(), noticed)
			}
			if off := *l.Objective/want - 1; converged && off > 1.01*request.Tolerance {
				t.Errorf("l2 %v: converged, and %v above the least, as a share: %s", l2, off, l.Distance())
			}
			return converged
		}
		if !learned() {
			t.Errorf("l2 %v: it has not converged", l2)
		}
		if request.Epochs = 1; !learned() {
			few++
		}
	}
	if few == 0 {
		t.Error("one epoch was enough each time: this is no test")
	}
}

// unscaled are samples whose features are of scales from 0.01 to 100, and their file.
func unscaled(t *testing.T, r *rand.Rand) (s linear.Samples, file string) {
	const features = 8
	s = linear.Samples{Features: features, Offsets: []int{0}}
	var text strings.Builder
	for range 300 {
		margin := 0.0
		var row strings.Builder
		for j := range features {
			x := r.NormFloat64()
			margin += x * float64(j%3-1)
			x *= math.Pow(10, float64(j%5-2))
			x = float64(float32(x))
			s.Index, s.Values = append(s.Index, uint32(j)), append(s.Values, x)
			fmt.Fprintf(&row, " %d:%v", j+1, x)
		}
		y := -1.0
		if r.Float64() < 1/(1+math.Exp(-margin)) {
			y = 1
		}
		s.Labels, s.Offsets = append(s.Labels, y), append(s.Offsets, len(s.Index))
		fmt.Fprintf(&text, "%v%s\n", y, row.String())
	}
	file = filepath.Join(t.TempDir(), "unscaled.svm")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return s, file
}
