package host

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

func TestRun_PageRankOutOfProcess(t *testing.T) {
	g := random(rand.New(rand.NewPCG(1, 2)), 500, 3000, true, false, false)
	snap := g.stored(t, 4<<10)
	result, err := Run(context.Background(), snap, Request{Algorithm: "pagerank"}, Events{})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := algorithms.Lookup("pagerank")
	args, _ := a.Bind(nil, g.env())
	if err := a.Verify(g.inMemory(), args, result.Columns); err != nil {
		t.Error(err)
	}
	t.Logf("%+v", result.Report)
}
