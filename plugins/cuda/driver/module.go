package driver

import (
	"bytes"
	"runtime"

	"gorgonia.org/cu"
)

// Module is code on a card.
type Module struct {
	module cu.Module
}

// logSize is the most that is kept of what the driver's compiler has to say.
const logSize = 16 << 10

// Load has the driver compile PTX for the current context's card. The driver keeps the result on disk,
// so the next process has it sooner. What its compiler says of mistakes is in the error.
func Load(image string) (*Module, error) {
	log := make([]byte, logSize)
	module, err := cu.LoadDataEx(image, &cu.JITErrorLogBuffer{Buffer: log})
	runtime.KeepAlive(log) // cu gives its address as a number
	if err != nil {
		said, _, _ := bytes.Cut(log, []byte{0})
		return nil, telling(wrap("cuModuleLoadDataEx", err), string(bytes.TrimSpace(said)))
	}
	return &Module{module}, nil
}

// Unload forgets the module; nothing of it runs any more.
func (m *Module) Unload() error { return wrap("cuModuleUnload", m.module.Unload()) }

// Function is the kernel of that name.
func (m *Module) Function(name string) (Function, error) {
	f, err := m.module.Function(name)
	return Function{f}, telling(wrap("cuModuleGetFunction", err), name)
}
