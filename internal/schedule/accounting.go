package schedule

import "github.com/penstock-db/penstock/formats/chunk"

// Accounting tells, once a run is over, of what use data was in each iteration, as Scaph's
// authors count it (Zheng et al., ATC'20, section 3). It takes 4 bytes a vertex, and 8 a
// chunk and iteration.
//
// A vertex that is active in an iteration or later has a last time then or later. So what is useful or
// potentially useful are the edges of vertices whose last time has not passed. Which were active in
// which iteration need not be kept.
type Accounting struct {
	last   []uint32   // by vertex: the iteration in which it was active last, from 1 on; 0: never
	useful [][]uint64 // by iteration and chunk
	most   int        // iterations that it tells of
	passed uint32
}

// Use divides the edges of a chunk by when the vertices that have them are active.
type Use struct {
	Useful      uint64 `json:"useful"`      // now: UD
	Potentially uint64 `json:"potentially"` // not now, but later: PUD
	Never       uint64 `json:"never"`       // neither: NUD
}

// Lists are those of a chunk: its rows, and by vertex of the graph how long a list is.
type Lists struct {
	Rows    chunk.Interval
	Degrees []uint32
}

// NewAccounting is for a graph of so many vertices, and tells of so many iterations, the first.
func NewAccounting(vertices uint64, most int) *Accounting {
	return &Accounting{last: make([]uint32, vertices), most: most}
}

// Begin counts an iteration that is about to begin, of which it keeps demand.
func (a *Accounting) Begin(active Bitmap, demand []uint64) {
	a.passed++
	if len(a.useful) < a.most {
		a.useful = append(a.useful, demand)
	}
	for v := range active.Members(chunk.Interval{Count: uint64(len(a.last))}) {
		a.last[v] = a.passed
	}
}

// Uses are by iteration and chunk.
func (a *Accounting) Uses(chunks []Lists) [][]Use {
	uses := make([][]Use, len(a.useful))
	for i := range uses {
		uses[i] = make([]Use, len(chunks))
	}
	for c, lists := range chunks {
		left := a.left(lists)
		for i := range uses {
			now := a.useful[i][c]
			uses[i][c] = Use{Useful: now, Potentially: left[i+1] - now, Never: left[0] - left[i+1]}
		}
	}
	return uses
}

// left is, by iteration, how many edges those have whose last time has not passed then.
func (a *Accounting) left(lists Lists) []uint64 {
	left := make([]uint64, len(a.useful)+1)
	for v := lists.Rows.Base; v < lists.Rows.End(); v++ {
		left[min(int(a.last[v]), len(a.useful))] += uint64(lists.Degrees[v])
	}
	for i := len(left) - 1; i > 0; i-- {
		left[i-1] += left[i]
	}
	return left
}

// Total adds up the uses of all chunks.
func Total(uses []Use) (all Use) {
	for _, u := range uses {
		all.Useful += u.Useful
		all.Potentially += u.Potentially
		all.Never += u.Never
	}
	return all
}
