package topological

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/schedule"
)

// rounds puts the vertices of a part into the rounds in which several devices settle it. Each device has the edges that
// lead to its own vertices, its share. A vertex sends along those of its owner as soon as all has come to it, in the
// same round; and along those of the others in the next, when these have been told. So the rounds are one more than the
// edges from share to share on a way through the part.
//
// Element r is the vertices to which all has come at the end of round r; to those of element 0 it had come before. some
// are in topological order, among is the same as a set. round is scratch, a number for each vertex of the graph.
func rounds(ctx context.Context, list Lists, some []uint64, among schedule.Bitmap, shares []chunk.Interval,
	round []uint32) (final [][]uint64, err error) {
	for _, v := range some {
		round[v] = 0
	}
	last := uint32(1) // vertices without edges have sent at its end as well
	for at, v := range some {
		neighbors, base, err := list(ctx, v)
		if err != nil {
			return nil, err
		}
		own := shares[schedule.Owner(shares, v)]
		for _, local := range neighbors {
			u, sent := base+uint64(local), round[v]+1
			if own.Has(u) {
				sent = max(1, round[v])
			}
			if last = max(last, sent); among.Has(u) {
				round[u] = max(round[u], sent)
			}
		}
		if at%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	final = make([][]uint64, last+1)
	for _, v := range some {
		final[round[v]] = append(final[round[v]], v)
	}
	return final, nil
}
