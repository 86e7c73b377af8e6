package launch

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/plugins"
)

// behavior is the variable that tells this test program what to be as a plugin.
var behavior = OwnVariable("cpu", "BEHAVIOR")

// unconfined has the host that this test program is run its plugin without walls.
const unconfined = "PENSTOCK_TEST_UNCONFINED"

// hostArg makes this test program a host that starts a plugin and waits to be killed.
const hostArg = "test-host"

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case SelfArg:
			bePlugin(os.Getenv(behavior))
			os.Exit(0)
		case hostArg:
			beHost()
		}
	}
	os.Exit(m.Run())
}

func bePlugin(how string) {
	how, file, _ := strings.Cut(how, " to ")
	switch how {
	case "detach":
		detachChild(file)
	case "mute":
		time.Sleep(time.Hour)
	case "leave":
		fmt.Fprintln(os.Stderr, "no such device: /dev/turbine0")
		os.Exit(3)
	case "talk":
		fmt.Println("hello, world")
		time.Sleep(time.Hour)
	case "mumble":
		fmt.Print("starting ")
	case "await death":
		fmt.Fprintf(os.Stderr, "pid %d\n", os.Getpid())
		time.Sleep(time.Hour)
	case "await death while it shakes hands":
		shakeHalfway()
	case "listen elsewhere":
		fmt.Printf("%d|%d|tcp|127.0.0.1:1|grpc|\n", goplugin.CoreProtocolVersion, handshake.ProtocolMax)
		time.Sleep(time.Hour)
	case "fork":
		serveInAChild()
	case "panic":
		var d *description
		fmt.Println(d.name)
	}
	plugins.Serve(description{name: "test"})
}

// detachChild leaves a child of a child behind, in a session of its own, which writes its number, as the host knows
// it, into a file.
func detachChild(file string) {
	const script = `setsid sh -c 'read -r pid rest < /proc/self/stat; echo "$pid" > "$1"
		exec sleep 100 < /dev/null > /dev/null 2>&1' sh "$1" &`
	if out, err := exec.Command("sh", "-c", script, "sh", file).CombinedOutput(); err != nil {
		panic(string(out))
	}
}

// serveInAChild waits for a child that serves, and keeps all that it has inherited open meanwhile.
func serveInAChild() {
	child := exec.Command(os.Args[0], os.Args[1:]...)
	child.Env = append(os.Environ(), behavior+"=")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.ExtraFiles = []*os.File{os.NewFile(identityPipe, "identity")}
	err := child.Run()
	fmt.Fprintln(os.Stderr, "child:", err)
	os.Exit(0)
}

// shakeHalfway says where it listens, and never answers who connects there.
func shakeHalfway() {
	os.NewFile(identityPipe, "identity").Close() // no certificate
	l, err := net.Listen("unix", filepath.Join(os.Getenv(goplugin.EnvUnixSocketDir), "s"))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d|%d|unix|%s|grpc|\n", goplugin.CoreProtocolVersion, handshake.ProtocolMax, l.Addr())
	if _, err := l.Accept(); err != nil {
		panic(err)
	}
	fmt.Fprintf(os.Stderr, "pid %d\n", os.Getpid())
	time.Sleep(time.Hour)
}

func beHost() {
	spec, err := Self()
	spec.Grants.Processes = os.Getenv(behavior) == "fork"
	spec.Unconfined = os.Getenv(unconfined)
	if err == nil {
		var p *Plugin
		if p, err = Start(context.Background(), spec, Options{}); err == nil {
			fmt.Println(p.PID(), !slices.ContainsFunc(p.Walls, func(s confine.State) bool {
				return s.Wall == confine.Processes && !s.Stands
			}))
			time.Sleep(time.Hour)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// description is a device that can only describe itself.
type description struct{ name string }

func (d description) Describe(context.Context) (plugins.Description, error) {
	fmt.Fprintln(os.Stderr, "described")
	return plugins.Description{Name: d.name, Version: "1.2.3"}, nil
}

func (d description) Open(context.Context, plugins.Job) (plugins.Session, error) {
	os.Stderr.WriteString("panic: at sea\n\ngoroutine 1 [running]:\nmain.main()\n")
	os.Exit(2)
	return nil, nil
}
