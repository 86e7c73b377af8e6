package report

import (
	"encoding/json"

	"github.com/penstock-db/penstock/internal/regret"
	"github.com/penstock-db/penstock/internal/schedule"
)

// Report says what a run did and what it cost. Its JSON form is what `run --json` prints.
type Report struct {
	Algorithm string `json:"algorithm"`
	Graph     string `json:"graph"`
	Snapshot  uint64 `json:"snapshot"`
	Device    string `json:"device"`
	Schedule  string `json:"schedule"` // "resident", or the policy that streamed
	Kernel    string `json:"kernel"`   // the device's name for the code path it took
	// all chunks are on the device or not, and parts of the graph settle or not
	Why        string            `json:"why"`
	Parameters map[string]string `json:"parameters"`
	Iterations int               `json:"iterations"`
	// Choice is how the device was chosen, where auto had more than one to choose from.
	Choice *Choice `json:"choice,omitempty"`
	// ResumedFrom is the iteration after which this run has gone on from a checkpoint; what it
	// cost is told from there on. 0: it began at the beginning.
	ResumedFrom int  `json:"resumed_from,omitempty"`
	Converged   bool `json:"converged"` // by its own rule, not by a limit of iterations
	// Sources are, of a run from several, how it went from each. Iterations is then the most that one took, PerIteration
	// has one run after the other, and amounts are of all.
	Sources  []SourceReport `json:"sources,omitempty"`
	Threads  int            `json:"threads"`
	Vertices uint64         `json:"vertices"`
	Edges    uint64         `json:"edges"` // of the graph, as the user counts
	// Seconds.Total is the time of the whole run, from launch to result. The others are
	// times of work that overlaps: their sum may exceed it.
	Seconds Seconds `json:"seconds"`
	Bytes   Bytes   `json:"bytes"`
	// DiskBytes is what the disk gave to the processes of host and devices during the run, for whatever they did; the rest
	// of Bytes.Storage was in the system's cache. nil: the system does not say.
	DiskBytes *uint64 `json:"disk_bytes,omitempty"`
	// ProgramPieces is there when memory is scarce: in how many pieces of 64 KiB at most the program's code is read, of
	// host and built-in devices, each when it is touched.
	ProgramPieces int `json:"program_pieces,omitempty"`
	// Uncached is there when chunks were to be read past the system's cache, as the graph is
	// larger than half of the memory.
	Uncached *UncachedReport `json:"uncached,omitempty"`
	// SimulatedLink is the bandwidth, in bytes a second, of a link that was only pretended to be
	// there; its time is part of Seconds.Transfer.
	SimulatedLink uint64 `json:"simulated_link,omitempty"`
	// Devices are, of several, what each did; edges and seconds of the run are theirs together.
	Devices []DeviceReport `json:"devices,omitempty"`
	// Core is there when a run on a core and a rest was asked for.
	Core *CoreReport `json:"core,omitempty"`
	// Intervals is there where the state of vertices was cut into intervals.
	Intervals *IntervalsReport `json:"intervals,omitempty"`
	// Nearest is there where parts settled in the order of values.
	Nearest *NearestReport `json:"nearest,omitempty"`
	// Learning is there where a procedure learned.
	Learning *Learning `json:"learning,omitempty"`
	// Queue is there where chunks of high value stayed on the device: of all iterations.
	Queue *QueueReport `json:"queue,omitempty"`
	// PeakDeviceBytes is the most that state, chunks and scratch took of the budget; of several
	// devices, each of which has such a budget, on the one that took most.
	PeakDeviceBytes uint64 `json:"peak_device_bytes"`
	// ArenaBytes is the shared memory that host and device used together. Chunks that the
	// device has read in the store's files are not among it.
	ArenaBytes uint64       `json:"arena_bytes"`
	Plugin     PluginReport `json:"plugin"`
	// Walls are those around each device's process: which stand, and why others do not.
	Walls []Wall `json:"walls"`
	// Memory is what the devices' processes took. It is nil where the system does not say.
	Memory []ProcessMemory `json:"memory,omitempty"`
	// EdgesProcessed counts an edge each time a kernel looked at it.
	EdgesProcessed uint64 `json:"edges_processed"`
	// EdgesPerSecond is EdgesProcessed per second of computing; 0 when nothing was computed.
	EdgesPerSecond float64 `json:"edges_per_second"`
	// Simulated is what each schedule would have taken in the iterations of a streamed run, this one among them; nil:
	// nothing was decided by which lists have an active vertex. See package regret for what that assumes.
	Simulated []regret.Cost `json:"simulated,omitempty"`
	// Regret is what this run's schedule would have taken over the least of Simulated.
	Regret *regret.Regret `json:"regret,omitempty"`
	// PerIteration has the first 10,000 iterations.
	PerIteration []IterationReport `json:"per_iteration,omitempty"`
}

