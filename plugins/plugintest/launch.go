package plugintest

import (
	"os/exec"
	"testing"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"

	"github.com/penstock-db/penstock/plugins"
)

// Launch starts a plugin's binary and returns its device, so that the suite sees what a
// host sees: a process at the other end of a connection. The process ends with the test.
//
//	plugintest.Run(t, func(t *testing.T) plugins.Device {
//		return plugintest.Launch(t, exec.Command("./penstock-device-mine"))
//	})
func Launch(t testing.TB, cmd *exec.Cmd) plugins.Device {
	t.Helper()
	client := goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  plugins.Handshake,
		VersionedPlugins: plugins.PluginSets(plugins.ProtocolMin, plugins.ProtocolMax, nil),
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
	device, err := protocol.Dispense(plugins.PluginName)
	if err != nil {
		t.Fatal(err)
	}
	return device.(plugins.Device)
}
