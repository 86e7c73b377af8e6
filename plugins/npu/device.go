package npu

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/failure"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
	"github.com/penstock-db/penstock/plugins/npu/ort"
)

// Version of this device, as Describe tells it.
const Version = "0.1.0"

const deviceName = "npu"

// Options choose the library and what it computes on.
type Options struct {
	Library  string            // the path of ONNX Runtime
	Provider ort.Provider      // "": the processor
	Settings map[string]string // the provider's own options
	Threads  int               // of the processor, that work on blocks of a matrix; 0: GOMAXPROCS
	Paper    bool              // the paper's operators as they are, for comparison
	Scratch  uint64            // bytes that a stage of a network brings for a block of its rows; 0: 64 MiB
}

// New loads the library; the device keeps it for good.
func New(options Options) (plugins.Device, error) {
	if options.Threads <= 0 {
		options.Threads = runtime.GOMAXPROCS(0)
	}
	if options.Provider == "" {
		options.Provider = ort.CPU
	}
	library, err := ort.Open(options.Library)
	if err != nil {
		return nil, err
	}
	d := &device{library: library, options: options, estate: &matrix.Estate{}}
	runtime.AddCleanup(d, func(e *matrix.Estate) { e.Put(nil) }, d.estate)
	d.try = sync.OnceValue(func() error { return library.Try(context.Background(), d.settings()) })
	return d, nil
}

type device struct {
	library *ort.Runtime
	options Options
	try     func() error // once: hosts ask a device that is busy to describe itself, too
	known   kit.Known
	estate  *matrix.Estate
}

// settings are those of the runtime's sessions.
func (d *device) settings() ort.Options {
	return ort.Options{Provider: d.options.Provider, Settings: d.options.Settings}
}

// Describe computes something first: a device whose provider lacks its driver, its hardware or takes
// offense at an option is none.
func (d *device) Describe(context.Context) (plugins.Description, error) {
	if err := d.try(); err != nil {
		return plugins.Description{}, failure.Named(deviceName, -1, plugins.KindLaunch, err)
	}
	return plugins.Description{
		Name:    deviceName,
		Version: Version,
		Hardware: fmt.Sprintf("ONNX Runtime %s, provider %s (%s)", d.library.Version(), d.options.Provider,
			d.options.Provider.Facts().Status),
		Threads:   d.options.Threads,
		MapsFiles: arena.CanMapFiles,
		Lanes:     maxLanes,

		Extensions: []plugins.Extension{plugins.ExtensionRestore, plugins.ExtensionSettle, plugins.ExtensionParts,
			plugins.ExtensionNetworks, plugins.ExtensionBatches, plugins.ExtensionPortions, plugins.ExtensionHalves,
			plugins.ExtensionProperties},
	}, nil
}

func (d *device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	if job.Threads <= 0 {
		job.Threads = d.options.Threads
	}
	job.Budget = bound(job)
	return d.open(job)
}

// bound is the job's budget, or, where there is none, what memory there is: a matrix may well be
// larger than that, and is to be refused before it is allocated.
func bound(job plugins.Job) uint64 {
	if job.Budget > 0 {
		return job.Budget
	}
	have, err := pages.Physical()
	if err != nil {
		return 0
	}
	return have
}
