package stream

import (
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// letters is how many small things can be on their way between host and card at once: more than there are commands.
const letters = 1024

// Letter is as much as one of them takes: a kernels.Chunk and a flag, or kernels.Counters.
type Letter struct {
	Chunk    kernels.Chunk
	Flag     uint64 // not 0: the chunk is damaged
	Counters kernels.Counters
	Size     kernels.Subgraph // of a selection
	_        [8]byte          // solvers want 256
}

// HeadBytes is a kernels.Chunk and a flag: what kernels know of a chunk, and what they find out about it.
const HeadBytes = uint64(unsafe.Offsetof(Letter{}.Counters))

// Head is that part of a letter.
func (l *Letter) Head() []byte { return memory.BytesOf(l)[:HeadBytes] }

const letterBytes = uint64(unsafe.Sizeof(Letter{}))

// Mailbox is pinned memory for what is small, so that it can be copied while neither side waits.
type Mailbox struct {
	pinned []byte
	spare  []*Letter
}

func newMailbox() (*Mailbox, error) {
	pinned, err := driver.AllocPinned(letters * letterBytes)
	if err != nil {
		return nil, err
	}
	m := &Mailbox{pinned: pinned}
	for i := range letters {
		m.spare = append(m.spare, (*Letter)(unsafe.Pointer(&pinned[uint64(i)*letterBytes])))
	}
	return m, nil
}

// HasRoom tells whether there are letters enough to begin something early.
func (m *Mailbox) HasRoom() bool { return len(m.spare) > letters/4 }

// IsEmpty tells whether there is none: then a command waits until another has been answered.
func (m *Mailbox) IsEmpty() bool { return len(m.spare) == 0 }

// Take is a letter, empty. There must be one: see IsEmpty.
func (m *Mailbox) Take() *Letter {
	last := len(m.spare) - 1
	l := m.spare[last]
	m.spare = m.spare[:last]
	*l = Letter{}
	return l
}

// Give gives a letter back that nothing is on its way in.
func (m *Mailbox) Give(l *Letter) { m.spare = append(m.spare, l) }

func (m *Mailbox) free() error {
	if m == nil {
		return nil
	}
	return driver.FreePinned(m.pinned)
}
