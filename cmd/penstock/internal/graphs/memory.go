package graphs

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/store"
)

// ProgramMemory is what the program, the open database and the files being read take
// beside a load.
const ProgramMemory = 64 << 20

// memoryFlag is --memory of commands that load.
type memoryFlag struct{ bytes *int64 }

// limitMemory tells the garbage collector what a load may take, so that garbage takes no
// more than is left of it. The load keeps to it by itself.
func limitMemory(o store.LoadOptions) {
	debug.SetMemoryLimit(o.MemoryBound() + ProgramMemory)
}

func addMemoryFlag(flags *pflag.FlagSet, bytes *int64) {
	flags.Var(
		memoryFlag{bytes}, "memory", "`size` of the memory to load with, beside 64MiB for the program; what does not fit is sorted by way of files (default half of the machine's, of which 1GiB is for edges and properties)")
}

func (f memoryFlag) String() string {
	if f.bytes == nil {
		return ""
	}
	s := cli.Size(*f.bytes)
	return s.String()
}

func (f memoryFlag) Set(text string) error {
	var s cli.Size
	if err := s.Set(text); err != nil {
		return err
	}
	if s > math.MaxInt64/2 {
		return fmt.Errorf("%q is more than any machine has", text)
	}
	*f.bytes = int64(s)
	return nil
}

func (f memoryFlag) Type() string { return "size" }
