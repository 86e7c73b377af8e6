package plugins

import (
	"sync"
	"time"

	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// outbox sends a session's events. Mere news that comes soon after a message waits, and
// travels with what follows: an iteration may take less time than a message does.
type outbox struct {
	stream executeServer
	failed func() // called when a message could not be sent
	holds  bool   // the host reads what travels along

	mu sync.Mutex // protects the fields below; a stream takes one Send at a time
	// The commands whose answers nobody waits for.
	unawaited map[uint64]bool
	held      []*pb.Event
	sent      time.Time // when the last message was
}

// newsEvery is the time between two messages of mere news: little to whoever watches,
// much beside what a message takes.
const newsEvery = 5 * time.Millisecond

// emit may be called from several goroutines.
func (o *outbox) emit(e Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = append(o.held, eventToWire(e))
	awaited := e.Done && !o.unawaited[e.Seq] || e.Err != nil || e.Released || !o.holds
	if e.Done {
		delete(o.unawaited, e.Seq)
	}
	if awaited || time.Since(o.sent) >= newsEvery {
		o.send()
	} else if len(o.held) == 1 {
		time.AfterFunc(newsEvery, o.flush)
	}
}

// expect says which commands came before the last one of a message.
func (o *outbox) expect(earlier []*pb.Command) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range earlier {
		o.unawaited[c.GetSeq()] = true
	}
}

// flush sends what is held. Once the session has ended there is nothing.
func (o *outbox) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.held) > 0 {
		o.send()
	}
}

// send needs o.mu, and something held.
func (o *outbox) send() {
	earlier, message := o.held[:len(o.held)-1], o.held[len(o.held)-1]
	message.Earlier = earlier
	if o.stream.Send(message) != nil {
		o.failed()
	}
	o.held, o.sent = nil, time.Now()
}
