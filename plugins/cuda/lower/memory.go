package lower

import (
	"fmt"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// Where things stand in the structures of kernels/abi.cuh.
const (
	offsetVertices   = unsafe.Offsetof(kernels.Program{}.Vertices)
	offsetConstants  = unsafe.Offsetof(kernels.Program{}.Constants)
	offsetAggregates = unsafe.Offsetof(kernels.Program{}.Aggregates)
	offsetAcc        = unsafe.Offsetof(kernels.Program{}.Acc)
	offsetColumns    = unsafe.Offsetof(kernels.Program{}.Columns)
	offsetEdges      = unsafe.Offsetof(kernels.Chunk{}.Columns)
)

// The memory that Program and Chunk point to is global; outside the windows of the other state spaces,
// where no allocation lies, an address is the same in global memory, and needs no conversion.

// load is a word that kernels change between their loads and stores.
func (f *function) load(address register) register {
	return f.set(word, "ld.global.b64", at(address, 0))
}

// loadFixed is a word that no kernel changes: the hardware may keep it where it likes.
func (f *function) loadFixed(address register, offset uintptr) register {
	return f.set(word, "ld.global.nc.b64", at(address, offset))
}

func at(address register, offset uintptr) string { return fmt.Sprintf("[%v+%d]", address, offset) }

// element is the address of an element of an array that starts at base.
func (f *function) element(base, index register, size uint64) register {
	if size > 1 {
		index = f.word("mul.lo.s64", index, f.literal(size))
	}
	return f.word("add.s64", base, index)
}

// column is the address of a vertex's value in one of Program.Columns.
func (f *function) column(column int, vertex register, t algorithms.Type) register {
	base := f.loadFixed(f.parameter("program"), offsetColumns+8*uintptr(column))
	return f.element(base, vertex, widths[t])
}

var widths = map[algorithms.Type]uint64{algorithms.Float: 8, algorithms.Int: 8, algorithms.Bool: 1}

// value is what lies at an address in a column of type t.
func (f *function) value(address register, t algorithms.Type) register {
	if t == algorithms.Bool {
		return f.flag(f.set(word, "ld.global.u8", at(address, 0)))
	}
	return f.load(address)
}

// setState makes value the next of state column i of vertex v. The address is found now, the store is done
// at the end.
func (f *function) setState(i int, value register) {
	opcode, t := "st.global.b64", algorithms.Int
	if value.class == truth {
		opcode, t = "st.global.u8", algorithms.Bool
	}
	address := f.column(kernels.ColumnState+i, f.parameter("v"), t)
	f.effect(opcode, at(address, 0), f.bits(value).String())
}
