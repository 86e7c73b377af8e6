// Package launch starts plugin processes and ends them, so that none outlives its use.
//
//	Spec ──checksum──▶ process ──handshake, mutual TLS──▶ plugins.Device
//	                     │
//	                     ├─ stderr ──▶ the last lines, for error messages
//	                     └─ Exited ──▶ how it ended
//
// The socket's file is removed as soon as both are connected. A plugin ends in one of four ways, and nothing of it
// stays:
//
//   - Close asks it to stop, and kills it when it does not;
//   - Kill ends it at once (SIGKILL to its process group), which is how a run is canceled;
//   - more memory of its own than its budget, or thousands of threads, have it killed, see confine.Watch;
//   - the death of this process, even by SIGKILL, ends it too on Linux (see process_linux.go).
//     On other systems the plugin itself watches for its parent.
package launch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/plugins"
)

// Spec says which program to start and what is known of it.
type Spec struct {
	Name    string // of the device, for messages
	Version string // as installed; empty: as the plugin describes itself
	Path    string
	Args    []string
	// SHA256 is the digest in hex that the file must have. Empty: any, as for a path
	// that the user has named, and for this program itself.
	SHA256 string
	// Libraries are files that the program loads, and that must be what they were as well.
	Libraries []File
	// Package is the SHA-256 of the package that it was installed from, if there is one, and Contents are the other
	// files that were in it, which must be what they were as well.
	Package  string
	Contents []File
	Env      []string // "NAME=value": what it is told beside the host's environment
	// Folder is where it was installed, with what belongs to it. Empty: the program is all there is.
	Folder string
	// Grants are what it may do beyond what every plugin may.
	Grants confine.Grants
	// Unconfined says why it runs without walls. Empty: within them.
	Unconfined string
	self       bool
}

// File is a file that a plugin runs or loads, as it was when it was installed.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// BuiltIn tells whether it is the CPU device that this very program is.
func (s Spec) BuiltIn() bool { return s.self && slices.Equal(s.Args, []string{SelfArg}) }

// Identity is equal for specs that start the same device, as far as they say.
func (s Spec) Identity() string {
	return fmt.Sprintf("%q", []any{s.Path, s.SHA256, s.Args, s.Libraries, s.Env, s.Grants, s.Unconfined})
}

// Lasting tells whether the program is the same one at every launch by this spec.
func (s Spec) Lasting() bool { return s.self || s.SHA256 != "" }

// Options of a launch. The zero value is useful.
type Options struct {
	// Log receives what the plugin writes to standard error. Nil: only the last lines are kept.
	Log io.Writer
	// Timeout bounds the time until a start has succeeded or failed, and that of a Close. 0: DefaultTimeout.
	Timeout time.Duration
}

// complete puts defaults in the place of what is not said.
func (o Options) complete() Options {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	return o
}

// DefaultTimeout is how long a plugin may take to start.
const DefaultTimeout = 30 * time.Second

// Plugin is a running plugin process.
type Plugin struct {
	Device   plugins.Device
	Walls    []confine.State // that stand around it, or do not
	spec     Spec
	process  *process
	watch    *confine.Watch // over what it takes; nil: it is no process
	identity *identity
	client   *goplugin.Client
	stderr   *tail
	timeout  time.Duration
	cleanup  sync.Once // see end
}

// Start checks the file, starts it and shakes hands. It fails with an *plugins.Error of
// KindLaunch (wrapping a *ChecksumError when the file is not the one expected), of KindDied when another process has
// killed the plugin meanwhile, or what it took has (wrapping a *confine.MemoryError,
// *confine.TasksError or *confine.CPUTimeError), or with the error of ctx. When it
// fails no process is left.
func Start(ctx context.Context, spec Spec, opts Options) (*Plugin, error) {
	spec, err := spec.identified()
	if err != nil {
		return nil, spec.failed(err)
	}
	p, err := newPlugin(spec, opts)
	if err != nil {
		return nil, spec.failed(err)
	}
	intime, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	stop := context.AfterFunc(intime, p.process.kill)
	defer stop()
	device, err := p.dispense()
	if err != nil {
		err = p.process.greeting.failed(err, p.process.ended())
	}
	walls, unbuilt := p.process.walls()
	if intime.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("timeout: it has not started within %v", p.timeout)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && intime.Err() == nil && (p.process.killedByOthers() || p.process.over() != nil) {
		return nil, p.Death()
	}
	if unbuilt != nil && intime.Err() == nil {
		err = unbuilt
	}
	if err != nil {
		p.Kill()
		return nil, p.startError(ctx, err)
	}
	p.Device, p.Walls, p.watch = device, walls, p.process.watch
	return p, nil
}

func newPlugin(spec Spec, opts Options) (*Plugin, error) {
	opts = opts.complete()
	known, err := newIdentity()
	if err != nil {
		return nil, err
	}
	p := &Plugin{spec: spec, identity: known, timeout: opts.Timeout}
	folder, err := newSocketFolder()
	if err != nil {
		return nil, err
	}
	p.process = newProcess(spec, known, folder)
	p.stderr = &tail{log: opts.Log, done: p.process.done}
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  handshake.Config,
		VersionedPlugins: handshake.Sets(handshake.ProtocolMin, handshake.ProtocolMax, handshake.Ends{Connect: p.connect}),
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		TLSConfig:        known.tls,
		RunnerFunc:       p.process.runner,
		GRPCDialOptions:  []grpc.DialOption{grpc.WithIdleTimeout(0)}, // for one connection is all there is, see hide
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: folder.path},
		SkipHostEnv:      true,
		StartTimeout:     opts.Timeout,
		Logger:           hclog.NewNullLogger(),
		Stderr:           p.stderr,
		SyncStderr:       p.stderr,
	})
	return p, nil
}

