package plugins

import (
	"context"
	"os"
	"os/signal"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/internal/pages"
)

// Handshake is what host and plugin show each other at launch. The cookie is no secret:
// it tells a user who starts a plugin by hand that it is not a program of its own.
var Handshake = goplugin.HandshakeConfig{
	MagicCookieKey:   "PENSTOCK_PLUGIN",
	MagicCookieValue: "9d3d6b0f-device",
}

// PluginName is what a host dispenses from a plugin process: a Device.
const PluginName = "device"

// NumberVariable tells a plugin process which it is of several that a run has of the same plugin, from 0, so that each
// may choose hardware of its own. It is not set for the first.
const NumberVariable = "PENSTOCK_DEVICE_NUMBER"

// garbage is how much of it a plugin process may have beside what a session holds: that is charged to the budget.
const garbage = 2 << 20

// Serve is a plugin's whole main: it answers the host that started the process until
// that host ends the process or dies itself. It ignores interrupts, because a Ctrl-C at
// a terminal reaches host and plugin alike and the host decides what becomes of a run.
// Log with hclog.Default(): it writes to standard error what the host's log understands.
// Standard output belongs to the handshake.
func Serve(device Device) { serve(ProtocolMin, ProtocolMax, device) }

// serve is Serve for any range of versions.
func serve(from, to int, device Device) {
	signal.Ignore(os.Interrupt)
	pages.Frugal()
	pages.BoundGarbage(garbage)
	go exitWithParent(os.Getppid())
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Info, JSONFormat: true, Output: os.Stderr})
	hclog.SetDefault(logger)
	defer profile()()
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  Handshake,
		VersionedPlugins: PluginSets(from, to, device),
		GRPCServer:       newServer,
		TLSProvider:      identify,
		Logger:           logger,
	})
}

// PluginSets is the contract in go-plugin's terms, for every protocol version of a
// range. A host passes a nil device.
func PluginSets(from, to int, device Device) map[int]goplugin.PluginSet {
	sets := map[int]goplugin.PluginSet{}
	for version := from; version <= to; version++ {
		sets[version] = goplugin.PluginSet{PluginName: &grpcPlugin{device: device}}
	}
	return sets
}

func newServer(options []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options,
		grpc.MaxRecvMsgSize(MaxMessage), grpc.MaxSendMsgSize(MaxMessage))...)
}

// exitWithParent ends this process once its parent has: a child whose parent dies is
// given another one. A host that is killed can tell nobody.
func exitWithParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(500 * time.Millisecond)
	}
	os.Exit(1) //nolint:forbidigo // this is the main of a plugin whose host is gone
}

// grpcPlugin is both ends of the contract as go-plugin wants them.
type grpcPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	device Device
}

func (p *grpcPlugin) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	Register(s, p.device)
	return nil
}

func (p *grpcPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return NewClient(conn), nil
}