// Seconds are times of a run or an iteration.
type Seconds struct {
	Total    float64 `json:"total"`
	Storage  float64 `json:"storage"`  // reading and checking chunks, summed over reading goroutines
	Transfer float64 `json:"transfer"` // making them resident: copying to the device, checking
	Compute  float64 `json:"compute"`  // in kernels
	// Cutting is what it took to cut the lists of active vertices out of chunks and to put
	// them together, summed over goroutines.
	Cutting float64 `json:"cutting"`
}

// Bytes are amounts of chunk data.
type Bytes struct {
	// read from the store: chunks that were copied, mapped or looked at for the first time
	Storage  uint64 `json:"storage"`
	Cut      uint64 `json:"cut,omitempty"` // lists of active vertices that were cut out of chunks in memory
	Transfer uint64 `json:"transfer"`      // given to the device, which copies it or reads it in place
	// Of several devices: edges of one that another was given as well, and state that they told
	// each other after each iteration. A device is given the edges that lead to its share of the vertices; where sums are
	// pulled it is also given the edges before them, fewer than chunk.SumEdges, with which a sum begins.
	Forwarded uint64 `json:"forwarded,omitempty"`
	Exchanged uint64 `json:"exchanged,omitempty"`
}

// UncachedReport counts reads of chunks that were to leave the system's cache alone.
type UncachedReport struct {
	Chunks uint64 `json:"chunks"`        // read past it
	Cached uint64 `json:"cached"`        // that had to be read through it
	Why    string `json:"why,omitempty"` // the first of these had to
	// Whole is, of both, how many were read whole although the pages of some lists would have done, and WhyWhole why the
	// first of these was.
	Whole    uint64 `json:"whole"`
	WhyWhole string `json:"why_whole,omitempty"`
	// Copies is there when packed copies of chunks were made, or could not be.
	Copies *CopiesReport `json:"copies,omitempty"`
}

// CopiesReport counts packed copies of chunks, which a run makes for itself where it reads the same chunks from the
// disk again and again.
type CopiesReport struct {
	Copies     uint64 `json:"copies"`
	ChunkBytes uint64 `json:"chunk_bytes"`   // of what they are copies of
	Bytes      uint64 `json:"bytes"`         // that they take on the disk
	Reads      uint64 `json:"reads"`         // of chunks, that were reads of copies instead
	Cramped    uint64 `json:"cramped"`       // reads of chunks to where a copy could not be unpacked
	Lost       uint64 `json:"lost"`          // copies that could not be read, or were not what had been written
	Why        string `json:"why,omitempty"` // no more were made
}

// Plus is what both have done.
func (c CopiesReport) Plus(more CopiesReport) CopiesReport {
	c.Copies += more.Copies
	c.ChunkBytes += more.ChunkBytes
	c.Bytes += more.Bytes
	c.Reads += more.Reads
	c.Cramped += more.Cramped
	c.Lost += more.Lost
	if c.Why == "" {
		c.Why = more.Why
	}
	return c
}

// IntervalsReport says what a run did whose state is cut into intervals.
type IntervalsReport struct {
	Count    int    `json:"count"`    // of intervals
	Vertices uint64 `json:"vertices"` // of each but the last
	Cuts     int    `json:"cuts"`     // times that a stored chunk was cut into cells
	// Whole is what an iteration with all vertices active takes, by what was cut.
	Whole      IntervalCost `json:"whole"`
	CellBytes  uint64       `json:"cell_bytes"`   // what all cells take, in a scratch file
	OwnBytes   uint64       `json:"own_bytes"`    // of these: edges among the vertices of an interval, where intervals settle
	StateBytes uint64       `json:"state_bytes"`  // of state that went to the device and back
	Copied     uint64       `json:"copied_bytes"` // of state, by the device, to memory of its own
	EdgeBytes  uint64       `json:"edge_bytes"`   // of cells that went to the device
	Sent       int          `json:"cells_sent"`
	Pieces     int          `json:"pieces_sent"`   // of these: what a slot holds
	Skipped    int          `json:"cells_skipped"` // that have edges, but no active source
	Commands   int          `json:"commands"`      // to the device
	Messages   int          `json:"messages"`      // in which they came, where the device takes several in one
	Settled    int          `json:"settled"`       // times that an interval was brought to local convergence
	Rounds     int          `json:"rounds"`        // that this took, on the device
	Ahead      int          `json:"ahead"`         // columns whose first sources were chosen while the device computed another
}

