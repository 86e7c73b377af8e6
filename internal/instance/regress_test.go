package instance

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/long"
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
	for name, want := range map[string]struct{ objective, within float64 }{
		"lr": {10529.5626, 1e-4}, "blockpg": {10558.72, 1e-3}} {
		request := host.DefaultRegression(name)
		request.Split = "1,0,0"
		got, err := Learn(t.Context(), db, "a9a", request, host.TrainEvents{})
		if err != nil {
			t.Fatal(err)
		}
		f := *got.Report.Learner.Objective
		t.Logf("%s: %v, %d weights that are not 0", name, f, *got.Report.Learner.NonZero)
		if math.Abs(f-want.objective) > want.within*want.objective {
			t.Errorf("%s: the objective is %v, want %v", name, f, want.objective)
		}
		if loss := got.Report.Epochs[len(got.Report.Epochs)-1].Loss; math.Abs(loss*32561-f) > 1e-3*f {
			t.Errorf("%s: it told of %v a sample at last; the objective is %v", name, loss, f/32561)
		}
	}
}
