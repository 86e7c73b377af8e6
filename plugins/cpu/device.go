package cpu

import (
	"context"
	"fmt"
	"runtime"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Version of this device, as Describe tells it.
const Version = "0.1.0"

const deviceName = "cpu"

// Options choose how the device works; the zero value uses every processor.
type Options struct {
	Threads int // workers of a session; 0: GOMAXPROCS
}

// New is the CPU as a device.
func New(options Options) plugins.Device {
	if options.Threads <= 0 {
		options.Threads = runtime.GOMAXPROCS(0)
	}
	return &device{threads: options.Threads}
}

type device struct {
	threads int
	known   kit.Known
}

func (d *device) Describe(context.Context) (plugins.Description, error) {
	return plugins.Description{
		Name:       deviceName,
		Version:    Version,
		Hardware:   fmt.Sprintf("%s, %d processors", runtime.GOARCH, runtime.NumCPU()),
		Threads:    d.threads,
		Procedures: procedures.Names(),
		MapsFiles:  arena.CanMapFiles,
		Extensions: []plugins.Extension{plugins.ExtensionRestore, plugins.ExtensionSettle, plugins.ExtensionShares,
			plugins.ExtensionJoins, plugins.ExtensionParts, plugins.ExtensionPasses, plugins.ExtensionIntervals,
			plugins.ExtensionNearest, plugins.ExtensionNetworks, plugins.ExtensionBatches, plugins.ExtensionPortions,
			plugins.ExtensionHalves, plugins.ExtensionLearns, plugins.ExtensionWorkers, plugins.ExtensionProperties,
			plugins.ExtensionCycles},
	}, nil
}

func (d *device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	threads := job.Threads
	if threads <= 0 {
		threads = d.threads
	}
	return d.open(job, threads)
}

// maxVertices keeps every vertex number and column length within an int.
const maxVertices = 1 << 40
