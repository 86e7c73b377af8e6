package trained_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/internal/testseed"
)

// model is a built-in one with parameters at random.
func model(t testing.TB, r *rand.Rand) *trained.Model {
	architecture, _ := neural.Lookup("gat")
	m := &trained.Model{Name: "topics", Architecture: architecture, Seed: r.Uint64(), Label: "class",
		Source:  trained.Source{Graph: "cora", Part: &trained.Part{Labels: []string{"Paper"}}, Snapshot: 3},
		Schema:  neural.Schema{Features: 5, Outputs: 3, Task: neural.Labels, EdgeProperties: []string{"weight"}},
		Classes: []string{"a", "b", "ü"}, Created: time.Unix(1e9, 0).UTC(),
		Scores: map[string]trained.Scores{"test": {Vertices: 3, Loss: 0.25, Accuracy: new(float64)}}}
	c, err := neural.Compile(m.Architecture, m.Schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range c.Learned {
		p := trained.Parameter{Name: l.Value.Name, Rows: l.Value.Rows, Width: l.Value.Width}
		for range p.Rows * p.Width {
			p.Numbers = append(p.Numbers, r.Float32())
		}
		m.Parameters = append(m.Parameters, p)
	}
	return m
}

// What is written is read back, to the bit, and fits its architecture.
func TestModel(t *testing.T) {
	m := model(t, testseed.Rand(t))
	file, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := trained.Decode("topics.arrow", file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) {
		t.Error("what is read is not what was written")
	}
	if _, err := back.Compile(); err != nil {
		t.Error(err)
	}
	back.Parameters[1].Width++
	if _, err := back.Compile(); err == nil {
		t.Error("a parameter of another shape passes")
	}
}

// A file that lacks its end, or in which a bit has changed, is refused.
func TestDecode_Damage(t *testing.T) {
	r := testseed.Rand(t)
	m := model(t, r)
	file, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		damaged := append([]byte{}, file...)
		if r.IntN(4) == 0 {
			damaged = damaged[:r.IntN(len(file))]
		} else {
			damaged[r.IntN(len(file))] ^= 1 << r.IntN(8)
		}
		back, err := trained.Decode("topics.arrow", damaged)
		var format *trained.FormatError
		if back != nil || !errors.As(err, &format) {
			t.Fatalf("a damaged file is read: %v", err)
		}
	}
}
