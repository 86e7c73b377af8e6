package report

// Needs is what a run takes, in bytes, before it runs. A run keeps to it.
type Needs struct {
	Schedule string `json:"schedule"` // "resident", or the policy that streams
	Why      string `json:"why"`      // it is resident or not, and settles or not
	Kernel   string `json:"kernel"`
	Chunks   int    `json:"chunks"`
	// PerIteration: Disk and Transfer are bounds for each iteration; else for the whole run.
	PerIteration bool   `json:"per_iteration"`
	Disk         uint64 `json:"disk"`     // read from the store, at most
	Transfer     uint64 `json:"transfer"` // given to the device, which copies it or reads it in place, at most
	Stays        uint64 `json:"stays"`    // of both, in the first of these iterations alone
	// Sums is read from the store once more, before the run begins: lists whose weights are added up for each vertex.
	Sums uint64 `json:"sums,omitempty"`
	Shared
	// Host is the arena: vertex columns and chunks, or slots for them. Where the device reads
	// chunks in the store's files, the vertex columns alone are surely there.
	Host uint64 `json:"host"`
	// Device is the most that the run takes of Budget; State, of that, what it takes without
	// any chunk.
	Device uint64 `json:"device"`
	State  uint64 `json:"state"`
	Budget uint64 `json:"budget"`
	// Minimum is the least budget with which the run would start as it does, with the state cut into intervals or not;
	// Resident the one from which on all chunks stay on the device.
	Minimum  uint64 `json:"minimum"`
	Resident uint64 `json:"resident"`
	// Least is, of an estimate, the least budget with which the run would start in whatever way its schedule has; 0: not
	// known, as of a core and a rest, which choose the core by the budget.
	Least uint64 `json:"least,omitempty"`
	// Core is what is known beforehand of the core of a run on a core and a rest, which has to be looked for in the
	// chunks.
	Core *CoreReport `json:"core,omitempty"`
	// Intervals is there where the state of vertices is cut into intervals. Transfer is edges alone then.
	Intervals *IntervalNeeds `json:"intervals,omitempty"`
	// Schedules is what the run would take by each schedule.
	Schedules []Alternative `json:"schedules,omitempty"`
}

// Shared is of several devices, each of which has such a budget: what is handed on from one to the next, as often as
// Transfer, and, in each iteration, the state that they tell each other, at most; where they settle, each time that
// they meet.
type Shared struct {
	Forwarded uint64 `json:"forwarded,omitempty"`
	Exchanged uint64 `json:"exchanged,omitempty"`
}

// IntervalNeeds is what state takes that is cut into intervals, two of which are on the device.
type IntervalNeeds struct {
	Count    int    `json:"count"`
	Vertices uint64 `json:"vertices"` // of each but the last
	State    uint64 `json:"state"`    // bytes that go to the device and back in an iteration, at most
	Cells    uint64 `json:"cells"`    // that are sent in an iteration, at most
	Sources  uint64 `json:"sources"`  // bytes of the lists of their sources, in the scratch files, at most
	Scratch  uint64 `json:"scratch"`  // of files on disk, while the run lasts, at most: state, cells of edges, sources
	Whole    uint64 `json:"whole"`    // the least budget with which the state is not cut
	// Expected is what an iteration with all vertices active takes if lists of a chunk's mean length lead anywhere. It
	// takes less where vertices have their neighbors near, or few vertices have many of the edges.
	Expected IntervalCost `json:"expected"`
}

// IntervalCost is what an iteration takes whose state is cut into intervals.
type IntervalCost struct {
	Cells uint64 `json:"cells"` // that are sent
	State uint64 `json:"state"` // bytes that go to the device and back
	Edges uint64 `json:"edges"` // bytes that go to the device
}

// Alternative is a schedule and what a run by it takes, or why there can be none.
type Alternative struct {
	Name    string `json:"name"`
	Refused string `json:"refused,omitempty"` // there are no Needs then
	Least   uint64 `json:"least,omitempty"`   // the least budget with which there can be one; 0: with none
	*Needs
}
