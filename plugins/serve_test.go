package plugins

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/internal/handshake"
)

// roleVariable makes the test binary a plugin, or a host that will be killed.
const roleVariable = "PENSTOCK_TEST_ROLE"

func TestMain(m *testing.M) {
	// else every process that is built with the race detector ends a second late
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	var from, to int
	switch role := os.Getenv(roleVariable); {
	case role == "host":
		launchAndWait()
	case role != "":
		fmt.Sscanf(role, "plugin %d %d", &from, &to)
		serve(from, to, stub{execute: echo})
	default:
		os.Exit(m.Run())
	}
}

// launch starts this binary as a plugin that speaks versions from to to, for a host
// that speaks hostFrom to hostTo.
func launch(from, to, hostFrom, hostTo int) *goplugin.Client {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=plugin %d %d", roleVariable, from, to))
	ends := handshake.Ends{Connect: func(c grpc.ClientConnInterface) any { return NewClient(c) }}
	return goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  handshake.Config,
		VersionedPlugins: handshake.Sets(hostFrom, hostTo, ends),
		Cmd:              cmd,
		SkipHostEnv:      true, // cmd has it
		AutoMTLS:         true,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
	})
}

func dispense(client *goplugin.Client) (Device, error) {
	protocol, err := client.Client()
	if err != nil {
		return nil, err
	}
	raw, err := protocol.Dispense(handshake.Name)
	if err != nil {
		return nil, err
	}
	return raw.(Device), nil
}

func TestServe_Negotiation(t *testing.T) {
	for _, c := range []struct {
		plugin, host [2]int
		want         int // 0: they must not meet
	}{
		{[2]int{1, 1}, [2]int{1, 1}, 1},
		{[2]int{1, 3}, [2]int{2, 5}, 3},
		{[2]int{2, 4}, [2]int{1, 3}, 3},
		{[2]int{1, 2}, [2]int{3, 4}, 0},
		{[2]int{5, 6}, [2]int{3, 4}, 0},
	} {
		t.Run(fmt.Sprint(c.plugin, c.host), func(t *testing.T) {
			t.Parallel()
			client := launch(c.plugin[0], c.plugin[1], c.host[0], c.host[1])
			defer client.Kill()
			device, err := dispense(client)
			if c.want == 0 {
				if err == nil {
					t.Fatal("they agreed on a version that one of them lacks")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := client.NegotiatedVersion(); got != c.want {
				t.Errorf("version %d, want %d", got, c.want)
			}
			if _, err := device.Describe(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestServe_IgnoresInterrupt(t *testing.T) {
	client := launch(1, 1, 1, 1)
	defer client.Kill()
	device, err := dispense(client)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(client.ID())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if _, err := device.Describe(t.Context()); err != nil {
			t.Fatalf("after an interrupt: %v", err)
		}
	}
}

func TestServe_KilledPluginHasDied(t *testing.T) {
	client := launch(1, 1, 1, 1)
	defer client.Kill()
	device, err := dispense(client)
	if err != nil {
		t.Fatal(err)
	}
	client.Kill()
	if _, err := device.Describe(t.Context()); KindOf(err) != KindDied {
		t.Fatalf("%v, want KindDied", err)
	}
}

// launchAndWait is a host that starts a plugin, tells its process id and waits to be killed.
func launchAndWait() {
	client := launch(1, 1, 1, 1)
	if _, err := dispense(client); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(client.ID())
	io.Copy(io.Discard, os.Stdin)
}

func TestServe_EndsWithItsParent(t *testing.T) {
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), roleVariable+"=host")
	in, err := host.StdinPipe() // kept open: the host waits for its end
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	host.Wait()
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the host said %q", line)
	}
	waitGone(t, pid)
}

// waitGone polls, because a process that is nobody's child cannot be waited for.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if syscall.Kill(pid, 0) != nil || isZombie(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Fatalf("plugin process %d outlived its host", pid)
}

// isZombie is for containers in which nobody reaps orphans.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
