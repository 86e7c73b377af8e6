package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"

	"github.com/penstock-db/penstock/internal/confine"
	_ "github.com/penstock-db/penstock/internal/confine/stage" // this program is one when a host says so
	"github.com/penstock-db/penstock/internal/handover"
)

// drainTime is how long the pipes of a dead process are still read. They end at once,
// unless a grandchild holds them open.
const drainTime = time.Second

// process is one plugin process, in the form go-plugin asks for (runner.Runner).
//
// One goroutine starts it and waits for it, locked to its thread all the while: on Linux
// the kernel ends the child when the *thread* that started it ends, and a thread of the
// Go runtime may end before the program does.
type process struct {
	cmd            *exec.Cmd
	spec           Spec
	building       *confine.Building // of its walls; nil: it has none
	apart          error             // why children that it may have are in no namespace with it
	identity       *identity
	sockets        *socketFolder // in which the plugin listens
	stdout, stderr *os.File
	greeting       greeting       // the beginning of stdout
	shown          *os.File       // takes the plugin's certificate
	files          *courier       // hands files over to the plugin
	watch          *confine.Watch // over what it takes; valid once it has started
	done           chan struct{}  // closed when the process has ended, or will never start
	err            error          // how it ended; valid after done

	mu      sync.Mutex // protects the three below, and cmd.Process while it starts
	started bool
	killed  bool
	struck  bool // by a signal that kill sent
}

var _ runner.Runner = (*process)(nil)

func newProcess(spec Spec, known *identity, sockets *socketFolder) *process {
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.SysProcAttr = childAttributes()
	if spec.self {
		cmd.Args[0] = os.Args[0] // what ps shows
	}
	return &process{cmd: cmd, spec: spec, identity: known, sockets: sockets, done: make(chan struct{})}
}

// runner completes the command with the environment that go-plugin wants for it. The plugin listens in the folder that
// is locked, not in go-plugin's within it, with which paths would be longer.
func (p *process) runner(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
	p.cmd.Env = slices.Concat(environment(p.spec.Name, os.Environ()), p.spec.Env, cmd.Env,
		[]string{goplugin.EnvUnixSocketDir + "=" + p.sockets.path}, p.identity.environment(identityPipe))
	return p, nil
}

// Numbers of files that the plugin inherits: exec.Cmd's ExtraFiles begin with 3.
const (
	identityPipe = 3 + iota
	filesSocket
)

// Start starts the process and keeps a goroutine with it until it ends.
func (p *process) Start(context.Context) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if p.err = p.start(); p.err != nil {
			close(p.done)
			started <- p.err
			return
		}
		started <- nil
		p.wait()
	}()
	return <-started
}

func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return errors.New("killed before it started")
	}
	ends, err := p.pipes()
	defer func() { closeAll(ends) }()
	if err == nil {
		var socket *os.File
		p.files, socket, err = newCourier()
		ends = append(ends, socket)
	}
	if err == nil {
		p.inherit(ends)
		err = p.confine()
	}
	if err == nil {
		err = p.begin()
	}
	p.started = err == nil
	if err != nil {
		closeAll([]*os.File{p.stdout, p.stderr, p.shown})
		p.files.close()
		return err
	}
	free := p.spec.Unconfined != ""
	p.watch = confine.NewWatch(confine.Watched{PID: p.cmd.Process.Pid, Free: free,
		Family: free || p.spec.Grants.Processes}, p.kill)
	go p.watch.Run(p.done)
	return nil
}

// confine has the process build its walls before it becomes the plugin.
func (p *process) confine() (err error) {
	if p.spec.Unconfined != "" {
		return nil
	}
	grants, err := p.spec.grants()
	if err != nil {
		return err
	}
	process := confine.Process{Program: p.cmd.Path, Args: p.cmd.Args, Env: p.cmd.Environ(), Sockets: p.sockets.path,
		Grants: grants}
	for _, library := range p.spec.Libraries {
		process.Loads = append(process.Loads, library.Path)
	}
	if p.spec.Folder != "" {
		process.Loads = append(process.Loads, p.spec.Folder)
	}
	p.building, err = process.Build(p.cmd)
	return err
}

// begin starts the process, in a namespace where it may have children.
func (p *process) begin() (err error) {
	if p.building == nil {
		p.apart, err = confine.StartTogether(p.cmd)
		return err
	}
	p.apart, err = p.building.Start(p.cmd)
	return err
}

// give hands the plugin a file. The memory that it lies in may then count as the plugin's.
func (p *process) give(path string, write bool) error {
	err := p.files.give(path, write)
	if err == nil && p.files != nil {
		p.watch.Hand(p.files.handed())
	}
	return err
}

