package card

import (
	"runtime"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// Thread is an OS thread on which a card's context is current: the driver remembers that by threads.
type Thread struct{ work chan func() }

// NewThread starts one, which End ends.
func NewThread(c *driver.Context) (*Thread, error) {
	t := &Thread{work: make(chan func())}
	began := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the OS thread ends with the goroutine
		driver.WakeInTime()
		began <- c.Use()
		for do := range t.work {
			do()
		}
	}()
	if err := <-began; err != nil {
		t.End()
		return nil, err
	}
	return t, nil
}

// Do has the thread do something, and waits for it.
func (t *Thread) Do(work func() error) error {
	done := make(chan error)
	t.work <- func() { done <- work() }
	return <-done
}

// End ends the thread.
func (t *Thread) End() { close(t.work) }
