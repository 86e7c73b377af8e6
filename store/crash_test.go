package store

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// A process is killed at a random moment of a load, a replacement or a write-back;
// then the state is the one before or, if it had just been published, the one after:
// whole, with nothing left over, and the work can be done again.
func TestCrash_LeavesThePreviousState(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rounds := 15
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_CRASH_ROUNDS")); err == nil {
		rounds = n
	}
	r := testseed.Rand(t)
	dir := scratch(t)
	state := crashState{}
	reopen(t, dir, func(db *DB) {
		must(t, crashLoad(db, "old", 1))
		must(t, crashProperty(db, 1))
		must(t, crashEdges(db, 1))
		state = readState(t, db)
	})
	kills := 0
	for round := range rounds {
		what := []string{"load", "replace", "property", "edges"}[round%4]
		killed := runAndKill(t, dir, what, uint64(round+2), time.Duration(r.Int64N(int64(80*time.Millisecond))))
		if killed {
			kills++
		}
		reopen(t, dir, func(db *DB) {
			now := readState(t, db)
			published := now.old != state.old || now.hasNew
			if published && what == "load" && now.old != state.old {
				t.Fatalf("round %d: loading one graph changed another", round)
			}
			if !published && (!slices.Equal(now.marks, state.marks) || now.edgeMark != state.edgeMark) {
				t.Fatalf("round %d: the property changed without a new snapshot", round)
			}
			if !killed && !published {
				t.Fatalf("round %d: the work ended and is not there", round)
			}
			assertNothingUnnamed(t, db)
			if now.hasNew {
				must(t, db.Drop(context.Background(), "new"))
			}
			must(t, crashLoad(db, "old", 1))
			must(t, crashProperty(db, int64(round)))
			must(t, crashEdges(db, float64(round)))
			state = readState(t, db)
		})
	}
	t.Logf("%d of %d children were killed before they were done", kills, rounds)
}

// reopen opens the database without Create and closes it after use.
func reopen(t *testing.T, dir string, use func(*DB)) {
	t.Helper()
	db, err := Open(dir, Options{Create: true})
	must(t, err)
	use(db)
	must(t, db.Close())
}

// runAndKill starts a child and kills it after delay; false: it had ended before.
func runAndKill(t *testing.T, dir, what string, seed uint64, delay time.Duration) (killed bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+what, childDirEnv+"="+dir, childSeed+"="+strconv.FormatUint(seed, 10))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the child did not open the database:", err)
	}
	time.Sleep(delay)
	_ = child.Process.Kill()
	return child.Wait() != nil
}

// crashState is what is compared across a crash.
type crashState struct {
	old      uint64 // snapshot id of "old"
	marks    []int64
	edgeMark float64
	hasNew   bool
}

// readState verifies all graphs and reads the property that write-backs set: one value everywhere.
func readState(t *testing.T, db *DB) (state crashState) {
	t.Helper()
	graphs, err := db.Graphs()
	must(t, err)
	for _, m := range graphs {
		must(t, db.Verify(context.Background(), m.Graph))
		state.hasNew = state.hasNew || m.Graph == "new"
	}
	s, err := db.Snapshot("old")
	must(t, err)
	defer s.Close()
	state.old = s.Manifest().ID
	state.edgeMark = readEdgeMark(t, s)
	if _, ok := s.Manifest().NodeProperty("mark"); !ok {
		return state
	}
	must(t, s.NodeProperty(context.Background(), "mark", func(_ uint64, values arrow.Array) error {
		state.marks = append(state.marks, values.(*array.Int64).Int64Values()...)
		return nil
	}))
	if distinct := slices.Compact(slices.Clone(state.marks)); len(distinct) != 1 {
		t.Fatalf("half a write-back: %v", distinct)
	}
	return state
}

// readEdgeMark reads the property that write-backs of edges set: one value everywhere, in both directions; -1: none.
func readEdgeMark(t *testing.T, s *snapshot.Snapshot) (mark float64) {
	t.Helper()
	mark = -1
	for _, d := range []chunk.Direction{chunk.Out, chunk.In} {
		for _, info := range s.Chunks(d) {
			must(t, s.WholeChunk(context.Background(), info, func(c *chunk.Chunk) error {
				values, has := c.Float64s("mark")
				for _, x := range values {
					if mark == -1 {
						mark = x
					}
					if x != mark {
						t.Fatalf("half a write-back of edges: %v and %v", mark, x)
					}
				}
				if !has && mark != -1 {
					t.Fatalf("a chunk without what others have")
				}
				return nil
			}))
		}
	}
	return mark
}

// assertNothingUnnamed: every stored piece belongs to a snapshot, and there are no temporary files, once nobody is at
// work.
func assertNothingUnnamed(t *testing.T, db *DB) {
	t.Helper()
	must(t, db.acquire(t.Context()))
	db.release()
	live, err := db.live()
	must(t, err)
	keys, err := live.Unnamed(context.Background(), db.badger)
	must(t, err)
	if len(keys) > 0 {
		t.Fatalf("%d values belong to nothing", len(keys))
	}
	entries, err := os.ReadDir(directory.Temp(db.dir))
	must(t, err)
	if len(entries) > 0 {
		t.Fatalf("temporary files stayed: %v", entries)
	}
}
