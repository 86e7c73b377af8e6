package host

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
)

// autoDevice is the device that is chosen for a run: the CPU, unless npu is installed and, by what both have taken before
// (host/internal/rates), sooner.
//
//	program, graph ──Work──▶ rates of each device ──▶ seconds ──▶ the soonest that has room
//	                            ▲
//	runs ──────────learn────────┴── calibrate: where nothing is known yet
const autoDevice = "auto"

const cpuDevice = "cpu"

// chooseDevice puts a device in the place of auto.
func (r *run) chooseDevice() error {
	if r.req.Device != autoDevice {
		return nil
	}
	r.req.Device = cpuDevice
	defer func(began time.Time) { r.choosing = time.Since(began) }(time.Now())
	if r.book = r.openBook(); r.book == nil {
		return nil
	}
	cpu, npu := DeviceOption{Device: cpuDevice}, DeviceOption{Device: registry.NPU, Refused: r.onlyCPU()}
	if npu.Refused == "" {
		if err := r.expectBoth(&cpu, &npu); err != nil {
			return err
		}
	}
	if npu.Refused == "" && npu.Seconds < cpu.Seconds {
		r.req.Device = npu.Device
	}
	r.choice = &Choice{Device: r.req.Device, Options: []DeviceOption{cpu, npu}}
	return nil
}

// openBook is what is known of the devices; nil: npu is not installed or not allowed, and there is nothing to choose.
func (r *run) openBook() *rates.Book {
	if r.engine == nil || r.req.Allowed.check(registry.NPU) != nil {
		return nil
	}
	installed, err := r.installed()
	if err != nil {
		return nil
	}
	if _, err := installed.Info(registry.NPU); err != nil {
		return nil
	}
	return r.engine.book(filepath.Join(installed.Dir(), ratesFile))
}

// ratesFile lies in the plugin directory.
const ratesFile = "rates.json"

// onlyCPU says why there is nothing to choose.
func (r *run) onlyCPU() string {
	switch {
	case r.task.Program == nil:
		return "it is a procedure, which only the CPU has"
	case r.req.Schedule != scheduleAuto:
		return "a schedule was asked for, and it takes graphs whole"
	case r.req.Resume:
		return "the run is to be resumed"
	case r.req.LinkBandwidth > 0 || r.req.Accounting:
		return "what streams was asked for, and it takes graphs whole"
	}
	return r.npuFailed
}

// expectBoth foretells what the run will take on each device. Of programs of a kind that has not run on both, it first
// finds out by small graphs.
func (r *run) expectBoth(cpu, npu *DeviceOption) error {
	w, err := r.work()
	if err != nil {
		return err
	}
	have, err := r.budgetOn(plugins.Description{})
	if err != nil {
		return err
	}
	if bits := w.Linked * w.Linked; bits/8 > have {
		npu.Refused = fmt.Sprintf("a matrix of %d vertices has more bits than fit the budget of %d bytes", w.Linked, have)
		return nil
	}
	if npu.Refused, err = r.calibrate(); err != nil || npu.Refused != "" {
		return err
	}
	for _, o := range []*DeviceOption{cpu, npu} {
		if err := r.expect(o, w); err != nil {
			return err
		}
	}
	if npu.Refused == "" && npu.Bytes > have {
		npu.Refused = fmt.Sprintf("it is expected to take %d bytes of a budget of %d", npu.Bytes, have)
	}
	return nil
}

// expect foretells what the work takes on a device.
func (r *run) expect(o *DeviceOption, w core.Work) error {
	spec, err := r.candidate(o.Device)
	if err != nil {
		return err
	}
	w.Warm = r.engine.has(r.warmKey(spec))
	if o.Refused = r.book.Refused(deviceKey(spec, r.req.Threads), r.kind()); o.Refused != "" {
		return nil
	}
	f, known := r.foretell(spec, w)
	if !known {
		o.Refused = "nothing is known of such programs on it"
		return nil
	}
	w.Rounds = f.Rounds
	o.Rounds, o.Bytes, o.Seconds = f.Rounds, f.Bytes, f.Seconds(w)
	if !w.Warm {
		o.Launch = f.Launch
	}
	f.Launch, f.Step, f.Lane = 0, core.Costs{}, core.Costs{}
	o.Load = f.Seconds(w)
	o.Compute = o.Seconds - o.Launch - o.Load
	return nil
}

// candidate is how to start one of the devices; it is looked up once.
func (r *run) candidate(device string) (spec launch.Spec, err error) {
	if spec, known := r.candidates[device]; known {
		return spec, nil
	}
	if spec, err = r.spec(device); err == nil {
		if r.candidates == nil {
			r.candidates = map[string]launch.Spec{}
		}
		r.candidates[device] = spec
	}
	return spec, err
}

