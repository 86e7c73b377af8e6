package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// A process that commits, and compacts now and then, is killed at a random moment: every
// commit that it has reported is there, and of none the half.
func TestCrash_CommitsAreWholeAndStay(t *testing.T) {
	t.Parallel()
	rounds := 8
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_CRASH_ROUNDS")); err == nil {
		rounds = n
	}
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { must(t, db.CreateGraph(context.Background(), "g")) })
	total := int64(0)
	for round := range rounds {
		reported := commitAndKill(t, dir, seed+uint64(round), time.Duration(r.Int64N(int64(150*time.Millisecond))))
		reopen(t, dir, func(db *DB) {
			must(t, db.Verify(context.Background(), "g"))
			found := committed(t, db)
			if found < total+reported {
				t.Fatalf("round %d: %d commits were reported, %d are there", round, total+reported, found)
			}
			total = found
			assertNothingUnnamed(t, db)
		})
	}
	t.Logf("%d commits", total)
}

// commitAndKill has a child commit for some time and returns how many commits it has reported.
func commitAndKill(t *testing.T, dir string, seed uint64, delay time.Duration) (reported int64) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=commit", childDirEnv+"="+dir, childSeed+"="+strconv.FormatUint(seed, 10))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the child did not open the database:", lines.Err())
	}
	time.AfterFunc(delay, func() { _ = child.Process.Kill() })
	for lines.Scan() {
		reported++
	}
	_ = child.Wait()
	return reported
}

// crashCommits commits until the process is killed: each commit makes nodes with its number,
// one of them large every few commits, and a ring of relationships.
func crashCommits(db *DB, seed uint64) error {
	ctx, r := context.Background(), rand.New(rand.NewPCG(seed, 1))
	for {
		tx, err := db.Begin(ctx, "g", transaction.WriteAccess)
		if err != nil {
			return err
		}
		if err := crashCommit(tx, r); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		fmt.Println("committed")
		if r.IntN(20) == 0 {
			if _, err := db.Compact(ctx, "g"); err != nil {
				return err
			}
		}
	}
}

const crashRing = 5

func crashCommit(tx *transaction.Tx, r *rand.Rand) error {
	number, typ := int64(tx.NodeCount()/crashRing), tx.NewType("T")
	var ring []uint64
	for range crashRing {
		id, err := tx.CreateNode([]base.Token{tx.NewLabel("N")})
		if err != nil {
			return err
		}
		ring = append(ring, id)
		if err := tx.SetNodeProperty(id, tx.NewKey("commit"), value.OfInt(number)); err != nil {
			return err
		}
	}
	if r.IntN(5) == 0 { // more than a head holds
		if err := tx.SetNodeProperty(ring[0], tx.NewKey("text"),
			value.OfString(strings.Repeat("x", r.IntN(3<<20)))); err != nil {
			return err
		}
	}
	for i, id := range ring {
		if _, err := tx.CreateRelationship(id, ring[(i+1)%crashRing], typ); err != nil {
			return err
		}
	}
	return nil
}

// committed is how many commits of crashCommits the graph holds; each must be whole.
func committed(t *testing.T, db *DB) int64 {
	t.Helper()
	tx, err := db.Begin(context.Background(), "g", transaction.ReadAccess)
	must(t, err)
	defer tx.Rollback()
	rings := map[int64]int{}
	must(t, tx.Nodes(func(id uint64) bool {
		v, err := tx.NodeProperty(id, tx.NewKey("commit"))
		must(t, err)
		for _, dir := range []transaction.Direction{transaction.Out, transaction.In} {
			if d, err := tx.Degree(id, dir, nil); err != nil || d != 1 {
				t.Fatalf("node %d has degree %d: %v", id, d, err)
			}
		}
		rings[v.Int()]++
		return true
	}))
	for number := range int64(len(rings)) {
		if rings[number] != crashRing {
			t.Fatalf("commit %d has %d nodes", number, rings[number])
		}
	}
	return int64(len(rings))
}
