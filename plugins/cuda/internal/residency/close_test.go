package residency

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// A chunk whose turn has not come when the session ends leaves no memory behind, neither charged nor of the card.
func TestClose_FreesWhatIsComing(t *testing.T) {
	r := newSelecting(t, rand.New(rand.NewPCG(1, 2)))
	s := r.chunks
	free := func() (bytes uint64) {
		err := r.thread.Do(func() (err error) {
			err = errors.Join(s.Streams.Copying.Synchronize(), s.Streams.Choosing.Synchronize(), s.Card.Context.Trim())
			if err != nil {
				return err
			}
			bytes, _, err = s.Card.Context.Free()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	before := free()
	r.upload()
	if s.Budget.Used == 0 {
		t.Error("nothing is charged for a chunk")
	}
	err := r.thread.Do(s.Close)
	r.chunks = New(s.Setup) // for the test's own Close
	if after := free(); err != nil || s.Budget.Used != 0 || after < before {
		t.Errorf("%v: %d bytes are charged, %d are free; before it were %d", err, s.Budget.Used, after, before)
	}
}
