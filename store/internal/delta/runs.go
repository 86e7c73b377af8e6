package delta

// runs is a list to whose end things are added, in versions: they share runs of entries, each
// of which is linked to the one before.
type runs[E any] struct{ last *run[E] }

type run[E any] struct {
	owner   *owner
	entries []E
	before  *run[E]
}

// shortRun is up to how many entries of an older version are copied rather than linked to,
// so that many small commits make no long chain.
const shortRun = 32

func (r *runs[E]) add(o *owner, e E) {
	if last := r.last; last == nil || last.owner != o {
		fresh := &run[E]{owner: o, before: last}
		if last != nil && len(last.entries) < shortRun {
			fresh.entries, fresh.before = append(fresh.entries, last.entries...), last.before
		}
		r.last = fresh
	}
	r.last.entries = append(r.last.entries, e)
}

// all yields the entries, the newest runs first; false: yield wanted no more.
func (r *runs[E]) all(yield func(E) bool) bool {
	for run := r.last; run != nil; run = run.before {
		for _, e := range run.entries {
			if !yield(e) {
				return false
			}
		}
	}
	return true
}
