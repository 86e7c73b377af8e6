package plugins

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"google.golang.org/grpc"

	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// client is a Device whose work is done by the process at the other end of a connection.
type client struct {
	rpc  pb.DeviceClient
	name atomic.Value // string: of the device, once Describe has told it
	// The plugin reads ExecuteRequest.earlier. It has said so in Describe.
	readsEarlier atomic.Bool
	give         func(path string, write bool) error // nil: the plugin opens files itself
}

// NewClient is the Device served at the other end of conn. A lost connection is an
// *Error of KindDied; a context that ends is one of KindCanceled that wraps its cause.
func NewClient(conn grpc.ClientConnInterface) Device {
	return &client{rpc: pb.NewDeviceClient(conn)}
}

// NewGivingClient is NewClient for a plugin that may not be able to open files of the host's. Each that a call or a
// command names is given before it is sent: the arena, which the plugin writes, and files with chunks, which it only
// reads.
func NewGivingClient(conn grpc.ClientConnInterface, give func(path string, write bool) error) Device {
	return &client{rpc: pb.NewDeviceClient(conn), give: give}
}

func (c *client) Describe(ctx context.Context) (Description, error) {
	w, err := c.rpc.Describe(ctx, &pb.DescribeRequest{}, callLimits...)
	if err != nil {
		return Description{}, c.failure(ctx, err)
	}
	c.name.Store(w.GetName())
	c.readsEarlier.Store(w.GetReadsEarlier())
	return descriptionFromWire(w), nil
}

func (c *client) Open(ctx context.Context, job Job) (Session, error) {
	if job.Arena == nil {
		return nil, c.named(Errorf(KindInvalid, "a job needs an arena"))
	}
	ref := job.Arena.Ref()
	if err := c.handOver(ref.Path, true); err != nil {
		return nil, err
	}
	w, err := c.rpc.Open(ctx, &pb.OpenRequest{
		Arena:   &pb.Arena{Path: ref.Path, Size: ref.Size},
		Budget:  job.Budget,
		Threads: uint32(job.Threads),
		Graph:   graphToWire(job.Graph),
	}, callLimits...)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return &clientSession{client: c, id: w.GetSession()}, nil
}

// handOver gives a file to the plugin.
func (c *client) handOver(path string, write bool) error {
	if c.give == nil {
		return nil
	}
	if err := c.give(path, write); err != nil {
		return c.named(Errorf(KindInvalid, "%s cannot be handed over: %w", path, err))
	}
	return nil
}

// failure is what a caller sees of a failed call.
func (c *client) failure(ctx context.Context, err error) error {
	return c.named(errorOf(ctx, err))
}

// named says which device an error is of, if the error does not say so itself.
func (c *client) named(err error) error {
	var e *Error
	if name, ok := c.name.Load().(string); ok && errors.As(err, &e) && e.Device == "" {
		e.Device = name
	}
	return err
}

type clientSession struct {
	*client
	id uint64
}

func (s *clientSession) Compile(ctx context.Context, task Task) (Plan, error) {
	w, err := s.rpc.Compile(ctx, &pb.CompileRequest{Session: s.id, Task: taskToWire(task)}, callLimits...)
	if err != nil {
		return Plan{}, s.failure(ctx, err)
	}
	plan, err := planFromWire(w)
	return plan, s.named(err)
}

// Execute returns as soon as ctx ends, without waiting for the plugin: the arena must
// outlive the call until Close has returned or the process is dead.
func (s *clientSession) Execute(ctx context.Context, commands <-chan Command, emit func(Event)) error {
	streamCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil) // ends send, and the stream when receive has failed
	stream, err := s.rpc.Execute(streamCtx, callLimits...)
	if err != nil {
		return s.failure(ctx, err)
	}
	go s.send(streamCtx, cancel, stream, commands)
	for {
		w, err := stream.Recv()
		var unsent *Error
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && ctx.Err() == nil && errors.As(context.Cause(streamCtx), &unsent):
			return unsent
		case err != nil:
			return s.failure(ctx, err)
		}
		for _, w := range append(w.GetEarlier(), w) {
			event := eventFromWire(w)
			event.Err = s.named(event.Err)
			emit(event)
		}
	}
}

type executeClient = grpc.BidiStreamingClient[pb.ExecuteRequest, pb.Event]

// send forwards commands until there are no more, or one cannot be sent, which ends the stream with that cause. A
// failed send needs no word here: Recv tells why the stream ended.
func (s *clientSession) send(ctx context.Context, fail context.CancelCauseFunc, stream executeClient,
	commands <-chan Command) {
	request := &pb.ExecuteRequest{Request: &pb.ExecuteRequest_Session{Session: s.id}, ReadsEarlier: true}
	for stream.Send(request) == nil {
		var err error
		if request, err = s.collect(ctx, commands); err != nil {
			fail(err)
		}
		if request == nil {
			if ctx.Err() == nil {
				_ = stream.CloseSend()
			}
			return
		}
	}
}

// collect is a message with the next command, and with those that it may travel with; nil: there are no more. The files
// that they name have been handed over.
func (s *clientSession) collect(ctx context.Context, commands <-chan Command) (*pb.ExecuteRequest, error) {
	var all []*pb.Command
	for more := true; more; {
		select {
		case <-ctx.Done():
			return nil, nil
		case c, ok := <-commands:
			if ok {
				all = append(all, commandToWire(c))
			}
			if c.File != "" {
				if err := s.handOver(c.File, false); err != nil {
					return nil, err
				}
			}
			more = ok && c.More && s.readsEarlier.Load()
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	last := len(all) - 1
	return &pb.ExecuteRequest{Request: &pb.ExecuteRequest_Command{Command: all[last]}, Earlier: all[:last]}, nil
}

// Close waits for the plugin to have left Execute.
func (s *clientSession) Close() error {
	ctx := context.Background()
	if _, err := s.rpc.Close(ctx, &pb.CloseRequest{Session: s.id}, callLimits...); err != nil {
		return s.failure(ctx, err)
	}
	return nil
}
