package kernels

import (
	_ "embed"
	"sync"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

//go:embed procedure.ptx
var proceduresImage string

// Procedures are the kernels of procedure.cu on a card. Several goroutines may use them.
type Procedures struct {
	module    *driver.Module
	mu        sync.Mutex
	functions map[string]driver.Function // that have been asked for
}

// LoadProcedures has the driver compile them for the card of the current context.
func LoadProcedures() (*Procedures, error) {
	module, err := driver.Load(proceduresImage)
	return &Procedures{module: module, functions: map[string]driver.Function{}}, err
}

// Blocks of a procedure's kernel: threads share work by strides, so that more blocks than a card has room for
// are of no use. The largest cards have room for about 150·8.
const (
	procedureThreads = 256
	procedureBlocks  = 2048
)

// Launch puts the kernel procedure_NAME into a stream, with about so many threads as there is work for.
func (p *Procedures) Launch(s driver.Stream, name string, threads uint64, args ...uint64) error {
	f, err := p.function("procedure_" + name)
	if err != nil {
		return err
	}
	blocks := min((threads+procedureThreads-1)/procedureThreads, procedureBlocks)
	return f.Launch(s, int(blocks), procedureThreads, 0, args...)
}

func (p *Procedures) function(name string) (driver.Function, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, known := p.functions[name]; known {
		return f, nil
	}
	f, err := p.module.Function(name)
	if err == nil {
		p.functions[name] = f
	}
	return f, err
}

// Unload forgets them.
func (p *Procedures) Unload() error { return p.module.Unload() }
