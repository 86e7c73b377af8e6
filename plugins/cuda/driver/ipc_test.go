package driver_test

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Memory that can be given to others is as any other, and is not given to who has it. What others do with it is
// tested by their processes (clitest).
func TestAllocShared(t *testing.T) {
	c := open(t, 0)
	s := stream(t, c)
	p, handle, err := c.AllocShared(4096)
	must(t, err)
	word := make([]byte, 8)
	must(t, errors.Join(s.Fill64(p+4088, 7, 1), s.CopyOut(word, p+4088), s.Synchronize()))
	if handle == (driver.Handle{}) || word[0] != 7 {
		t.Errorf("handle %x, found %x", handle, word)
	}
	var e *driver.Error
	for _, h := range []driver.Handle{handle, {}} {
		if _, err := c.OpenShared(h); !errors.As(err, &e) || e.Call != "cuIpcOpenMemHandle" || errors.Is(err, driver.Sticky) {
			t.Errorf("opening what is nobody else's: %v", err)
		}
	}
	must(t, c.FreeShared(p))
	must(t, c.FreeShared(0))
}

func TestAllocShared_Refused(t *testing.T) {
	if !apart(t, "SOFTCUDA_FAULT=export") {
		return
	}
	c := open(t, 0)
	before, total, err := c.Free()
	must(t, err)
	var e *driver.Error
	if _, _, err := c.AllocShared(4096); !errors.As(err, &e) || e.Call != "cuIpcGetMemHandle" {
		t.Errorf("%v; expected a refusal", err)
	}
	if _, _, err := c.AllocShared(total + 1); !errors.Is(err, driver.OutOfMemory) {
		t.Errorf("%v; expected %v", err, driver.OutOfMemory)
	}
	if after, _, _ := c.Free(); after != before {
		t.Errorf("%d bytes are free, %d were", after, before)
	}
}

// A card reaches itself, others if the driver says so, and none that the process does not see.
func TestContext_Reaches(t *testing.T) {
	for peers, expected := range map[string]bool{"1": true, "0": false} {
		t.Run(peers, func(t *testing.T) {
			if !apart(t, "SOFTCUDA_CARDS=2", "SOFTCUDA_PEERS="+peers) {
				return
			}
			c := open(t, 0)
			cards, err := driver.Cards()
			must(t, err)
			for uuid, want := range map[string]bool{cards[0].UUID: true, cards[1].UUID: expected, "GPU-other": false} {
				if reaches, err := c.Reaches(uuid); err != nil || reaches != want {
					t.Errorf("%s: %v, %v; expected %v", uuid, reaches, err, want)
				}
			}
		})
	}
}
