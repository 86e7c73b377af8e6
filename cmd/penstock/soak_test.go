package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt/client"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// A server is used by 8 clients that read, write, run algorithms and write their results back.
// When they have ended, it takes no more disk than docs/reliability.md says, for what is live, and
// no more than 1.5 times the memory that it took when each kind of work had been done twice; memory
// is looked at without the race detector only.
// PENSTOCK_SOAK=1h makes it last longer, PENSTOCK_SOAK_SVG=FILE draws what it took.
func TestServe_Soak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what a process takes is read from /proc: run it on Linux")
	}
	lasts := time.Second
	if long.Tests() {
		lasts = 3 * time.Second
	}
	if d, err := time.ParseDuration(os.Getenv("PENSTOCK_SOAK")); err == nil {
		lasts = d
	}
	seed := testseed.New(t)
	s := &soak{t: t, bank: bank{t: t, dir: t.TempDir() + "/db"}}
	s.penstock("generate", "g", "--kind", "rmat", "--scale", "13", "--edge-factor", "16")
	s.serve(exec.Command("penstock", "serve", "--db", s.dir, "--listen", "127.0.0.1:0", "--changes-memory", "16MiB"))
	s.warm(rand.New(rand.NewPCG(seed, soakClients)))
	s.began = time.Now()
	before := s.sample()
	s.load(lasts, seed)
	end := s.rest(before)
	s.stop()
	s.penstock("verify", "g")
	s.check(before, end)
	s.report(t.Output())
	if path := os.Getenv("PENSTOCK_SOAK_SVG"); path != "" {
		check(t, s.draw(path))
	}
}

const soakClients = 8

// soak is a server under load, and what was seen of it.
type soak struct {
	bank
	t       *testing.T
	began   time.Time
	ended   time.Duration // when the load did
	samples []soakSample
	counts  [len(soakWork)]struct{ done, conflicts atomic.Int64 }
}

// soakSample is what a server takes at a moment, in bytes.
type soakSample struct {
	after      time.Duration
	disk       int64 // all files, in whole blocks
	logs       int64 // value logs, as the server counts them: up to their ends
	anon, file int64 // resident memory: its own, and of files that it maps
}

// soakWork is what clients do, each kind with its share in percent.
var soakWork = [4]struct {
	name   string
	share  int
	access backend.Access
	text   func(client, n int, r *rand.Rand) string
}{
	{"reads", 50, backend.Read, func(_, _ int, r *rand.Rand) string {
		return fmt.Sprintf("MATCH (a {id: %d})--(b)--(c) RETURN count(DISTINCT c)", r.IntN(8192))
	}},
	{"writes", 40, backend.Write, func(client, n int, r *rand.Rand) string {
		switch n % 3 {
		case 0:
			return fmt.Sprintf("MATCH (a {id: %d}) CREATE (:Note {client: %d, number: %d, text: '%s'})-[:ABOUT]->(a)",
				r.IntN(8192), client, n, strings.Repeat("x", r.IntN(2000)))
		case 1:
			return fmt.Sprintf("MATCH (n:Note {client: %d}) WHERE n.number < %d DETACH DELETE n", client, n-100)
		}
		return fmt.Sprintf("MATCH (a {id: %d}) SET a.seen = coalesce(a.seen, 0) + 1", r.IntN(8192))
	}},
	{"runs", 5, backend.Read, func(_, _ int, r *rand.Rand) string {
		return fmt.Sprintf("CALL algo.pagerank({device: 'cpu', maxIterations: %d}) YIELD score RETURN sum(score)", 1+
			r.IntN(9))
	}},
	{"write-backs", 5, backend.Write, func(client, _ int, r *rand.Rand) string {
		return fmt.Sprintf("CALL algo.pagerank.write({device: 'cpu', maxIterations: %d, writeProperty: 'rank%d'})", 1+
			r.IntN(9), client)
	}},
}

// warm does everything twice.
func (s *soak) warm(r *rand.Rand) {
	remote := s.connect(context.Background())
	defer remote.Close()
	for n := range 2 * len(soakWork) {
		s.do(remote, n%len(soakWork), 0, n, r)
	}
}

// load has clients work for so long, and samples.
func (s *soak) load(lasts time.Duration, seed uint64) {
	ctx, stop := context.WithTimeout(context.Background(), lasts)
	defer stop()
	var clients sync.WaitGroup
	for i := range soakClients {
		clients.Go(func() { s.client(ctx, i, rand.New(rand.NewPCG(seed, uint64(i)))) })
	}
	for ctx.Err() == nil {
		time.Sleep(max(lasts/240, 100*time.Millisecond))
		s.sample()
	}
	clients.Wait()
	s.ended = time.Since(s.began)
}

