package plan

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/schedule"
)

// Request is what a user wants computed, and how.
type Request struct {
	Algorithm string                // by name or alias
	Params    map[string]string     // as the user writes them
	Custom    *algorithms.Custom    // a user's own, as text, instead of Algorithm; its Params are Params
	Program   *algorithms.Program   // one that is built already, instead of Algorithm
	Procedure *algorithms.Algorithm // one that the catalog does not have, instead of Algorithm
	Args      *algorithms.Args      // those of Procedure, in the place of Params
	Given     map[string][]float32  // the rows of Procedure that are, by name
	// Sources has a vertex program computed from each of these vertices, by user ids: in place of the
	// parameter source, or of a Program's constant of this name. Result columns have the source behind their name:
	// depth_5.
	Sources []string
	// Property is the name under which the caller will write the result to the graph, if at all: one that the graph
	// cannot have is refused before anything is computed.
	Property string
	// Device is "cpu", "auto" (empty too: the CPU, or npu, if that is installed and expected to be sooner: see package
	// choose), the name of an installed plugin, or the path of a plugin program. Several, with commas in between, share a
	// vertex program: each sees to an interval of the vertices, and a chunk that is read once is handed on from one to the
	// next. One plugin may be named more than once. Parts of the graph do not settle then, and there are no procedures.
	//
	// Two names with a plus sign, as in "cpu+npu", are a rest and a dense core: the second device is given the edges among
	// the vertices of Core, the first all others, and both work on a vertex program at once. All chunks stay on the
	// devices then.
	Device string
	// Processes is how many of the device's divide the workers of a procedure that learns (plugins.ExtensionWorkers); up
	// to 1: one has them. DeviceMemory is what all of them take then.
	Processes int
	// Allowed are the devices that Device may name, and that auto may choose. A request that a server takes from a client
	// says which: see Devices.
	Allowed Devices
	// Unconfined are devices, by their names in Device, that run without walls: each may do what this process may.
	Unconfined []string
	// Core chooses the dense core: "auto", what is expected to save most time; "degree", those of highest
	// degree; "rabbit", communities, as the graph is stored; these two with a share or a number of vertices, as in
	// "degree:10%" or "rabbit:4096". Empty is auto. See core.ParseRule.
	Core string
	// DeviceMemory is the budget in bytes that state, chunks and scratch may take
	// together on the device, on each of several. 0: 7/8 of a device's own memory, or half of this machine's, less
	// where that has under 104 MiB: then more than is free is refused, of what the devices take beside chunks, and
	// Events.Noticed says so where that is much.
	DeviceMemory uint64
	// DeviceCPUTime is how much time of processors each device's process may take in the run, with all its threads; one
	// that takes more is killed. 0: any. Only Linux tells. What a card computes does not count.
	DeviceCPUTime time.Duration
	Threads       int    // of each device; at most MaxThreads; 0: as many as the device likes
	Schedule      string // one of Schedules, perhaps with parameters (see schedule.Parse); empty: "auto"
	// ScaphValue is by what schedule scaph tells chunks of high value from those of low: ThresholdValue or ModelValue.
	// Empty: as Schedule says, which is ThresholdValue unless it has the parameter model.
	ScaphValue string
	// Synchronous: every iteration ends before the next begins, also under a schedule that
	// would bring parts of the graph to local convergence where the program allows it.
	Synchronous bool
	// Accounting has the report say, for each iteration and chunk, of what use its edges were:
	// see UseReport. It takes 4 bytes a vertex of the host's memory, and 32 bytes a chunk and iteration, of
	// the first 10,000. Only runs that stream lists of active vertices have it.
	Accounting bool
	// LinkBandwidth simulates that chunks reach the device over a link of so many bytes a
	// second. 0: as fast as they do.
	LinkBandwidth uint64
	// Resume has the run keep its state in CheckpointDir from time to time, and begin with that of
	// a run of the very same computation that did not end well, if there is one. A plugin that
	// dies is then started again, once. Procedures, and devices that cannot do it, start from the
	// beginning, and Events.Noticed says so.
	Resume        bool
	CheckpointDir string // made when needed; DB.Run has one in the database
	// CheckpointEvery is how much time passes, at least, from one checkpoint to the next. 0:
	// DefaultCheckpointEvery.
	CheckpointEvery time.Duration
	// Timeout is how long the device may owe an answer without a sign of life. 0: DefaultTimeout.
	Timeout time.Duration
	// PluginDir holds installed plugins; empty: the user's own (see registry.Open).
	PluginDir string
	// Log receives what the plugin writes to standard error; nil: it is dropped, except
	// for the last lines of a plugin that dies.
	Log io.Writer
}

// DefaultTimeout of a Request.
const DefaultTimeout = time.Minute

// DefaultCheckpointEvery of a Request.
const DefaultCheckpointEvery = 10 * time.Second

// MaxThreads of a Request: more than any machine has cores, so that it was not meant.
const MaxThreads = 1024

// Schedules lists what Request.Schedule may be. "whole" always streams; the others keep
// all chunks on the device when they fit.
var Schedules = schedule.Names()

// Schedules with a meaning of their own.
const (
	AutoSchedule = "auto" // the default
	// ResidentSchedule is what a report calls a run that kept all chunks on the device.
	ResidentSchedule = "resident"
)

// Values of a Request's ScaphValue.
const (
	ThresholdValue = "threshold" // by the shares of edges that are of use, above α, or β and growing
	ModelValue     = "model"     // by the throughput that the paper's model expects, from what the run has measured
)

