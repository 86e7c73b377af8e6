package plugins

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"

	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// server answers a host's calls with a Device.
type server struct {
	pb.UnimplementedDeviceServer
	device Device
	arenas mappings

	mu       sync.Mutex // protects the fields below
	sessions map[uint64]*serverSession
	last     uint64 // the last session id given
}

// serverSession is an open session that uses an arena.
type serverSession struct {
	inner   Session
	release func() error    // ends the use of the arena
	closing context.Context // ends when the host wants to close
	cancel  context.CancelFunc
	running sync.Mutex // held while the arena is in use: Close cannot unmap it then
}

// register makes server s answer for device.
func register(s grpc.ServiceRegistrar, device Device) {
	pb.RegisterDeviceServer(s, &server{device: device, sessions: map[uint64]*serverSession{}})
}

func (s *server) Describe(ctx context.Context, _ *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	d, err := s.device.Describe(ctx)
	if err != nil {
		return nil, statusOf(err)
	}
	w := descriptionToWire(d)
	w.ReadsEarlier = true
	return w, nil
}

func (s *server) Open(ctx context.Context, w *pb.OpenRequest) (*pb.OpenResponse, error) {
	a, err := s.arenas.open(arena.Ref{Path: w.GetArena().GetPath(), Size: w.GetArena().GetSize()})
	if err != nil {
		return nil, statusOf(&Error{Kind: KindInvalid, Chunk: -1, Err: err})
	}
	session, err := s.device.Open(ctx, Job{
		Arena:   a.Arena,
		Budget:  w.GetBudget(),
		Threads: int(w.GetThreads()),
		Graph:   graphFromWire(w.GetGraph()),
	})
	if err != nil {
		return nil, statusOf(errors.Join(err, s.arenas.close(a)))
	}
	return &pb.OpenResponse{Session: s.add(session, a)}, nil
}

func (s *server) add(session Session, a *mapping) uint64 {
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.sessions[s.last] = &serverSession{inner: session, release: func() error { return s.arenas.close(a) }, closing: ctx,
		cancel: cancel}
	return s.last
}

func (s *server) session(id uint64) (*serverSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lookup(id)
}

// remove is session for the one caller who closes it.
func (s *server) remove(id uint64) (*serverSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer delete(s.sessions, id)
	return s.lookup(id)
}

// lookup needs s.mu.
func (s *server) lookup(id uint64) (*serverSession, error) {
	if session, ok := s.sessions[id]; ok {
		return session, nil
	}
	return nil, statusOf(Errorf(KindInvalid, "session %d is not open", id))
}

func (s *server) Compile(ctx context.Context, w *pb.CompileRequest) (*pb.CompileResponse, error) {
	session, err := s.session(w.GetSession())
	if err != nil {
		return nil, err
	}
	task, err := taskFromWire(w.GetTask())
	if err != nil {
		return nil, statusOf(err)
	}
	plan, err := session.inner.Compile(ctx, task)
	if err != nil {
		return nil, statusOf(err)
	}
	return planToWire(plan), nil
}

type executeServer = grpc.BidiStreamingServer[pb.ExecuteRequest, pb.Event]

func (s *server) Execute(stream executeServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	session, err := s.session(first.GetSession())
	if err != nil {
		return err
	}
	return statusOf(session.execute(stream, first.GetReadsEarlier()))
}

// execute runs the session's Execute between two halves of a stream: receive feeds
// commands, an outbox carries events. Any of them failing ends the others.
func (s *serverSession) execute(stream executeServer, readsEarlier bool) error {
	s.running.Lock()
	defer s.running.Unlock()
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	if s.closing.Err() != nil {
		return Errorf(KindInvalid, "the session is closed")
	}

	commands := make(chan Command)
	out := &outbox{stream: stream, failed: cancel, holds: readsEarlier, unawaited: map[uint64]bool{}}
	go receive(ctx, cancel, stream, commands, out)
	defer out.flush()
	return s.inner.Execute(ctx, commands, out.emit)
}

// receive closes commands when the host has no more; any other end of the stream cancels.
func receive(ctx context.Context, cancel func(), stream executeServer, commands chan<- Command, out *outbox) {
	for {
		w, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			close(commands)
			return
		}
		if err != nil {
			cancel()
			return
		}
		out.expect(w.GetEarlier())
		for _, c := range append(w.GetEarlier(), w.GetCommand()) {
			select {
			case commands <- commandFromWire(c):
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *server) Close(_ context.Context, w *pb.CloseRequest) (*pb.CloseResponse, error) {
	session, err := s.remove(w.GetSession())
	if err != nil {
		return nil, err
	}
	if err := session.close(); err != nil {
		return nil, statusOf(err)
	}
	return &pb.CloseResponse{}, nil
}

func (s *serverSession) close() error {
	s.cancel()
	s.running.Lock()
	defer s.running.Unlock()
	return errors.Join(s.inner.Close(), s.release())
}
