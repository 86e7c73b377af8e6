package plugins

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/internal/handshake"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins/internal/profile"
)

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
func Serve(device Device) { serve(handshake.ProtocolMin, handshake.ProtocolMax, device) }

// serve is Serve for any range of versions.
func serve(from, to int, device Device) {
	signal.Ignore(os.Interrupt)
	pages.Frugal()
	pages.BoundGarbage(garbage)
	go exitWithParent(os.Getppid())
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Info, JSONFormat: true, Output: os.Stderr})
	hclog.SetDefault(logger)
	defer profile.Start()()
	direct := keep(os.Stderr)
	ends := handshake.Ends{Serve: func(s grpc.ServiceRegistrar) { register(s, device) }}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  handshake.Config,
		VersionedPlugins: handshake.Sets(from, to, ends),
		GRPCServer: func(options []grpc.ServerOption) *grpc.Server {
			return newServer(append(options, direct))
		},
		TLSProvider: handshake.Identify,
		Logger:      logger,
	})
}

func newServer(options []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options,
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage))...)
}

// keep has what the device writes to standard error go to stderr itself, from the first call on. go-plugin would send
// it through the connection, and what was written shortly before that ends would be lost.
func keep(stderr *os.File) grpc.ServerOption {
	restore := sync.OnceFunc(func() { os.Stderr = stderr })
	return grpc.ChainUnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			restore()
			return next(ctx, request)
		})
}

// exitWithParent ends this process once its parent has: a child whose parent dies is
// given another one. A host that is killed can tell nobody.
func exitWithParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(500 * time.Millisecond)
	}
	os.Exit(1) //nolint:forbidigo // this is the main of a plugin whose host is gone
}
