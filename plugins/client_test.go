package plugins

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// connect serves device at one end of a connection in memory and returns the other end.
// die breaks the connection as a killed process would.
func connect(t *testing.T, device Device) (remote Device, die func()) {
	t.Helper()
	listener := bufconn.Listen(1 << 16)
	s := newServer(nil)
	register(s, device)
	go s.Serve(listener)
	t.Cleanup(s.Stop)
	dial := func(context.Context, string) (net.Conn, error) { return listener.Dial() }
	conn, err := grpc.NewClient("passthrough:stub", grpc.WithContextDialer(dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return NewClient(conn), s.Stop
}

// Whatever a call or a command names has been handed over when it arrives. What cannot be handed over ends the call, or
// the stream.
func TestGivingClient_GivesBeforeItNames(t *testing.T) {
	var mu sync.Mutex // protects given: commands are sent by a goroutine
	given := map[string]bool{}
	give := func(path string, write bool) error {
		mu.Lock()
		defer mu.Unlock()
		if path == "/lost" {
			return fs.ErrNotExist
		}
		given[fmt.Sprint(path, write)] = true
		return nil
	}
	has := func(path string, write bool) bool {
		mu.Lock()
		defer mu.Unlock()
		return given[fmt.Sprint(path, write)]
	}
	execute := func(_ context.Context, _ Job, commands <-chan Command, emit func(Event)) error {
		for c := range commands {
			e := Event{Seq: c.Seq, Done: true}
			if c.File != "" && has(c.File, false) {
				e.Bytes = 1
			}
			emit(e)
		}
		return nil
	}
	plain, _ := connect(t, stub{execute: execute})
	remote := plain.(*client)
	remote.give = give
	a := newArena(t)
	s, err := remote.Open(t.Context(), Job{Arena: a})
	if err != nil || !has(a.Ref().Path, true) {
		t.Fatalf("the arena was not given: %v, %v", given, err)
	}
	upload := func(paths ...string) (found []uint64, err error) {
		commands := make(chan Command, len(paths))
		for i, path := range paths {
			commands <- Command{Seq: uint64(i), Op: Upload, File: path, More: i == 0}
		}
		close(commands)
		err = s.Execute(t.Context(), commands, func(e Event) { found = append(found, e.Bytes) })
		return found, err
	}
	if found, err := upload("/1", "", "/2"); err != nil || !slices.Equal(found, []uint64{1, 0, 1}) {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := upload("/lost"); KindOf(err) != KindInvalid || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that cannot be given: %v", err)
	}
	remote.give = func(string, bool) error { return fs.ErrNotExist }
	if _, err := remote.Open(t.Context(), Job{Arena: a}); KindOf(err) != KindInvalid || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an arena that cannot be given: %v", err)
	}
}

func openRemote(t *testing.T, device Device) (s Session, die func()) {
	t.Helper()
	remote, die := connect(t, device)
	if _, err := remote.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := remote.Open(t.Context(), Job{Arena: newArena(t)})
	if err != nil {
		t.Fatal(err)
	}
	return s, die
}

func newArena(t *testing.T) *arena.Arena {
	t.Helper()
	a, err := arena.Create(1 << 12)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func TestClient_Describe(t *testing.T) {
	remote, _ := connect(t, stub{})
	d, err := remote.Describe(t.Context())
	if err != nil || d.Name != "stub" || d.Threads != 3 {
		t.Fatalf("%+v, %v", d, err)
	}
}

// rude says of itself what no terminal should be told.
type rude struct{}

func (rude) Describe(context.Context) (Description, error) {
	return Description{Name: "\x1b[2Jrude\nok", Version: "\a1", Hardware: strings.Repeat("x", 1<<20),
		Extensions: []Extension{"\x1b"}}, nil
}

func (rude) Open(context.Context, Job) (Session, error) {
	return nil, errors.New("\x1b[31mno\n" + strings.Repeat("y", 1<<20))
}

func TestClient_CleansWhatPeopleRead(t *testing.T) {
	remote, _ := connect(t, rude{})
	d, err := remote.Describe(t.Context())
	if err != nil || d.Name != "\ufffd[2Jrude ok" || d.Version != "\ufffd1" || len(d.Hardware) > 300 ||
		d.Extensions[0] != "\ufffd" {
		t.Errorf("%.400v, %v", d, err)
	}
	_, err = remote.Open(t.Context(), Job{Arena: newArena(t)})
	if err == nil || !strings.Contains(err.Error(), "\ufffd[31mno\nyyy") || len(err.Error()) > 17<<10 {
		t.Errorf("error %.100v", err)
	}
}

func TestClient_Open_MapsTheSameMemory(t *testing.T) {
	write := func(job Job, _ Task) (Plan, error) {
		b, err := job.Arena.Bytes(arena.Range{Offset: 64, Length: 5})
		copy(b, "hello")
		return Plan{Fixed: job.Budget}, err
	}
	remote, _ := connect(t, stub{compile: write})
	a := newArena(t)
	s, err := remote.Open(t.Context(), Job{Arena: a, Budget: 42})
	if err != nil {
		t.Fatal(err)
	}
	if plan, err := s.Compile(t.Context(), Task{}); err != nil || plan.Fixed != 42 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if b, _ := a.Bytes(arena.Range{Offset: 64, Length: 5}); string(b) != "hello" {
		t.Fatalf("the arena holds %q", b)
	}
}

func TestClient_Open_Errors(t *testing.T) {
	remote, _ := connect(t, stub{})
	if _, err := remote.Open(t.Context(), Job{}); KindOf(err) != KindInvalid {
		t.Errorf("no arena: %v", err)
	}
	a := newArena(t)
	if _, err := remote.Open(t.Context(), Job{Arena: a, Graph: Graph{Name: "refused"}}); KindOf(err) != KindUnsupported {
		t.Errorf("refused: %v", err)
	}
}

func TestClient_Execute_AnswersEveryCommand(t *testing.T) {
	s, _ := openRemote(t, stub{execute: echo})
	commands := make(chan Command, 100)
	for i := range uint64(100) {
		commands <- Command{Seq: i, Op: Step, Chunk: uint32(100 + i)}
	}
	close(commands)
	var got []uint64
	err := s.Execute(t.Context(), commands, func(e Event) { got = append(got, e.Bytes-e.Seq) })
	if err != nil || !slices.Equal(got, slices.Repeat([]uint64{100}, 100)) {
		t.Fatalf("%v, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); KindOf(err) != KindInvalid {
		t.Fatalf("second Close: %v", err)
	}
}

// Commands with More travel with the next to a plugin that reads them, and one by one to another; the last one does not
// wait for what never comes.
func TestClient_CommandsTravelTogether(t *testing.T) {
	for _, reads := range []bool{true, false} {
		s := &clientSession{client: &client{}}
		s.readsEarlier.Store(reads)
		commands := make(chan Command, 7)
		for i := range uint64(7) {
			commands <- Command{Seq: i, Op: Step, More: i%3 != 2}
		}
		close(commands)
		var sizes []int
		next := uint64(0)
		collect := func() *pb.ExecuteRequest {
			m, err := s.collect(t.Context(), commands)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		for m := collect(); m != nil; m = collect() {
			all := append(m.GetEarlier(), m.GetCommand())
			for _, c := range all {
				if c.GetSeq() != next {
					t.Errorf("command %d comes in place of %d", c.GetSeq(), next)
				}
				next++
			}
			sizes = append(sizes, len(all))
		}
		want := []int{3, 3, 1}
		if !reads {
			want = slices.Repeat([]int{1}, 7)
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("reads earlier ones %v: messages of %v commands, expected %v", reads, sizes, want)
		}
	}
}

// Each of the commands that travel together is obeyed, in order, and answered.
func TestClient_Execute_CommandsThatTravelTogether(t *testing.T) {
	s, _ := openRemote(t, stub{execute: echo})
	if _, err := s.(*clientSession).Describe(t.Context()); err != nil || !s.(*clientSession).readsEarlier.Load() {
		t.Fatalf("the plugin does not read them: %v", err)
	}
	commands := make(chan Command, 100)
	for i := range uint64(100) {
		commands <- Command{Seq: i, Op: Step, Chunk: uint32(100 + i), More: i%7 != 0}
	}
	close(commands)
	var got []uint64
	err := s.Execute(t.Context(), commands, func(e Event) { got = append(got, e.Bytes-e.Seq) })
	if err != nil || !slices.Equal(got, slices.Repeat([]uint64{100}, 100)) {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestClient_Execute_FailureKeepsItsFacts(t *testing.T) {
	s, _ := openRemote(t, stub{execute: echo})
	commands := make(chan Command, 1)
	commands <- Command{Seq: 1, Op: Step, Chunk: 13}
	var event error
	err := s.Execute(t.Context(), commands, func(e Event) { event = e.Err })
	for _, err := range []error{err, event} {
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindChunk || e.Chunk != 13 || e.Device != "stub" {
			t.Errorf("%#v", err)
		}
	}
}

func TestClient_Execute_CancelReachesTheDevice(t *testing.T) {
	left := make(chan struct{})
	wait := func(ctx context.Context, _ Job, commands <-chan Command, emit func(Event)) error {
		emit(Event{Seq: (<-commands).Seq})
		<-ctx.Done()
		close(left)
		return ctx.Err()
	}
	s, _ := openRemote(t, stub{execute: wait})
	ctx, cancel := context.WithCancel(t.Context())
	commands := make(chan Command, 1)
	commands <- Command{Seq: 1, Op: Iterate}
	err := s.Execute(ctx, commands, func(Event) { cancel() })
	if KindOf(err) != KindCanceled || !errors.Is(err, context.Canceled) {
		t.Fatalf("Execute: %v", err)
	}
	<-left
}

// TestClient_Close_WaitsForExecute: the arena stays mapped while the device works.
func TestClient_Close_WaitsForExecute(t *testing.T) {
	var left atomic.Bool
	slow := func(ctx context.Context, job Job, commands <-chan Command, emit func(Event)) error {
		emit(Event{Seq: (<-commands).Seq})
		<-ctx.Done()
		b, _ := job.Arena.Bytes(arena.Range{Length: 1 << 12})
		for range 1000 {
			clear(b) // a fault, were it unmapped
		}
		left.Store(true)
		return ctx.Err()
	}
	onClose := func(Job) error {
		if !left.Load() {
			return Errorf(KindInternal, "closed while executing")
		}
		return nil
	}
	s, _ := openRemote(t, stub{execute: slow, close: onClose})
	ctx, cancel := context.WithCancel(t.Context())
	commands := make(chan Command, 1)
	commands <- Command{Seq: 1, Op: Iterate}
	if err := s.Execute(ctx, commands, func(Event) { cancel() }); KindOf(err) != KindCanceled {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestClient_Execute_ConnectionLossIsDeath(t *testing.T) {
	wait := func(ctx context.Context, _ Job, commands <-chan Command, emit func(Event)) error {
		emit(Event{Seq: (<-commands).Seq})
		<-ctx.Done()
		return nil
	}
	s, die := openRemote(t, stub{execute: wait})
	commands := make(chan Command, 1)
	commands <- Command{Seq: 1, Op: Iterate}
	err := s.Execute(t.Context(), commands, func(Event) { go die() })
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindDied || e.Device != "stub" {
		t.Fatalf("%v", err)
	}
	if _, err := s.Compile(t.Context(), Task{}); KindOf(err) != KindDied {
		t.Fatalf("after death: %v", err)
	}
}

func TestClient_TwoSessions(t *testing.T) {
	budget := func(job Job, _ Task) (Plan, error) { return Plan{Fixed: job.Budget}, nil }
	remote, _ := connect(t, stub{compile: budget})
	var sessions [2]Session
	for i := range sessions {
		s, err := remote.Open(t.Context(), Job{Arena: newArena(t), Budget: uint64(i + 7)})
		if err != nil {
			t.Fatal(err)
		}
		sessions[i] = s
	}
	for i, s := range sessions {
		if plan, err := s.Compile(t.Context(), Task{}); err != nil || plan.Fixed != uint64(i+7) {
			t.Errorf("session %d: %+v, %v", i, plan, err)
		}
	}
}
