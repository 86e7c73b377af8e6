package reexec_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/reexec"
)

// The test binary, started as a plugin, is the CPU device.
func TestInit_ServesTheDevice(t *testing.T) {
	client := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  plugins.Handshake,
		VersionedPlugins: plugins.PluginSets(plugins.ProtocolMin, plugins.ProtocolMax, nil),
		Cmd:              exec.Command(os.Args[0], reexec.Arg),
		AutoMTLS:         true,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
	})
	defer client.Kill()
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := protocol.Dispense(plugins.PluginName)
	if err != nil {
		t.Fatal(err)
	}
	d, err := raw.(plugins.Device).Describe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "cpu" || d.Threads < 1 || !slices.Contains(d.Procedures, "cdlp") {
		t.Errorf("the plugin describes itself as %+v", d)
	}
}

// mainVariable tells a child of these tests to say that its main has been reached.
const mainVariable = "PENSTOCK_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		fmt.Print("main")
		return
	}
	os.Exit(m.Run())
}

// Without the handshake's cookie the argument means nothing: main runs.
func TestInit_NeedsTheCookie(t *testing.T) {
	cmd := exec.Command(os.Args[0], reexec.Arg)
	cmd.Env = append(os.Environ(), mainVariable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "main" {
		t.Fatalf("%q, %v; expected main to run", out, err)
	}
}
