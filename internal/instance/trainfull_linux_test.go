package instance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/store"
)

// A folder for temporary files that has no room for rows, or for rows but not for cells, is named, and nothing is left
// there. With as much as the files take training succeeds.
func TestTrain_PiecesDiskFull(t *testing.T) {
	db := tangle(t, rand.New(rand.NewPCG(1, 1)), 2000, formats.Directed)
	model, _ := neural.Lookup("gcn")
	model.Training.Epochs = 2
	request := host.TrainRequest{Model: model, Label: "grade", Split: "0.6,0.2,0.2",
		Features: neural.FeatureSpec{Property: "x"}}
	whole, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	request.DeviceMemory = whole.Report.Peak * 3 / 4
	free, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
	if err != nil || free.Report.Pieces == nil {
		t.Fatalf("%v, %+v", err, free)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	all := free.Report.Pieces.Files
	for size, fits := range map[uint64]bool{20 << 10: false, all / 3: false, all + 64<<10: true} {
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			t.Skip("needs the right to mount a small file system: run it as root: ", err)
		}
		_, err := db.Train(t.Context(), "g", request, host.TrainEvents{})
		var full *store.DiskFullError
		if fits != (err == nil) || !fits && (!errors.As(err, &full) || !strings.Contains(err.Error(), dir) ||
			!strings.Contains(err.Error(), "TMPDIR")) {
			t.Errorf("%d bytes for files of %d: %v", size, all, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v, %v are left", err, left)
		}
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
	}
}
