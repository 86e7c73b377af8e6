package function

import (
	"math/rand/v2"
	"time"
)

// Call is what functions know about the statement that calls them.
type Call struct {
	Transaction time.Time               // when the transaction began
	Statement   time.Time               // when the statement did
	Realtime    func() time.Time        // what time it is now
	Zone        *time.Location          // of times without a zone; nil: UTC
	Random      *rand.Rand              // for rand and randomUUID
	Charge      func(bytes int64) error // asks for memory before a large list is made; nil: there is no limit
}

func (c *Call) charge(bytes int64) error {
	if c == nil || c.Charge == nil {
		return nil
	}
	return c.Charge(bytes)
}

// random is the source of chance, also without one of the statement's.
func (c *Call) random() *rand.Rand {
	if c == nil || c.Random == nil {
		return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	return c.Random
}
