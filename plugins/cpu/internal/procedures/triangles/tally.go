package triangles

import "context"

// parted is a list's hubs and its others.
func (c *Counter) parted(list []link) (hubs, others []link) {
	end := 0
	for end < len(list) && list[end].rank() < c.hubs {
		end++
	}
	return list[:end], list[end:]
}

// tally is what one worker has counted, and the list it is at work on.
type tally struct {
	joined []uint8 // of each rank, which edges join it in that list: a link's low bits, or 0
	counts []int64 // of each rank
	row    hubMatrix
}

const tallyBytes = 1 + 8 // a vertex

func (c *Counter) tallies() []tally {
	tallies := make([]tally, c.Pool.Threads)
	for i := range tallies {
		tallies[i] = tally{joined: make([]uint8, c.N), counts: make([]int64, c.N), row: newHubMatrix(1, c.hubs, c.symmetric)}
	}
	return tallies
}

// closeHubs finds the triangles of v with two hubs above it: what the row of one of them
// shares with v's. Each is found from both.
func (t *tally) closeHubs(m hubMatrix, v int, hubs []link) {
	if len(hubs) < 2 {
		return
	}
	words := 0
	for _, l := range hubs {
		t.row.put(0, l.rank(), uint8(l&1), uint8(l>>1&1))
		words = max(words, l.rank()/64+1)
	}
	out, in := t.row.out[:words], t.row.in[:words]
	var atV int64
	for _, l := range hubs {
		row := l.rank() * m.words
		hubOut, hubIn := m.out[row:][:words], m.in[row:][:words]
		if m.symmetric {
			n := common(out, hubOut)
			atV += n
			t.counts[l.rank()] += 2 * n
			continue
		}
		atV += edgesFrom(hubOut, out, in)
		t.counts[l.rank()] += edgesTo(out, in, hubOut, hubIn)
	}
	t.counts[v] += atV
	clear(out)
	clear(in)
}

// closeListed finds the triangles of v whose middle corner is no hub: v's neighbors are
// marked, so that those of a neighbor are looked up and neither merged nor searched.
func (t *tally) closeListed(ctx context.Context, o *oriented, v int, hubs, others []link) {
	if len(others) == 0 || len(hubs)+len(others) < 2 {
		return
	}
	t.mark(hubs)
	t.mark(others)
	for _, l := range others {
		if ctx.Err() != nil {
			return
		}
		t.close(v, l, o.list(l.rank()))
	}
	t.unmark(hubs)
	t.unmark(others)
}

// close finds the triangles above v and its neighbor l, whose list is given.
func (t *tally) close(v int, l link, list []link) {
	var atV, atL int64
	for _, opposite := range list {
		w := opposite.rank()
		if third := t.joined[w]; third != 0 {
			atV += opposite.edges()
			atL += link(third).edges()
			t.counts[w] += l.edges()
		}
	}
	t.counts[v] += atV
	t.counts[l.rank()] += atL
}

func (t *tally) mark(list []link) {
	for _, l := range list {
		t.joined[l.rank()] = uint8(l & 3)
	}
}

func (t *tally) unmark(list []link) {
	for _, l := range list {
		t.joined[l.rank()] = 0
	}
}
