package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
)

// peersVariable names the folder by which this test program, as a plugin, gives chunks to others and takes them.
const peersVariable = "PENSTOCK_TEST_PEERS"

// bePeer serves when that is set: a CPU device that pretends to copy chunks from the one before.
func bePeer() {
	if folder := os.Getenv(peersVariable); folder != "" {
		plugins.Serve(peerDevice{cpu.New(cpu.Options{}), folder})
		os.Exit(0)
	}
}

// peerDevice has a file for each chunk that it lends: who imports one looks at it for a while.
type peerDevice struct {
	plugins.Device
	folder string
}

func (d peerDevice) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := d.Device.Describe(ctx)
	about.Peers = "files"
	return about, err
}

func (d peerDevice) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := d.Device.Open(ctx, job)
	return &peerSession{Session: s, folder: d.folder, lent: map[uint32]string{}, export: map[uint64]string{},
		imported: map[uint64]bool{}}, err
}

type peerSession struct {
	plugins.Session
	folder   string
	lent     map[uint32]string // files, by chunk
	export   map[uint64]string // to be answered, by command
	imported map[uint64]bool
}

// Execute has one command after the other obeyed, and looks at each before.
func (s *peerSession) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	one, done := make(chan plugins.Command), make(chan struct{}, 1)
	go func() {
		defer close(one)
		for c := range commands {
			if err := s.before(c); err != nil {
				emit(plugins.Event{Seq: c.Seq, Done: true, Err: plugins.Errorf(plugins.KindChunk, "%w", err)})
				return
			}
			select {
			case one <- c:
				<-done
			case <-ctx.Done():
				return
			}
		}
	}()
	return s.Session.Execute(ctx, one, func(e plugins.Event) {
		e.Export, e.Imported = s.export[e.Seq], s.imported[e.Seq]
		if emit(e); e.Done {
			done <- struct{}{}
		}
	})
}

func (s *peerSession) before(c plugins.Command) error {
	if c.Op == plugins.Evict && s.lent[c.Chunk] != "" {
		return os.Remove(s.lent[c.Chunk])
	}
	if c.Op == plugins.Upload && c.Export {
		file := filepath.Join(s.folder, fmt.Sprintf("%d-%d", os.Getpid(), c.Seq))
		s.lent[c.Chunk], s.export[c.Seq] = file, file
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			return err
		}
	}
	if c.Op == plugins.Upload && c.Import != "" {
		s.imported[c.Seq] = true
		time.Sleep(time.Duration(c.Seq%3) * time.Millisecond)
		_, err := os.Stat(c.Import)
		return err
	}
	return nil
}

// Devices that can copy from each other do so, all but the first, and a chunk is not forgotten before the next has it;
// next to one that cannot they take chunks from the arena.
func TestChain_CopiesFromPeers(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(peersVariable, t.TempDir())
	rng := seeded(t)
	snap := random(rng, 200, 1500, rng.IntN(2) == 0, false, true).stored(t, 2048)
	for _, algorithm := range []string{"wcc", "pagerank"} {
		want := mustRun(t, snap, Request{Algorithm: algorithm})
		for device, all := range map[string]bool{self + "," + self: true, self + "," + self + "," + self: true, "cpu," +
			self + "," + self: false} {
			req := Request{Algorithm: algorithm, Device: device, Schedule: "auto"}
			needs, err := Estimate(context.Background(), snap, req)
			if err != nil {
				t.Fatal(err)
			}
			for _, req.DeviceMemory = range []uint64{0, (needs.Minimum + needs.Resident) / 2} {
				got := mustRun(t, snap, req)
				if !same(got.Columns, want.Columns) {
					t.Errorf("%+v: another result", req)
				}
				checkPeers(t, got.Report, all)
			}
		}
	}
}

// checkPeers looks at what has crossed the link: each chunk once, if all devices can copy; else what the first of those
// who can is given crosses it again. What is handed on when rows pull may be little, and that between any two.
func checkPeers(t *testing.T, r Report, all bool) {
	t.Helper()
	var peer uint64
	for _, d := range r.Devices {
		peer += d.Peer
	}
	b := r.Bytes
	if peer != b.Peer || all && b.Peer != b.Forwarded || b.Link() != b.Transfer+b.Forwarded-peer {
		t.Errorf("%s, %s: %+v, devices %d", r.Device, r.Schedule, b, peer)
	}
	if r.Algorithm == "wcc" && (b.Peer == 0 || all != (b.Peer == b.Forwarded)) {
		t.Errorf("%s, %s: %+v, devices %d", r.Device, r.Schedule, b, peer)
	}
}
