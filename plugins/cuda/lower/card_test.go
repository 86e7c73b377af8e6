package lower_test

import (
	_ "embed"
	"encoding/binary"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/ptx"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

//go:embed testdata/calls.ptx
var calls string // testdata/calls.cu, compiled

// card is a processor that runs the functions on a card, or on what stands for one.
type card struct {
	t      testing.TB
	stream driver.Stream
	module *driver.Module
	base   driver.Pointer
	used   uint64
}

// cardMemory is enough for all that a test has there.
const cardMemory = 1 << 20

// openCard returns what makes processors of lowered functions. PENSTOCK_CUDA_HARDWARE has them run on hardware.
func openCard(t *testing.T) func(t testing.TB, functions string) processor {
	t.Helper()
	if os.Getenv("PENSTOCK_CUDA_HARDWARE") == "" {
		t.Setenv(softcuda.Variable, softcuda.Library(t, "testdata/calls.cu"))
	}
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	context, err := driver.Open(0)
	check(t, err)
	t.Cleanup(func() { check(t, context.Close()) })
	check(t, context.Use())
	stream, err := context.NewStream()
	check(t, err)
	base, err := stream.Alloc(cardMemory)
	check(t, err)
	return func(t testing.TB, functions string) processor {
		linked, err := ptx.Link(calls, functions)
		check(t, err)
		module, err := driver.Load(linked)
		check(t, err)
		t.Cleanup(func() { check(t, module.Unload()) })
		return &card{t, stream, module, base, 8} // the first word is for results
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *card) place(bytes []byte) uint64 {
	at := uint64(c.base) + c.used
	if c.used += uint64(len(bytes)+7) &^ 7; c.used > cardMemory {
		c.t.Fatal("the card's memory is full")
	}
	check(c.t, c.stream.CopyIn(driver.Pointer(at), bytes))
	check(c.t, c.stream.Synchronize())
	return at
}

func (c *card) read(at, width uint64) []byte {
	bytes := make([]byte, width)
	check(c.t, c.stream.CopyOut(bytes, driver.Pointer(at)))
	check(c.t, c.stream.Synchronize())
	return bytes
}

func (c *card) write(at, word uint64) {
	check(c.t, c.stream.CopyIn(driver.Pointer(at), binary.LittleEndian.AppendUint64(nil, word)))
	check(c.t, c.stream.Synchronize())
}

func (c *card) call(name string, args ...uint64) uint64 {
	kernel, err := c.module.Function("call_" + strings.TrimPrefix(name, "penstock_"))
	check(c.t, err)
	check(c.t, kernel.Launch(c.stream, 1, 1, 0, append([]uint64{uint64(c.base)}, args...)...))
	return binary.LittleEndian.Uint64(c.read(uint64(c.base), 8))
}

// transcendental tells whether p asks for what a card computes in its own way.
func transcendental(p algorithms.Program) bool {
	texts := []string{p.Process.Source}
	for _, s := range p.State {
		texts = append(texts, s.Init.Source, s.Apply.Source)
	}
	for _, a := range p.Aggregates {
		texts = append(texts, a.Expr.Source)
	}
	all := strings.Join(texts, " ")
	return strings.Contains(all, "exp(") || strings.Contains(all, "log(")
}

// The driver takes what programs are lowered to, and computes what the interpreter does.
func TestCard_AgreesWithTheInterpreter(t *testing.T) {
	on := openCard(t)
	p, g := operators(func(o algorithms.Operator) bool { return o.Function != "exp" && o.Function != "log" })
	newRig(t, on, p, g).agree(1)
	rng := testseed.Rand(t)
	for range 40 {
		g := oracletest.RandomGraph(rng, oracletest.Config{MaxVertices: 6, Directed: rng.IntN(2) == 0})
		if p := randomProgram(rng, g.EdgeColumns()); !transcendental(p) {
			newRig(t, on, p, g).agree(3)
		}
	}
}
