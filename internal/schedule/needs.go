package schedule

// Needs says what a schedule needs of a run. It is all that the host knows of a schedule beside its name and its
// decisions, and only the planning of a run reads it.
type Needs struct {
	// Streams: chunks come again in every iteration, even if all of them fit the device.
	Streams bool
	// Demand: State has Demand and Lists, and loads may be parts of chunks.
	Demand bool
	// Grid: State has a grid, loads may be cut by columns, and State tells what each group of loads took.
	Grid bool
	// Queue: chunks of high value stay on the device and are processed again while others are transferred (Queue).
	Queue bool
	// Pins: the first chunks stay on the device once they have been sent whole, as far as there is room; none where only
	// better values settle.
	Pins bool
	// Measures: the loads depend on times that were measured in the run.
	Measures bool
	// Intervals: state that does not fit is cut into intervals, and cells of edges come with two of them.
	Intervals bool
	// Nearest: where the graph is deep, parts settle in the order of values (host/internal/plan, nearest.go).
	Nearest bool
	Settle  Settle
}

// Settle says whether parts of the graph are brought to local convergence while they are on the device, for programs
// that allow it.
type Settle uint8

// When parts settle.
const (
	Never     Settle = iota
	Weighted         // except in monotone programs without weights, where going by levels is less work
	Preferred        // wherever the program and the device can
	Required         // other programs are refused
)
