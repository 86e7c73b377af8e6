package instance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// factorized is a database with ratings of a file, and a model of them by the defaults, learned from them all.
func factorized(t *testing.T, file string) (*DB, *host.Trained) {
	t.Helper()
	db, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var options LoadOptions
	options.Left.Label, options.Right.Label = "User", "Item"
	if _, err := db.Load(t.Context(), "ratings", []string{file}, options); err != nil {
		t.Fatal(err)
	}
	request := host.DefaultFactorization("mf")
	request.Split = "1,0,0"
	learned, err := Learn(t.Context(), db, "ratings", request, host.TrainEvents{})
	if err != nil {
		t.Fatal(err)
	}
	return db, learned
}

// saidOf is what a model says of the ratings in a file.
func saidOf(t *testing.T, db *DB, m *host.Trained, file string) *PairPredictions {
	t.Helper()
	source, err := OpenPairs(t.Context(), db, "ratings", file)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	said, err := PredictPairs(t.Context(), db, "ratings", m.Model, source, host.On{})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// On LIBMF's own ratings, where that program comes to 1.008, and the mean and two biases to 0.908, factors with biases
// are better by their defaults.
func TestFactorize_BeatsTwoBiases(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "libmf-demo")
	test, err := os.ReadFile(filepath.Join(folder, "real_matrix.te.txt"))
	if err != nil {
		t.Skip("needs the demonstration of LIBMF: ", err)
	}
	db, m := factorized(t, filepath.Join(folder, "real_matrix.tr.txt"))
	said, sum := saidOf(t, db, m, filepath.Join(folder, "real_matrix.te.txt")).Values, 0.0
	for i, line := range strings.Split(strings.TrimSpace(string(test)), "\n") {
		var u, v int
		var rating float64
		if _, err := fmt.Sscan(line, &u, &v, &rating); err != nil {
			t.Fatal(err)
		}
		sum += (rating - said[i]) * (rating - said[i])
	}
	if rmse := math.Sqrt(sum / float64(len(said))); rmse > 0.908 {
		t.Errorf("the error is %.4f", rmse)
	}
}

// TestFactorize_InAnyUnit: what is learned of ratings in another unit is the same in that unit, for powers of four,
// whose roots are exact, and else but for where the range of deviations that count as 1 ends.
func TestFactorize_InAnyUnit(t *testing.T) {
	r := testseed.Rand(t)
	const users, items, rank = 80, 50, 2
	factors := make([][rank]float64, users+items)
	for v := range factors {
		for k := range rank {
			factors[v][k] = r.NormFloat64()
		}
	}
	type rating struct {
		u, i  int
		value float32
	}
	var all []rating
	for u := range users {
		for i := range items {
			if x := factors[u][0]*factors[users+i][0] + factors[u][1]*factors[users+i][1]; r.IntN(2) == 0 {
				all = append(all, rating{u, i, float32(3.5 + 0.6*x + 0.2*r.NormFloat64())})
			}
		}
	}
	in := func(unit float64) (said []float64, rmse, told float64) {
		var text strings.Builder
		for _, a := range all {
			fmt.Fprintf(&text, "%d %d %v\n", a.u, a.i, unit*float64(a.value))
		}
		file := filepath.Join(t.TempDir(), "ratings.txt")
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		db, m := factorized(t, file)
		said = saidOf(t, db, m, file).Values
		for i, a := range all {
			off := said[i] - unit*float64(a.value)
			rmse += off * off
		}
		epochs := m.Report.Epochs
		return said, math.Sqrt(rmse/float64(len(all))) / unit, epochs[len(epochs)-1].Loss / unit / unit
	}
	want, best, loss := in(1)
	for _, unit := range []float64{1.0 / 1024, 4, 1 << 20} {
		got, _, told := in(unit)
		if math.Abs(told/loss-1) > 1e-5 {
			t.Errorf("in units of %v the last epoch is said to have the loss %v, in units of 1 %v", unit, told, loss)
		}
		for i := range want {
			if math.Abs(got[i]/unit-want[i]) > 1e-5 {
				t.Fatalf("in units of %v it says %v of rating %d, in units of 1 %v", unit, got[i], i, want[i])
			}
		}
	}
	for _, unit := range []float64{0.01, 100, 3000} {
		if _, rmse, _ := in(unit); rmse > 1.3*best {
			t.Errorf("in units of %v the error is %.4f units, in units of 1 %.4f", unit, rmse, best)
		}
	}
}

// Once all vertices are read nothing is looked up any more, also what the graph does not have.
func TestVertexFinder_LooksUpFew(t *testing.T) {
	db, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	edges := filepath.Join(t.TempDir(), "edges.csv")
	if err := os.WriteFile(edges, []byte("source,target\n3,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Load(t.Context(), "g", []string{edges}, LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := db.store.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	f := vertexFinder{snapshot: snapshot, unmet: true, seen: map[string]uint32{}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range 2 * manyIDs {
		if i > manyIDs {
			cancel() // a look would fail
		}
		if v, err := f.find(ctx, fmt.Sprint("stranger ", i)); v != host.Unmet || err != nil {
			t.Fatalf("stranger %d is vertex %d, %v", i, v, err)
		}
	}
	for v, id := range []string{"3", "a"} {
		if got, err := f.find(ctx, id); int(got) != v || err != nil {
			t.Errorf("%s is vertex %d, %v", id, got, err)
		}
	}
	f.unmet = false
	var unknown *store.UnknownVertexError
	if _, err := f.find(ctx, "b"); !errors.As(err, &unknown) || unknown.Vertex != "b" {
		t.Error(err)
	}
}

// TestPredictPairs_ManyIDs: pairs of more vertices than are looked up one by one get what each gets alone, and those
// with an end that the graph does not have are counted wherever they stand.
func TestPredictPairs_ManyIDs(t *testing.T) {
	var ratings, pairs strings.Builder
	for u := range 2 * manyIDs {
		fmt.Fprintln(&ratings, u, u%7, u%5)
		fmt.Fprintln(&pairs, u, (u+1)%8, 0) // nobody has rated item 7
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"ratings": ratings.String(), "pairs": pairs.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, m := factorized(t, filepath.Join(folder, "ratings"))
	all := saidOf(t, db, m, filepath.Join(folder, "pairs"))
	if all.Unmet != 2*manyIDs/8 {
		t.Errorf("%d pairs have an end that there is not", all.Unmet)
	}
	var ids [][2]string
	var want []float64
	for i, x := range all.Values {
		if u, v := all.Sources.Text(i), all.Targets.Text(i); v != "Item:7" {
			ids, want = append(ids, [2]string{u, v}), append(want, x)
		}
	}
	alone, err := PredictIDs(t.Context(), db, "ratings", m.Model, ids, host.On{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range alone {
		if x != want[i] {
			t.Fatalf("of %v it is %v among others, %v alone", ids[i], want[i], x)
		}
	}
}
