package numa

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestStay_OnTheProcessorsThatItNames(t *testing.T) {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for p := range 1024 {
		if !before.IsSet(p) {
			continue
		}
		stays := make(chan unix.CPUSet)
		go func() {
			stay([]int{p})
			var after unix.CPUSet
			_ = unix.SchedGetaffinity(0, &after) // an empty set says enough
			stays <- after
		}()
		if after := <-stays; after.Count() != 1 || !after.IsSet(p) {
			t.Errorf("asked for processor %d: it has %d", p, after.Count())
		}
	}
}