// foretell is what a device takes for the run's program, about as much work as this.
func (r *run) foretell(spec launch.Spec, w core.Work) (f rates.Forecast, known bool) {
	if f, known = r.book.Forecast(deviceKey(spec, r.req.Threads), r.kind(), w); r.task.Program.Exactly {
		f.Rounds = float64(r.task.Program.MaxIterations)
	}
	return f, known
}

// work is what there is to be done, but for how many rounds it takes.
func (r *run) work() (w core.Work, err error) {
	m := r.snap.Manifest()
	w = core.Work{Graph: uint64(m.Created.UnixNano()), Vertices: m.Vertices, Sources: uint64(max(1, len(r.req.Sources)))}
	for _, c := range r.snap.Chunks(chunk.Out) {
		w.Edges += c.Edges
	}
	w.Linked, err = r.linkedVertices(r.parent)
	return w, err
}

// kind is what programs have in common that take alike: all but their constants and when they end.
func (r *run) kind() string {
	if r.kindName == "" {
		p := *r.task.Program
		p.Constants, p.MaxIterations, p.Exactly, p.Tolerance, p.Diverged = nil, 0, false, 0, ""
		r.kindName = p.Name + "-" + programDigest(p)[:8]
	}
	return r.kindName
}

// deviceKey is what runs have in common that take alike, of the device.
func deviceKey(spec launch.Spec, threads int) string {
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	key := fmt.Sprintf("%s, %d of %d threads", spec.Name, threads, runtime.NumCPU())
	if !spec.BuiltIn() {
		var files []string
		for _, f := range spec.Libraries {
			files = append(files, f.SHA256)
		}
		key += ", " + hash(strings.Join(slices.Concat(files, spec.Env), " "))[:8]
	}
	return key
}

// learn takes note of what the run took to its very end, if it may be chosen between devices.
func (r *run) learn(report Report) {
	if r.split != nil {
		r.split.learn()
		return
	}
	if len(r.devices) > 1 || r.task.Program == nil || !r.fit.resident || r.resumedFrom > 0 || r.link.bandwidth > 0 || r.npuFailed != "" || r.core != nil {
		return
	}
	spec := r.devices[0].spec
	if !spec.BuiltIn() && spec.Name != registry.NPU {
		return
	}
	if r.book == nil {
		r.book = r.openBook()
	}
	if r.book == nil || r.choice == nil && r.beyondMatrices() {
		return
	}
	w, err := r.work()
	if err != nil {
		return // it can be measured another time
	}
	w.Rounds, w.Sources, w.Warm = float64(max(1, report.Iterations)), uint64(max(1, len(r.sources))), r.tookWarm
	s := rates.Sample{Work: w, Launch: r.launching.Seconds(), Compute: report.Seconds.Compute, Peak: report.PeakDeviceBytes}
	s.Load = max(0, (time.Since(r.started)-r.choosing).Seconds()-s.Launch-s.Compute)
	r.book.Add(deviceKey(spec, r.req.Threads), r.kind(), r.devices[0].about.Lanes, s)
	if err := r.book.Save(time.Second); err != nil {
		r.events.Noticed(fmt.Errorf("what the run took cannot be kept: %w", err))
	}
}

// beyondMatrices tells whether the graph is so large that there will hardly be anything to choose.
func (r *run) beyondMatrices() bool {
	n := r.snap.Manifest().Vertices
	return n > 1<<32-1 || n*n/8 > r.budget
}

// onCPU carries a run out again, on the CPU, that a device has failed which nobody had asked for.
func (e *Engine) onCPU(r *run, err error) (*Result, error) {
	var over *BudgetError
	var of *plugins.Error
	if r.choice == nil || r.choice.Device == cpuDevice || r.parent.Err() != nil || !errors.As(err, &over) && !errors.As(err, &of) {
		return nil, err
	}
	if plugins.KindOf(err) == plugins.KindUnsupported {
		if spec, missing := r.candidate(r.choice.Device); missing == nil {
			r.book.Refuse(deviceKey(spec, r.req.Threads), r.kind(), err.Error())
		}
	}
	r.events.Noticed(fmt.Errorf("the CPU computes instead: %w", err))
	again := newRun(r.parent, r.snap, r.asked, r.events)
	again.started, again.npuFailed = r.started, err.Error()
	return e.carryOut(again)
}

// book is the one on file, opened once.
func (e *Engine) book(file string) *rates.Book {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.books == nil {
		e.books = map[string]*rates.Book{}
	}
	if e.books[file] == nil {
		e.books[file] = rates.Open(file)
	}
	return e.books[file]
}

// allBooks are those that are open.
func (e *Engine) allBooks() map[string]*rates.Book {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.books)
}

// saveBooks keeps what has been learnt. What cannot be kept can be measured again.
func (e *Engine) saveBooks() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range e.books {
		_ = b.Save(0)
	}
}
