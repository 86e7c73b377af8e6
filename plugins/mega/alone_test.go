package mega

import (
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// A row that one worker alone has a mirror of, which is its owner, goes neither to its master nor back: in no epoch is
// it taken, though it is what it should be. Others are.
func TestRun_RowsOfOneWorkerStay(t *testing.T) {
	r := testseed.Rand(t)
	stayed, went := 0, 0
	for range 50 {
		g, o := randomGraph(r), Options{Workers: 1 + r.IntN(3), Slack: r.IntN(2), Epochs: 3, Batch: 1 + r.IntN(20)}
		degrees := make([]int64, g.Rights)
		for _, v := range g.Targets {
			degrees[v]++
		}
		c, err := Start(&Program[int64, int64, int64]{
			Name: "degrees", Right: Rows{Shared: 1}, Exchange: func(_ *Worker[int64], _, v []int64, _ *int64) { v[0]++ },
			Stages: []Stage{MiniBatch(Exchange(), Sync())},
		}, g, o)
		if err != nil {
			t.Fatal(err)
		}
		workers := make([]int, g.Rights)
		for _, ids := range mirrorsOf(c.run.parts) {
			for _, v := range ids {
				workers[v]++
			}
		}
		if _, err := c.Continue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for v, n := range c.State().Right {
			if n != 3*degrees[v] {
				t.Fatalf("%+v: vertex %d has %d edges, and 3 epochs have counted %d", o, v, degrees[v], n)
			}
			switch changes := c.run.right.version[v]; {
			case workers[v] == 1 && changes != 1:
				t.Fatalf("%+v: vertex %d, of one worker, was changed by change %d of its owner's", o, v, changes)
			case workers[v] == 1:
				stayed++
			case workers[v] > 1 && changes == 1:
				t.Fatalf("%+v: vertex %d, of %d workers, was not changed", o, v, workers[v])
			case workers[v] > 1:
				went++
			}
		}
	}
	if stayed < 100 || went < 100 {
		t.Errorf("%d rows stayed and %d went: too few to tell", stayed, went)
	}
}
