package cuda

import (
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// letters is how many small things can be on their way between host and card at once: more than there are commands.
const letters = 1024

// letter is as much as one of them takes: a kernels.Chunk and a flag, or kernels.Counters.
type letter struct {
	chunk    kernels.Chunk
	flag     uint64 // not 0: the chunk is damaged
	counters kernels.Counters
	size     kernels.Subgraph // of a selection
	_        [8]byte          // solvers want 256
}

const letterBytes = uint64(unsafe.Sizeof(letter{}))

// mailbox is pinned memory for what is small, so that it can be copied while neither side waits.
type mailbox struct {
	memory []byte
	spare  []*letter
}

func newMailbox() (*mailbox, error) {
	memory, err := driver.AllocPinned(letters * letterBytes)
	if err != nil {
		return nil, err
	}
	m := &mailbox{memory: memory}
	for i := range letters {
		m.spare = append(m.spare, (*letter)(unsafe.Pointer(&memory[uint64(i)*letterBytes])))
	}
	return m, nil
}

func (m *mailbox) hasRoom() bool { return len(m.spare) > letters/4 }

// take is a letter, empty. Who takes one has seen to it that there is one.
func (m *mailbox) take() *letter {
	last := len(m.spare) - 1
	l := m.spare[last]
	m.spare = m.spare[:last]
	*l = letter{}
	return l
}

func (m *mailbox) give(l *letter) { m.spare = append(m.spare, l) }

func (m *mailbox) free() error {
	if m == nil {
		return nil
	}
	return driver.FreePinned(m.memory)
}

// bytesOf is the memory of what is copied as it lies.
func bytesOf[T any](value *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(value)), unsafe.Sizeof(*value))
}
