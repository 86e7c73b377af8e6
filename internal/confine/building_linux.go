package confine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/internal/confine/stage"
)

// Building is a stage at work, from before it is started until it has become the program.
type Building struct {
	process Process
	report  *os.File
	passed  []*os.File // that the stage inherits
	apart   error      // why its children are in no namespace with it
}

// firstExtraFile is the number that the first of exec.Cmd's ExtraFiles has in the child.
const firstExtraFile = 3

// Build has cmd, which Start then starts, be a stage that becomes the process. What cmd inherits keeps its numbers.
func (p Process) Build(cmd *exec.Cmd) (*Building, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &Building{process: p, report: read, passed: []*os.File{write}}
	number := firstExtraFile + len(cmd.ExtraFiles)
	orders, err := inMemory(p.orders(uint64(number + 1)).Encode())
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("orders of a stage: %w", err)
	}
	b.passed = append(b.passed, orders)
	cmd.ExtraFiles = append(cmd.ExtraFiles, orders, write)
	cmd.Path, cmd.Args = "/proc/self/exe", os.Args[:1] // this program, even when another has taken its place since
	cmd.Env = []string{fmt.Sprintf("%s=%d", stage.Variable, number), "GOMAXPROCS=1"}
	return b, nil
}

// inMemory is a file with this content.
func inMemory(content []byte) (*os.File, error) {
	descriptor, err := unix.MemfdCreate("penstock-stage", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	file := os.NewFile(uintptr(descriptor), "penstock-stage")
	if _, err := file.Write(content); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Start starts the stage. Children, where they are granted, are in a namespace with it, so that they end with it; where
// that cannot be had, without, and apart says why.
func (b *Building) Start(cmd *exec.Cmd) (apart, err error) {
	defer b.inherited()
	if !b.process.Grants.Processes {
		return nil, cmd.Start()
	}
	b.apart, err = StartTogether(cmd)
	return b.apart, err
}

// inherited lets go of what the stage has inherited.
func (b *Building) inherited() {
	for _, f := range b.passed {
		f.Close()
	}
	b.passed = nil
}

// Close ends the building.
func (b *Building) Close() {
	b.inherited()
	b.report.Close()
}

// States waits until the stage has become the program, or has ended, and says which walls stand. An error says why it
// has not become the program.
func (b *Building) States() ([]State, error) {
	text, err := io.ReadAll(io.LimitReader(b.report, 1<<16))
	if err != nil {
		return nil, err
	}
	return b.states(stage.ReadResults(text))
}

// orders tell a stage to become the program, and to report to a descriptor.
func (p Process) orders(report uint64) stage.Orders {
	o := stage.Orders{Report: report, Limits: p.limits(), Files: p.files(landlockVersion()), Program: p.Program,
		Args: p.Args, Env: p.Env}
	o.Filter, o.OwnPID = callFilter(p.Grants)
	return o
}

// limits are of the system's own kind. A core would leave the graph behind on the disk.
// What may write no file writes none that it has opened before, nor one in memory, where nobody would count it.
func (p Process) limits() []stage.Limit {
	limits := []stage.Limit{{Resource: unix.RLIMIT_CORE, Value: 0}}
	if p.Grants.keepsNothing() && !p.keepsKernels() {
		limits = append(limits, stage.Limit{Resource: unix.RLIMIT_FSIZE, Value: 0})
	}
	if p.Grants.keepsNothing() {
		limits = append(limits, stage.Limit{Resource: unix.RLIMIT_NOFILE, Value: mostFiles()})
	}
	return limits
}

// mostFiles is how many files it may have open: the more, the more memory it could have in pipes, where nobody counts
// it. The files with chunks are far fewer: one for each GiB, which is closed once its chunks are mapped.
func mostFiles() uint64 {
	var mine unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &mine); err != nil {
		return 1 << 10 // every system's
	}
	return min(1<<13, mine.Max)
}

// keepsKernels tells whether a driver may have compiled kernels written, to a folder that is there.
func (p Process) keepsKernels() bool {
	return slices.ContainsFunc(p.Grants.Hardware, func(name string) bool {
		cache := hardware[name].cacheIn(p.Env)
		info, err := os.Stat(cache)
		return cache != "" && err == nil && info.IsDir()
	})
}

// lacks is what is said of a step that the kernel could not do.
var lacks = map[stage.Step]string{
	stage.StepFilter: "this kernel has no seccomp filters",
	stage.StepFiles:  "this kernel has no Landlock, or it is switched off",
}

// states says which walls stand by how the steps of the stage have ended.
func (b *Building) states(results []stage.Result) ([]State, error) {
	missing, reached := map[stage.Step]string{}, map[stage.Step]bool{}
	for _, r := range results {
		reached[r.Step] = true
		errno := syscall.Errno(r.Errno)
		switch {
		case r.Step == stage.StepProgram:
			return nil, &fs.PathError{Op: "exec", Path: b.process.Program, Err: errno}
		case errno == syscall.ENOSYS || errno == syscall.EOPNOTSUPP:
			missing[r.Step] = lacks[r.Step]
		case errno != 0:
			return nil, fmt.Errorf("confinement: %s: %w", r.Step, errno)
		}
	}
	if last := stage.StepFilter; !reached[last] {
		return nil, fmt.Errorf("confinement: the process ended before %s", last)
	}
	by := func(wall Wall, step stage.Step, how string) State {
		if why, ok := missing[step]; ok {
			return State{Wall: wall, Why: why}
		}
		return State{Wall: wall, Stands: true, How: how}
	}
	return []State{
		environmentStands,
		by(Privileges, stage.StepPrivileges, "no capabilities, no new privileges"),
		b.withChildren(by(Processes, stage.StepFilter, "one, which dies with the host"), "children, which die with it"),
		by(Calls, stage.StepFilter, fmt.Sprintf("seccomp refuses %d", len(refused)+len(pretended))),
		by(Network, stage.StepFilter, b.process.networkHow()),
		b.withChildren(by(Signals, stage.StepFilter, "to itself"), "to itself and its children"),
		by(Files, stage.StepFiles, fmt.Sprintf("Landlock %d", landlockVersion())),
		{Wall: Memory, Stands: true, How: fmt.Sprintf("a watch, every %v to %v", shortestRest, longestRest)},
	}, nil
}

// withChildren is a wall that children, where they are granted, are behind only in a namespace.
func (b *Building) withChildren(s State, how string) State {
	switch {
	case !b.process.Grants.Processes:
		return s
	case b.apart != nil:
		return State{Wall: s.Wall, Why: fmt.Sprintf(
			"it may have children, and there is no namespace for them (%v): they end with the run, "+
				"but not when the host is killed",
			b.apart)}
	}
	return State{Wall: s.Wall, Stands: true, How: how}
}

func (p Process) networkHow() string {
	if p.Grants.Network {
		return "granted"
	}
	return "one local socket, to be connected to"
}