// NearestReport says what a run did whose parts settle in the order of values.
type NearestReport struct {
	Lists   int `json:"lists"`   // sent
	Again   int `json:"again"`   // of these: had been sent before
	Ahead   int `json:"ahead"`   // lists that were chosen while the device computed
	Dropped int `json:"dropped"` // of these: not sent, as others were needed first
}

// DeviceReport is what one of several devices did.
type DeviceReport struct {
	Name string `json:"name"` // with its place in the chain
	// First and Vertices are its share: the vertices whose state it saw to; of a core, how many vertices it has.
	First    uint64 `json:"first"`
	Vertices uint64 `json:"vertices"`
	// Transfer is what it was given of its own edges, Forwarded what it was given of another's.
	Transfer  uint64 `json:"transfer"`
	Forwarded uint64 `json:"forwarded"`
	// StateBytes is, of state that is cut into intervals, what went to it and back.
	StateBytes      uint64  `json:"state_bytes,omitempty"`
	EdgesProcessed  uint64  `json:"edges_processed"`
	PeakDeviceBytes uint64  `json:"peak_device_bytes"`
	Uploading       float64 `json:"uploading"` // seconds: making chunks resident
	Computing       float64 `json:"computing"` // seconds in kernels
}

// PluginReport identifies the program that computed.
type PluginReport struct {
	Name, Version string
	Digest        func() (string, error) `json:"-"`
}

// SHA256 is the program's digest in hex. That of the built-in device is taken when it is
// asked for, which takes as long as a short run; errors are those of reading the file.
func (p PluginReport) SHA256() (string, error) { return p.Digest() }

// MarshalJSON is {"name": …, "version": …, "sha256": …}.
func (p PluginReport) MarshalJSON() ([]byte, error) {
	digest, err := p.SHA256()
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		SHA256  string `json:"sha256"`
	}{p.Name, p.Version, digest})
}

// IterationReport is what one iteration did.
type IterationReport struct {
	Number  int     `json:"iteration"` // 1 is the first; 0 the initial state
	Active  uint64  `json:"active"`    // vertices that send in the next
	Change  Change  `json:"change"`    // by the program's norm
	Chunks  int     `json:"chunks"`    // that were stepped; of a resident run, all
	Edges   uint64  `json:"edges"`     // processed
	Seconds Seconds `json:"seconds"`
	Bytes   Bytes   `json:"bytes"`
	// Use is there when Request.Accounting asked for it, and only once the run is over.
	Use *UseReport `json:"use,omitempty"`
	// Of a streamed run: by which rule the schedule chose, the edges of active vertices (0: it did
	// not look), the chunks that were sent whole and in part (the others stay on the
	// device), and the seconds that it was predicted to take; Seconds.Total is what it took.
	Rule   string `json:"rule,omitempty"`
	Wanted uint64 `json:"wanted,omitempty"`
	Whole  int    `json:"whole,omitempty"`
	Parts  int    `json:"parts,omitempty"`
	// Divided is how often a chunk was searched for where the columns of a grid begin in its lists.
	Divided   int     `json:"divided,omitempty"`
	Predicted float64 `json:"predicted,omitempty"`
	// PredictedBytes is what was to be sent, as was predicted; Bytes.Transfer is what was.
	PredictedBytes uint64 `json:"predicted_bytes,omitempty"`
	// Queue is there where chunks of high value stay on the device.
	Queue *QueueReport `json:"queue,omitempty"`
}

// QueueReport is what the engines of a run with a queue did in an iteration.
type QueueReport struct {
	High   int    `json:"high"`   // wanted chunks, or parts of these that fit a slot, of high value
	Low    int    `json:"low"`    // and of low value
	Hits   int    `json:"hits"`   // of both, those that were on the device already
	Rounds int    `json:"rounds"` // times that the device went through something of what it had
	Turns  int    `json:"turns"`  // of chunks in these rounds, whether sent or not
	Tiles  int    `json:"tiles"`  // that were sent with lists of active vertices
	Room   uint64 `json:"room"`   // bytes that these had room for
	Unused uint64 `json:"unused"` // bytes of that room which carried nothing: fragmentation
	// Useful are the edges that active vertices had in chunks when these had their first turn, and Processed those that
	// they had in all turns: what staying has brought.
	Useful    uint64 `json:"useful"`
	Processed uint64 `json:"processed"`
	// Placed are the chunks that lie on the NUMA node whose workers cut them, and Unplaced those that the system did not
	// place there; none of either on a machine of one node.
	Placed   int `json:"placed"`
	Unplaced int `json:"unplaced"`
}