// client works until the context ends.
func (s *soak) client(ctx context.Context, client int, r *rand.Rand) {
	remote := s.connect(ctx)
	if remote == nil {
		return
	}
	defer remote.Close()
	for n := 0; ctx.Err() == nil && !s.t.Failed(); n++ {
		kind, pick := 0, r.IntN(100)
		for pick >= soakWork[kind].share {
			pick -= soakWork[kind].share
			kind++
		}
		s.do(remote, kind, client, n, r)
	}
}

// do runs a statement of a kind, again and again while it conflicts, as drivers do.
func (s *soak) do(remote *client.Client, kind, number, n int, r *rand.Rand) {
	work := soakWork[kind]
	text := work.text(number, n, r)
	for !s.t.Failed() {
		_, err := rowOf(remote.Run(context.Background(), "g", work.access, text, nil))
		var failure *status.Error
		switch {
		case err == nil:
			s.counts[kind].done.Add(1)
			return
		case errors.As(err, &failure) && strings.HasPrefix(failure.Status, "Neo.TransientError."):
			s.counts[kind].conflicts.Add(1)
			time.Sleep(time.Duration(r.Int64N(int64(20 * time.Millisecond))))
		default:
			s.t.Errorf("%s: %v", text, err)
		}
	}
}

// rest samples until the server has given back what it took, or had a minute for that; and for
// a twentieth of the time that the load took.
func (s *soak) rest(before soakSample) (end soakSample) {
	same := 0
	for last := int64(-1); time.Since(s.began) < s.ended+time.Minute; last = end.logs {
		time.Sleep(time.Second)
		if end = s.sample(); end.logs != last {
			same = 0
			continue
		}
		same++
		rewriting := end.logs > spareLogs && same < 10 // beside other work it may take seconds to begin
		if !rewriting && (end.resident()*2 <= before.resident()*3 || race) && time.Since(s.began) > s.ended*21/20 {
			break
		}
	}
	return end
}

// spareLogs is what value logs may take beside what is live in them.
const spareLogs = 32 << 20

// stop ends the server.
func (s *soak) stop() {
	check(s.t, s.server.Process.Signal(syscall.SIGINT))
	if log := <-s.log; strings.Contains(log, "level=ERROR") {
		s.t.Error(log)
	}
	_ = s.server.Wait()
}

// otherFiles is what files that are no value logs may take here: the ballast of 16 MiB, tables of
// keys and small values, and their logs.
const otherFiles = 48 << 20

// check compares what the server took in the end with what it may take.
func (s *soak) check(before, end soakSample) {
	db, err := store.Open(s.dir, store.Options{})
	check(s.t, err)
	defer db.Close()
	space, err := db.Space()
	check(s.t, err)
	s.t.Logf("%.1f MiB are live in value logs", inMebi(space.Live))
	if limit := space.Live*3/2 + spareLogs; end.logs > limit {
		s.t.Errorf("value logs take %d bytes, more than %d", end.logs, limit)
	}
	if rest := end.disk - end.logs; rest > otherFiles {
		s.t.Errorf("other files take %d bytes, more than %d", rest, int64(otherFiles))
	}
	// The race detector's memory follows what was ever in use at once: how many clients met, and that alone.
	if limit := before.resident() * 3 / 2; end.resident() > limit && !race {
		s.t.Errorf("the server takes %d bytes of memory, more than %d", end.resident(), limit)
	}
}

func (p soakSample) resident() int64 { return p.anon + p.file }

// sample looks what the server takes.
func (s *soak) sample() soakSample {
	p := soakSample{after: time.Since(s.began)}
	check(s.t, filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return ignoreGone(err)
		}
		info, err := entry.Info()
		if err != nil {
			return ignoreGone(err)
		}
		bytes := info.Sys().(*syscall.Stat_t).Blocks * 512
		p.disk += bytes
		if filepath.Ext(path) == ".vlog" {
			p.logs += min(bytes, info.Size()) // the newest is a sparse file
		}
		return nil
	}))
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", s.server.Process.Pid))
	check(s.t, err)
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 || fields[2] != "kB" {
			continue
		}
		kibi, err := strconv.ParseInt(fields[1], 10, 64)
		check(s.t, err)
		switch fields[0] {
		case "RssAnon:":
			p.anon += kibi << 10
		case "RssFile:", "RssShmem:":
			p.file += kibi << 10
		}
	}
	s.samples = append(s.samples, p)
	return p
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
