package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/handshake"
)

// Profiles are the files into which a command records where its time and memory went.
// They are complete whenever the command ends by itself: with an error and after Ctrl-C too.
type Profiles struct{ cpu, memory, trace string }

// Add adds the flags that name the files.
func (p *Profiles) Add(flags *pflag.FlagSet) {
	flags.StringVar(
		&p.cpu, "cpuprofile", "", "write a CPU profile to `file`, and that of the built-in device to file.plugin (see go tool pprof)")
	flags.StringVar(&p.memory, "memprofile", "", "write to `file` what was allocated (see go tool pprof)")
	flags.StringVar(
		&p.trace, "trace", "", "write an execution trace to `file` (see go tool trace); of run, to a file that ends in .json, a timeline (see ui.perfetto.dev)")
}

// Timeline is the file for the timeline of a run, or empty.
func (p *Profiles) Timeline() string {
	if strings.HasSuffix(p.trace, ".json") {
		return p.trace
	}
	return ""
}

// during records while do runs.
func (p *Profiles) during(do func() error) (err error) {
	if p.cpu != "" {
		if err := os.Setenv(handshake.CPUProfile, p.cpu+".plugin"); err != nil {
			return err
		}
	}
	for _, profile := range []struct {
		file  string
		start func(io.Writer) error
		stop  func(io.Writer) error
	}{
		{p.cpu, pprof.StartCPUProfile, func(io.Writer) error { pprof.StopCPUProfile(); return nil }},
		{p.trace, trace.Start, func(io.Writer) error { trace.Stop(); return nil }},
		{p.memory, func(io.Writer) error { return nil }, writeAllocations},
	} {
		if profile.file == "" || profile.file == p.Timeline() {
			continue
		}
		file, failed := os.Create(profile.file)
		if failed != nil {
			return fmt.Errorf("cannot write the profile: %w", failed)
		}
		if failed := profile.start(file); failed != nil {
			return errors.Join(fmt.Errorf("cannot profile: %w", failed), file.Close())
		}
		defer func() { err = errors.Join(err, profile.stop(file), file.Close()) }()
	}
	return do()
}

// writeAllocations writes what has been allocated so far and what is still in use.
func writeAllocations(w io.Writer) error {
	runtime.GC() // what is in use is known as of the last collection
	return pprof.Lookup("allocs").WriteTo(w, 0)
}
