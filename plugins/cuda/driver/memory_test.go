package driver_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Copies and fills of any size and place do to the card's memory what they would do to a slice.
func TestStream_MemoryIsASlice(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	rapid.Check(t, func(r *rapid.T) {
		size := rapid.IntRange(1, 64).Draw(r, "words") * 8
		p, err := s.Alloc(uint64(size))
		check(r, err)
		model := make([]byte, size)
		check(r, s.CopyIn(p, model))
		for range rapid.IntRange(0, 12).Draw(r, "operations") {
			word := rapid.IntRange(0, size/8-1).Draw(r, "at")
			words := rapid.IntRange(0, size/8-word).Draw(r, "long")
			at, here := p+driver.Pointer(8*word), model[8*word:8*(word+words)]
			value := rapid.Uint64().Draw(r, "value")
			switch rapid.IntRange(0, 4).Draw(r, "operation") {
			case 0:
				check(r, s.Fill8(at, byte(value), uint64(len(here))))
				fill(here, bytes.Repeat([]byte{byte(value)}, 8))
			case 1:
				check(r, s.Fill32(at, uint32(value), uint64(2*words)))
				fill(here, binary.LittleEndian.AppendUint64(nil, value&0xffffffff|value<<32))
			case 2:
				check(r, s.Fill64(at, value, uint64(words)))
				fill(here, binary.LittleEndian.AppendUint64(nil, value))
			case 3:
				fill(here, binary.LittleEndian.AppendUint64(nil, value))
				check(r, s.CopyIn(at, here))
			case 4:
				from := rapid.IntRange(0, size/8-words).Draw(r, "from")
				if from+words <= word || word+words <= from {
					check(r, s.Copy(at, p+driver.Pointer(8*from), uint64(8*words)))
					copy(here, model[8*from:])
				}
			}
			check(r, s.Synchronize()) // the model's memory changes with the next
		}
		found := make([]byte, size)
		check(r, errors.Join(s.CopyOut(found, p), s.Free(p), s.Synchronize()))
		if !bytes.Equal(found, model) {
			r.Fatalf("the card has\n%x\nexpected\n%x", found, model)
		}
	})
}

func fill(memory, with []byte) {
	for i := range memory {
		memory[i] = with[i%len(with)]
	}
}

func check(r *rapid.T, err error) {
	if err != nil {
		r.Fatal(err)
	}
}

// More than the card has is refused with a number, and what was freed can be had again, with pools and without.
func TestStream_Alloc_OutOfMemory(t *testing.T) {
	for _, pools := range []string{"1", "0"} {
		t.Run("Pools"+pools, func(t *testing.T) {
			if !apart(t, "SOFTCUDA_POOLS="+pools, "SOFTCUDA_MEMORY=67108864") {
				return
			}
			c := open(t, 0)
			s := stream(t, c)
			if c.Card.PoolsSupported != (pools == "1") {
				t.Fatalf("pools: %v", c.Card.PoolsSupported)
			}
			before, total, err := c.Free()
			must(t, err)
			if _, err := s.Alloc(total + 1); !errors.Is(err, driver.OutOfMemory) || errors.Is(err, driver.Sticky) {
				t.Errorf("%v; expected %v", err, driver.OutOfMemory)
			}
			if _, err := c.AllocManaged(before + 1); !errors.Is(err, driver.OutOfMemory) {
				t.Errorf("managed: %v; expected %v", err, driver.OutOfMemory)
			}
			for range 3 {
				p, err := s.Alloc(before * 3 / 4)
				must(t, err)
				if during, _, _ := c.Free(); during > before/4+1<<20 {
					t.Errorf("%d of %d bytes are free beside three quarters", during, before)
				}
				must(t, errors.Join(s.Free(p), s.Synchronize()))
			}
			must(t, c.Trim())
			if after, _, _ := c.Free(); after != before {
				t.Errorf("%d bytes are free at the end, %d at the beginning", after, before)
			}
		})
	}
}

func TestAllocManaged(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	p, err := c.AllocManaged(4096)
	must(t, err)
	word := make([]byte, 8)
	must(t, errors.Join(s.Fill64(p+4088, 0x0102030405060708, 1), s.CopyOut(word, p+4088), s.Synchronize()))
	if !bytes.Equal(word, []byte{8, 7, 6, 5, 4, 3, 2, 1}) {
		t.Errorf("found %x", word)
	}
	must(t, c.FreeManaged(p))
}

// Pinned memory is copied as other memory is, and a system that pins nothing is no harm.
func TestRegister(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	pinned, err := driver.AllocPinned(1 << 16)
	must(t, err)
	rand.NewChaCha8([32]byte{7}).Read(pinned) //nolint:errcheck // it has no error
	p := alloc(t, s, 1<<16)
	back := make([]byte, 1<<16)
	must(t, errors.Join(s.CopyIn(p, pinned), s.CopyOut(back, p), s.Synchronize()))
	if !bytes.Equal(back, pinned) {
		t.Error("what came back is not what was sent")
	}
	must(t, driver.FreePinned(pinned))
	must(t, driver.Register(nil))
	must(t, driver.Unregister(nil))
	if err := driver.Unregister(back); err == nil {
		t.Error("memory was unpinned that never was pinned")
	}
}

func TestRegister_Refused(t *testing.T) {
	if !apart(t, "SOFTCUDA_FAULT=register") {
		return
	}
	open(t, 0)
	err := driver.Register(make([]byte, 4096))
	var e *driver.Error
	if !errors.As(err, &e) || e.Call != "cuMemHostRegister" || errors.Is(err, driver.Sticky) {
		t.Errorf("%v; expected a refusal", err)
	}
}

// The link has a rate.
func TestContext_LinkBandwidth(t *testing.T) {
	c := open(t, 0)
	rate, err := c.LinkBandwidth()
	must(t, err)
	if again, _ := c.LinkBandwidth(); rate == 0 || again != rate {
		t.Errorf("%d, then %d bytes a second", rate, again)
	}
}
