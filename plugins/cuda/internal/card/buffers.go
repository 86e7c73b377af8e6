package card

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// BufferBytes is the size of each of the buffers: enough that a copy takes longer than to begin it.
const BufferBytes = 4 << 20

// Buffers are two of pinned memory, which a session fills by turns.
type Buffers [2][]byte

// TakeBuffers are buffers that no session has, or new ones: pinning takes long. It needs the card's context.
func (c *Card) TakeBuffers() (b Buffers, err error) {
	c.mu.Lock()
	if last := len(c.buffers) - 1; last >= 0 {
		b = c.buffers[last]
		c.buffers = c.buffers[:last]
		c.mu.Unlock()
		return b, nil
	}
	c.mu.Unlock()
	for i := range b {
		if b[i], err = driver.AllocPinned(BufferBytes); err != nil {
			return Buffers{}, err
		}
	}
	return b, nil
}

// GiveBuffers gives back buffers that no copy is under way in.
func (c *Card) GiveBuffers(b Buffers) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffers = append(c.buffers, b)
}
