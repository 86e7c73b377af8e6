package faulty

import (
	"context"
	"os"
	"time"

	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
)

// New is device with the faults of script, or a *ScriptError. An empty script has none.
func New(device plugins.Device, faults string) (plugins.Device, error) {
	parsed, err := parse(faults)
	if err != nil {
		return nil, err
	}
	return &faultyDevice{device, &script{faults: parsed, seen: map[string]int{}}}, nil
}

type faultyDevice struct {
	good   plugins.Device
	script *script
}

// meet does what the script says is to be done before a command, and returns what it says.
func (s *script) meet(command string) action {
	a := s.next(command)
	switch a {
	case die:
		os.Exit(3) //nolint:forbidigo // that is what the script asks for
	case hang:
		select {}
	case swell:
		takeMemory()
	case spin:
		for began := time.Now(); time.Since(began) < time.Hour; {
		}
	default:
		s.breach(a)
	}
	return a
}

func (d *faultyDevice) Describe(ctx context.Context) (plugins.Description, error) {
	if d.script.meet("describe") == lie {
		return plugins.Description{Name: "../\x1b[31m", Version: "-1", Memory: 1 << 63, LinkBandwidth: 1, Threads: -7,
			Procedures: []string{""}, MapsFiles: true, Lanes: 1 << 40, Extensions: extension.All()}, nil
	}
	return d.good.Describe(ctx)
}

func (d *faultyDevice) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	d.script.arena.Store(job.Arena)
	d.script.meet("open")
	good, err := d.good.Open(ctx, job)
	if err != nil {
		return nil, err
	}
	return &session{good: good, job: job, script: d.script}, nil
}
