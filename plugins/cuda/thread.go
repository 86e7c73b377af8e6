package cuda

import (
	"runtime"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// thread is an OS thread on which a card's context is current: the driver remembers that by threads.
type thread struct{ work chan func() }

func newThread(c *driver.Context) (*thread, error) {
	t := &thread{work: make(chan func())}
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
		t.end()
		return nil, err
	}
	return t, nil
}

// do has the thread do something, and waits for it.
func (t *thread) do(work func() error) error {
	done := make(chan error)
	t.work <- func() { done <- work() }
	return <-done
}

// end ends the thread.
func (t *thread) end() { close(t.work) }
