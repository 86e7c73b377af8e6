package inbox

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
	"github.com/penstock-db/penstock/internal/server/status"
)

// UnknownClientMessage is the most bytes of a message from a client that has not logged in.
const UnknownClientMessage = 16 << 10

// Limits of an Inbox.
type Limits struct {
	Message int           // bytes of a message
	Queue   int           // bytes of messages that wait
	Idle    time.Duration // to send the rest of a message
	Login   time.Duration // to log in
}

// Inbox receives the messages of a client.
type Inbox struct {
	ctx    context.Context
	end    context.CancelCauseFunc // ends the session, whose context ctx is
	conn   net.Conn
	limits Limits

	reader     *wire.Reader
	queue      *queue
	interrupts *interrupts
	loggedIn   atomic.Bool // there is no deadline for a message to begin
}

// New receives from a connection, for a session whose context ends by end. The account has what messages take.
func New(ctx context.Context, end context.CancelCauseFunc, conn net.Conn, account *memory.Account, l Limits) *Inbox {
	i := &Inbox{
		ctx: ctx, end: end, conn: conn, limits: l,
		reader:     wire.NewReader(conn, min(UnknownClientMessage, l.Message), account),
		queue:      newQueue(int64(l.Queue)),
		interrupts: newInterrupts(ctx),
	}
	i.reader.Wait = i.hurry
	return i
}

// Listen puts the client's messages into the queue, and tells at once of a RESET and of the end.
func (i *Inbox) Listen() {
	for {
		bytes, err := i.reader.Next(i.ctx)
		m := Message{Bytes: bytes}
		if errors.As(err, new(*memory.FullError)) {
			m.Refused, err = err, nil
		}
		if err != nil {
			i.lost(err)
			return
		}
		if message.IsReset(bytes) {
			i.interrupts.arrived()
		}
		if i.queue.put(i.ctx, m) != nil {
			return
		}
	}
}

// lost ends the session, as nothing can be read any more. When the client is gone, the connection is closed, so
// that what is being written to it fails, too.
func (i *Inbox) lost(err error) {
	var e *status.Error
	switch {
	case errors.As(err, &e):
		i.end(e)
	case i.ctx.Err() == nil:
		i.end(connection.ErrGone)
		i.conn.Close()
	}
}

// hurry sets the deadline of the next read: the rest of a message has to come soon, as its
// beginning takes memory. Until the client has logged in, the deadline of the login holds.
func (i *Inbox) hurry(within bool) error {
	switch {
	case !i.loggedIn.Load():
		return nil
	case within:
		return i.setDeadline(time.Now().Add(i.limits.Idle))
	default:
		return i.setDeadline(time.Time{})
	}
}

// setDeadline of reading, unless the server ends, which lets reading end at once.
func (i *Inbox) setDeadline(t time.Time) error {
	err := i.conn.SetReadDeadline(t)
	if i.ctx.Err() != nil {
		return errors.Join(err, i.conn.SetReadDeadline(time.Unix(1, 0)))
	}
	return err
}

// Login lets the client send larger messages, whenever it likes.
func (i *Inbox) Login() error {
	i.loggedIn.Store(true)
	i.reader.SetLimit(i.limits.Message)
	return i.setDeadline(time.Time{})
}

// Logoff has the client log in again soon.
func (i *Inbox) Logoff() error {
	i.loggedIn.Store(false)
	i.reader.SetLimit(min(UnknownClientMessage, i.limits.Message))
	return i.setDeadline(time.Now().Add(i.limits.Login))
}

// Messages are those that wait to be answered. Each is followed by Answered.
func (i *Inbox) Messages() <-chan Message { return i.queue.messages }

// Empty tells whether no message waits.
func (i *Inbox) Empty() bool { return i.queue.empty() }

// Answered gives back what a message takes.
func (i *Inbox) Answered(m Message) {
	i.reader.Drop(m.Bytes)
	i.queue.answered(m)
}

// Context is that of the next request, unless a RESET is to come, by which it is interrupted.
func (i *Inbox) Context() (ctx context.Context, interrupted bool) { return i.interrupts.context() }

// ResetAnswered lets requests run again, if no other RESET is to come.
func (i *Inbox) ResetAnswered() { i.interrupts.answered() }

// Close ends the context of requests.
func (i *Inbox) Close() { i.interrupts.end() }