// Devices that are built in or chosen.
const (
	AutoDevice = "auto" // the default: the CPU or npu, whichever is expected to be sooner
	CPUDevice  = "cpu"
)

// WithDefaults fills in what was left empty, or says what contradicts itself.
func (r Request) WithDefaults() (Request, error) {
	if r.Device == "" {
		r.Device = AutoDevice
	}
	if r.Schedule == "" {
		r.Schedule = AutoSchedule
	}
	if r.Timeout == 0 {
		r.Timeout = DefaultTimeout
	}
	if r.CheckpointEvery == 0 {
		r.CheckpointEvery = DefaultCheckpointEvery
	}
	r, err := r.withSource()
	if err == nil {
		err = r.checkCore()
	}
	if err == nil {
		r, err = r.withValue()
	}
	switch {
	case err != nil:
		return r, err
	case slices.Contains(strings.Split(r.Device, ","), ""):
		return r, &RequestError{fmt.Sprintf("devices %q: a name is empty; write them with a comma in between, as in cpu,cpu",
			r.Device)}
	case r.unnamed() != "":
		return r, &RequestError{fmt.Sprintf("%q is to run without walls, and is no device of this run: %q", r.unnamed(),
			r.Device)}
	case r.CheckpointEvery < 0:
		return r, &RequestError{"the time between checkpoints cannot be negative"}
	case r.Resume && r.CheckpointDir == "":
		return r, &RequestError{"a run that is to be resumed needs a directory for checkpoints"}
	case r.Threads < 0:
		return r, &RequestError{"the number of threads cannot be negative"}
	case r.Threads > MaxThreads:
		return r, &RequestError{fmt.Sprintf("%d threads: there can be at most %d, and each takes scratch memory", r.Threads,
			MaxThreads)}
	case r.DeviceCPUTime < 0:
		return r, &RequestError{"the time of processors cannot be negative"}
	case r.Timeout < 0:
		return r, &RequestError{"the timeout cannot be negative"}
	case r.choices() > 1:
		return r, &RequestError{"name an algorithm or give a program, not both"}
	case r.choices() == 0:
		return r, &RequestError{"name an algorithm or give a program"}
	}
	return r, nil
}

// unnamed is one of Unconfined that Device does not name, or empty. What auto chooses from is named.
func (r Request) unnamed() string {
	names, splits := SplitNames(r.Device)
	switch {
	case r.Device == AutoDevice:
		return ""
	case !splits:
		names = strings.Split(r.Device, ",")
	}
	for _, name := range r.Unconfined {
		if !slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// withValue is r with its ScaphValue as a parameter of the schedule.
func (r Request) withValue() (Request, error) {
	if r.ScaphValue == "" {
		return r, nil
	}
	parameter, known := map[string]string{ThresholdValue: "model=0", ModelValue: "model=1"}[r.ScaphValue]
	name, parameters, given := strings.Cut(r.Schedule, ":")
	switch {
	case !known:
		return r, &RequestError{fmt.Sprintf("scaph value %q: there are %s and %s", r.ScaphValue, ModelValue, ThresholdValue)}
	case name != "scaph":
		return r, &RequestError{fmt.Sprintf("scaph value %s: only schedule scaph has values, and this is %s", r.ScaphValue,
			name)}
	case strings.Contains(parameters, "model="):
		return r, &RequestError{"give a scaph value, or the schedule's parameter model, not both"}
	case given:
		parameter = parameters + "," + parameter
	}
	r.Schedule, r.ScaphValue = name+":"+parameter, ""
	return r, nil
}

// checkCore says what is wrong with a core, or that there is none.
func (r Request) checkCore() error {
	names, splits := SplitNames(r.Device)
	_, err := core.ParseRule(r.Core)
	switch {
	case err != nil:
		return &RequestError{err.Error()}
	case splits && slices.Contains(names, ""):
		return &RequestError{fmt.Sprintf("devices %q: a name is empty; write two with a plus sign in between, as in cpu+npu",
			r.Device)}
	case splits && strings.ContainsRune(names[1], '+') && !strings.ContainsRune(names[1], filepath.Separator):
		return &RequestError{fmt.Sprintf(
			"devices %q: a core and a rest are two; write two with a plus sign in between, as in cpu+npu", r.Device)}
	case r.Core != "" && !splits:
		return &RequestError{fmt.Sprintf(
			"core %q: only a run on a core and a rest has one: name two devices for it, as in cpu+npu", r.Core)}
	}
	return nil
}

// choices counts the ways in which r says what to compute.
func (r Request) choices() int {
	n := 0
	for _, given := range []bool{r.Algorithm != "", r.Custom != nil, r.Program != nil, r.Procedure != nil} {
		if given {
			n++
		}
	}
	return n
}

// Title is what messages and reports call the computation.
func (r Request) Title() string {
	switch {
	case r.Algorithm != "":
		return r.Algorithm
	case r.Program != nil && r.Program.Name != "":
		return r.Program.Name
	case r.Procedure != nil:
		return r.Procedure.Name
	}
	return "program"
}

// Several tells whether more than one device was asked for.
func (r Request) Several() bool {
	_, splits := SplitNames(r.Device)
	return splits || strings.Contains(r.Device, ",")
}

// SplitNames are the two devices of "X+Y". The first is a plugin's name, which has no plus sign; the
// second may be a path.
func SplitNames(device string) (names []string, ok bool) {
	rest, dense, ok := strings.Cut(device, "+")
	return []string{rest, dense}, ok && !strings.ContainsAny(rest, ","+string(filepath.Separator))
}