// connect is the device at the other end of a connection.
func (p *Plugin) connect(conn grpc.ClientConnInterface) any {
	return plugins.NewGivingClient(conn, p.process.give)
}

func (p *Plugin) dispense() (plugins.Device, error) {
	if _, err := p.client.Start(); err != nil {
		return nil, err
	}
	if err := p.identity.meet(p.process.shown, p.timeout); err != nil {
		return nil, err
	}
	protocol, err := p.client.Client()
	if err != nil {
		return nil, err
	}
	if err := p.hide(protocol); err != nil {
		return nil, err
	}
	raw, err := protocol.Dispense(handshake.Name)
	if err != nil {
		return nil, err
	}
	device, ok := raw.(plugins.Device)
	if !ok {
		return nil, fmt.Errorf("it serves a %T, not a device", raw)
	}
	return device, nil
}

// hide removes the socket's file once both are connected: when both processes are killed, only the next host could.
func (p *Plugin) hide(protocol goplugin.ClientProtocol) error {
	if err := protocol.Ping(); err != nil {
		return err
	}
	return p.process.sockets.remove()
}

// startError tells a canceled start from a failed one, and adds what the plugin said.
func (p *Plugin) startError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.spec.failed(p.withLastWords(err))
}

// withLastWords adds to an error what the plugin has written, and which walls may be the reason of it.
func (p *Plugin) withLastWords(err error) error {
	said := p.stderr.essence()
	if said != "" {
		err = fmt.Errorf("%w; it wrote:\n%s", err, said)
	}
	return p.WithWalls(err, said)
}

// WithWalls adds to an error which walls may be the reason of it, if the plugin has any and what it says names what
// they answer.
func (p *Plugin) WithWalls(err error, says string) error {
	walls := answering(says)
	if p.process == nil || p.process.building == nil || walls == "" {
		return err
	}
	return fmt.Errorf("%w\nIt ran within walls, of which that may be the answer of %s: `penstock plugin doctor` says "+
		"which stand, permissions in its manifest open them, and --no-confinement runs it without", err, walls)
}

// answering names the walls whose answer is in the words of a plugin, if there are any.
func answering(said string) string {
	said = strings.ToLower(said)
	switch {
	case strings.Contains(said, "permission denied"):
		return "files"
	case strings.Contains(said, "operation not permitted"):
		return "system calls, network, processes or signals"
	}
	return ""
}

// failed is err as a launch error of this plugin.
func (s Spec) failed(err error) error {
	return &plugins.Error{Device: s.Name, Kind: plugins.KindLaunch, Chunk: -1, Err: err}
}

// Digest is the SHA-256 of the program, in hex, followed by those of its libraries, or of its package.
func (p *Plugin) Digest() (string, error) {
	digest, err := p.spec.SHA256, error(nil)
	if p.spec.self {
		digest, err = selfDigest()
	}
	for _, library := range p.spec.Libraries {
		digest += "+" + library.SHA256
	}
	if p.spec.Package != "" {
		digest += "+" + p.spec.Package
	}
	return digest, err
}

// Redirect sends what the plugin writes to standard error from now on to log, as Options.Log does.
func (p *Plugin) Redirect(log io.Writer) { p.stderr.redirect(log) }

// Protocol is the contract version that host and plugin agreed on.
func (p *Plugin) Protocol() int { return p.client.NegotiatedVersion() }

// PID is the plugin's process id.
func (p *Plugin) PID() int { return p.process.pid() }

// Give has the plugin have a budget of memory in bytes, as a session does; 0: any. card: the memory is a card's. From
// then on it is killed when it has more of its own, see confine.MemoryError.
func (p *Plugin) Give(budget uint64, card bool) { p.watch.Give(budget, card) }

// GiveTime has the plugin have so much time of processors from now on, as a run does; 0: any. When it has taken more it
// is killed, see confine.CPUTimeError. Systems other than Linux do not tell.
func (p *Plugin) GiveTime(cpu time.Duration) { p.watch.GiveTime(cpu) }

// Memory is what the plugin may have of memory of its own, and the most that it was seen to take.
func (p *Plugin) Memory() (confine.Limit, confine.Use) {
	return p.process.watch.Limit(), p.process.watch.Seen()
}

// Exited is closed when the process has ended, for whatever reason.
func (p *Plugin) Exited() <-chan struct{} { return p.process.done }

// Death describes the end of a process that nobody asked to end: a KindDied error with
// its exit status and its last words on standard error. Call it after Exited.
func (p *Plugin) Death() error {
	p.Kill() // drains standard error
	err := fmt.Errorf("process %d ended: %v", p.PID(), p.process.status())
	if over := p.process.over(); over != nil {
		err = fmt.Errorf("process %d: %w", p.PID(), over)
	}
	return &plugins.Error{Device: p.spec.Name, Kind: plugins.KindDied, Chunk: -1, Err: p.withLastWords(err)}
}

// Kill ends the process at once and returns when it is gone. It may be called many times
// and from several goroutines.
func (p *Plugin) Kill() {
	p.process.kill()
	p.cleanup.Do(p.end)
}

// end waits for the end, and removes what is left of the handshake.
func (p *Plugin) end() {
	p.client.Kill()
	_ = p.process.sockets.remove() // what stays the next host sweeps
}

// Close asks the process to end, kills it after the timeout, and returns when it is gone.
func (p *Plugin) Close() {
	late := time.AfterFunc(p.timeout, p.process.kill)
	defer late.Stop()
	p.cleanup.Do(p.end)
}
