// Package testseed gives random tests their seed: a random number, or the one in PENSTOCK_TEST_SEED. What
// pgregory.net/rapid draws goes by RAPID_SEED likewise.
package testseed

import (
	"cmp"
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
)

const variable = "PENSTOCK_TEST_SEED"

// New is the number in PENSTOCK_TEST_SEED where it is set, else a random one. The test's log names it.
func New(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64() >> 4 // as long as those of .ci/run; an int64 holds it
	if text := os.Getenv(variable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s is %q: give an integer from 0 to 2^64-1, in decimal", variable, text)
		}
	}
	t.Logf("%s=%d repeats this test", variable, seed)
	return seed
}

// Rand draws by the seed, the name of the test, and how often the test has asked before: by one seed, subtests draw
// differently, and so do two generators of one test.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	name := fnv.New64a()
	name.Write([]byte(t.Name()))
	return rand.New(rand.NewPCG(New(t), name.Sum64()+before(t)))
}

// asked is how often each test that has not ended has asked for a generator.
var asked struct {
	sync.Mutex
	by map[testing.TB]uint64
}

func before(t testing.TB) uint64 {
	asked.Lock()
	defer asked.Unlock()
	if asked.by == nil {
		asked.by = map[testing.TB]uint64{}
	}
	n, again := asked.by[t]
	asked.by[t] = n + 1
	if !again {
		t.Cleanup(func() {
			asked.Lock()
			defer asked.Unlock()
			delete(asked.by, t)
		})
	}
	return n
}

// Sorted gives a map in the order of its keys, for tests that draw for each: Go's own order is by no seed.
func Sorted[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