// Plus adds up.
func (q QueueReport) Plus(more QueueReport) QueueReport {
	return QueueReport{High: q.High + more.High, Low: q.Low + more.Low, Hits: q.Hits + more.Hits,
		Rounds: q.Rounds + more.Rounds, Turns: q.Turns + more.Turns, Tiles: q.Tiles + more.Tiles, Room: q.Room + more.Room,
		Unused: q.Unused + more.Unused, Useful: q.Useful + more.Useful, Processed: q.Processed + more.Processed,
		Placed: q.Placed + more.Placed, Unplaced: q.Unplaced + more.Unplaced}
}

// Minus takes away.
func (q QueueReport) Minus(less QueueReport) QueueReport {
	return QueueReport{High: q.High - less.High, Low: q.Low - less.Low, Hits: q.Hits - less.Hits,
		Rounds: q.Rounds - less.Rounds, Turns: q.Turns - less.Turns, Tiles: q.Tiles - less.Tiles, Room: q.Room - less.Room,
		Unused: q.Unused - less.Unused, Useful: q.Useful - less.Useful, Processed: q.Processed - less.Processed,
		Placed: q.Placed - less.Placed, Unplaced: q.Unplaced - less.Unplaced}
}

// Fragmentation is the part of the tiles' room that carried nothing; of no tiles, 0.
func (q QueueReport) Fragmentation() float64 { return float64(q.Unused) / float64(max(1, q.Room)) }

// MaxIterations bounds what a report remembers; events tell of every iteration.
const MaxIterations = 10_000

// SourceReport is how a program went from one of several sources.
type SourceReport struct {
	Source     string `json:"source"`
	Iterations int    `json:"iterations"`
	Converged  bool   `json:"converged"`
}

// UseReport is of what use the data of an iteration's chunks was: edges of vertices that are
// active now, of those that will be active once more, and of those that will not. Where parts
// of the graph are brought to local convergence, active now means when the iteration begins.
type UseReport struct {
	schedule.Use
	// Chunks has each chunk's, in the order of the graph's; where a queue cuts chunks, each part's.
	Chunks []schedule.Use `json:"chunks"`
}

// And is what two runs, one after the other, did.
func (r Report) And(next Report) Report {
	r.Iterations, r.Converged = max(r.Iterations, next.Iterations), r.Converged && next.Converged
	r.Sources = append(r.Sources, next.Sources...)
	r.Seconds, r.Bytes = r.Seconds.Plus(next.Seconds), r.Bytes.Plus(next.Bytes)
	r.PeakDeviceBytes, r.ArenaBytes = max(r.PeakDeviceBytes, next.PeakDeviceBytes), max(r.ArenaBytes, next.ArenaBytes)
	r.DiskBytes = sum(r.DiskBytes, next.DiskBytes)
	r.EdgesProcessed += next.EdgesProcessed
	if r.Queue != nil && next.Queue != nil {
		all := r.Queue.Plus(*next.Queue)
		r.Queue = &all
	}
	if r.Seconds.Compute > 0 {
		r.EdgesPerSecond = float64(r.EdgesProcessed) / r.Seconds.Compute
	}
	r.Devices = next.Devices
	r.PerIteration = append(r.PerIteration, next.PerIteration[:min(len(next.PerIteration),
		MaxIterations-len(r.PerIteration))]...)
	return r
}

// sum is nil where one of the two is not known.
func sum(a, b *uint64) *uint64 {
	if a == nil || b == nil {
		return nil
	}
	total := *a + *b
	return &total
}

// Plus adds up.
func (s Seconds) Plus(t Seconds) Seconds {
	return Seconds{s.Total + t.Total, s.Storage + t.Storage, s.Transfer + t.Transfer, s.Compute + t.Compute, s.Cutting +
		t.Cutting}
}

// Plus adds up.
func (b Bytes) Plus(c Bytes) Bytes {
	return Bytes{b.Storage + c.Storage, b.Cut + c.Cut, b.Transfer + c.Transfer, b.Forwarded + c.Forwarded,
		b.Exchanged + c.Exchanged}
}
