package plugintest

import (
	"os/exec"
	"testing"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/plugins"
)

// Main is a whole TestMain: it runs the tests or, when a host has started the test binary as a plugin, the plugin's
// main. So a test can Launch its own binary.
//
//	func TestMain(m *testing.M) { plugintest.Main(m, main) }
func Main(m *testing.M, main func()) {
	if handshake.Launched() {
		main()
		return
	}
	m.Run()
}

// Launch starts a plugin's binary and returns its device, so that the suite sees what a
// host sees: a process at the other end of a connection. The process ends with the test.
//
//	plugintest.Run(t, func(t *testing.T) plugins.Device {
//		return plugintest.Launch(t, exec.Command("./penstock-device-mine"))
//	})
func Launch(t testing.TB, cmd *exec.Cmd) plugins.Device {
	t.Helper()
	client := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  handshake.Config,
		VersionedPlugins: handshake.Sets(handshake.ProtocolMin, handshake.ProtocolMax, handshake.Ends{Connect: connect}),
		Cmd:              cmd,
		SkipHostEnv:      cmd.Env != nil, // it would have the last word
		AutoMTLS:         true,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: t.Output()}),
	})
	t.Cleanup(client.Kill)
	protocol, err := client.Client()
	if err != nil {
		t.Fatalf("start of %v: %v", cmd, err)
	}
	device, err := protocol.Dispense(handshake.Name)
	if err != nil {
		t.Fatal(err)
	}
	return device.(plugins.Device)
}

// connect is the device at the other end of a connection.
func connect(conn grpc.ClientConnInterface) any { return plugins.NewClient(conn) }