// walls says which stand, when the process has become the plugin. An error says why it has not.
func (p *process) walls() ([]confine.State, error) {
	if p.building == nil {
		if p.pid() == 0 || p.apart != nil {
			return confine.Without(p.spec.Unconfined), nil
		}
		return confine.TogetherStates(p.spec.Unconfined), nil
	}
	defer p.building.Close()
	if p.pid() == 0 {
		return nil, nil
	}
	states, err := p.building.States()
	return p.watch.Tell(states), err
}

// inherit has the plugin inherit ends, the last of which is nil where files are not handed over.
func (p *process) inherit(ends []*os.File) {
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.ExtraFiles = ends[0], ends[1], ends[2:3]
	if ends[3] != nil {
		p.cmd.ExtraFiles = ends[2:]
		p.cmd.Env = append(p.cmd.Env, fmt.Sprintf("%s=%d", handover.Variable, filesSocket))
	}
}

// pipes connects standard output, standard error and the pipe for the certificate, and
// returns the ends that the child inherits.
func (p *process) pipes() (ends []*os.File, err error) {
	for _, to := range []**os.File{&p.stdout, &p.stderr, &p.shown} {
		read, write, err := os.Pipe()
		if err != nil {
			return ends, err
		}
		*to = read
		ends = append(ends, write)
	}
	return ends, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

func (p *process) wait() {
	p.err = p.cmd.Wait()
	if p.apart != nil {
		confine.Sweep(p.identity.entry())
	}
	p.watch.End()
	end := time.Now().Add(drainTime)
	_ = p.stdout.SetReadDeadline(end) // pipes have deadlines
	_ = p.stderr.SetReadDeadline(end)
	close(p.done)
}

// kill ends the process group, now or as soon as it would start. It does not wait.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if !p.started {
		return
	}
	select {
	case <-p.done: // its id may be another's by now
	default:
		p.struck = true
		killGroup(p.cmd.Process)
	}
}

// killedByOthers tells whether the process ended by a signal that kill did not send. It waits a moment for a process
// that is ending.
func (p *process) killedByOthers() bool {
	select {
	case <-p.done:
	case <-time.After(drainTime):
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started || p.struck {
		return false
	}
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// over says for which limit of its the process was killed; nil: for none.
func (p *process) over() error {
	if p.pid() == 0 {
		return nil
	}
	return p.watch.Over()
}

// pid is the process id, or 0 when it never started.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return 0
	}
	return p.cmd.Process.Pid
}

// status tells in words how the process ended: "exit status 2", "signal: killed".
func (p *process) status() string {
	<-p.done
	if p.err == nil {
		return "exit status 0"
	}
	return p.err.Error()
}

// Wait returns when the process has ended. Standard output and error are read to their end first.
func (p *process) Wait(context.Context) error {
	<-p.done
	closeAll([]*os.File{p.stdout, p.stderr, p.shown})
	p.files.close()
	return p.err
}

// Kill ends the process and waits for it.
func (p *process) Kill(context.Context) error {
	p.kill()
	if p.pid() != 0 {
		<-p.done
	}
	return nil
}

// ended tells how the process has ended by itself: nothing if it has not.
func (p *process) ended() string {
	select {
	case <-p.done:
	default:
		return ""
	}
	p.mu.Lock()
	struck := p.struck
	p.mu.Unlock()
	if struck {
		return ""
	}
	return p.status()
}

// Diagnose is what go-plugin adds to the error of a failed handshake: nothing, for greeting tells more.
func (p *process) Diagnose(context.Context) string { return "" }

func (p *process) Stdout() io.ReadCloser { return lastingPipe{p.stdout, p.done, &p.greeting} }
func (p *process) Stderr() io.ReadCloser { return p.stderr }
func (p *process) Name() string          { return p.spec.Path }

// ID is never empty: go-plugin cleans up only after a runner that has one.
func (p *process) ID() string { return strconv.Itoa(p.pid()) }

// lastingPipe is a pipe that ends with its process: go-plugin kills what has closed its standard output, and then
// nobody could tell that it had been killed before.
type lastingPipe struct {
	*os.File
	done  <-chan struct{}
	heard *greeting
}

func (l lastingPipe) Read(b []byte) (int, error) {
	n, err := l.File.Read(b)
	l.heard.hear(b[:n])
	if err == io.EOF {
		select {
		case <-l.done:
		case <-time.After(drainTime):
		}
	}
	return n, err
}

// PluginToHost is where the plugin says that it listens: in the folder that it was told to, and nowhere else, for the
// host would connect to anything.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	if network != "unix" || filepath.Dir(filepath.Clean(address)) != filepath.Clean(p.sockets.path) {
		return "", "", fmt.Errorf("it listens at %s %s, not in its folder %s", network, address, p.sockets.path)
	}
	return network, address, nil
}

// HostToPlugin is of no use here: both live in the same file system.

func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
