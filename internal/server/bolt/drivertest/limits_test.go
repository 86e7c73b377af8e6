package drivertest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// full has these tests use as many clients and bytes as they were found necessary for: 10,000
// silent connections, and 30 messages of 62 MiB.
var full = os.Getenv("PENSTOCK_LIMITS") == "full"

// status reads a size of the server's process in bytes: VmRSS, or VmHWM, the most there was.
func (p *process) status(field string) int64 {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		p.t.Skip("memory can be told on Linux only: ", err)
	}
	for line := range strings.Lines(string(text)) {
		if name, rest, _ := strings.Cut(line, ":"); name == field {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return kib << 10
		}
	}
	p.t.Fatal("no ", field)
	return 0
}

// within fails the test when the process has taken more than the bytes of its pool allow for: docs/reliability.md.
func (p *process) within(pool int64) {
	p.t.Helper()
	most := p.status("VmHWM")
	p.t.Logf("the process has taken %d MiB at the most, with a pool of %d MiB", most>>20, pool>>20)
	if bound := 2*pool + 384<<20; !race && most > bound {
		p.t.Errorf("that is more than %d MiB", bound>>20)
	}
}

// Clients that together want much more than the pool has either get what they want, or a failure
// upon which drivers try again. The server lives on, and has all of its pool afterwards.
func TestLimits_Collect(t *testing.T) {
	const pool = 64 << 20
	p := serve(t, t.TempDir(), "--create", "--graph", "g", "--memory", "64MiB")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "bolt://"+p.address, neo4j.NoAuth())
	connectOnce(t, driver)
	var group sync.WaitGroup
	var done, refused atomic.Int64
	for range 16 {
		group.Go(func() {
			for range 3 {
				s := driver.NewSession(t.Context(), neo4j.SessionConfig{})
				_, err := single(t.Context(), s, "UNWIND range(1, 300000) AS i RETURN collect(i) AS list", nil)
				switch s.Close(t.Context()); {
				case err == nil:
					done.Add(1)
				case neo4j.IsRetryable(err):
					refused.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d statements ended well, %d were refused", done.Load(), refused.Load())
	if done.Load() == 0 {
		t.Error("nobody got through")
	}
	p.within(pool)
	s := session(t, driver)
	if _, err := single(t.Context(), s, "UNWIND range(1, 900000) AS i WITH collect(i) AS list RETURN size(list) AS n",
		nil); err != nil {
		t.Error("alone, with nearly all of the pool: ", err)
	}
}

// connectOnce makes a driver's first connection before goroutines share it: that sets a field which it does not lock.
func connectOnce(t *testing.T, driver neo4j.DriverWithContext) {
	t.Helper()
	if err := driver.VerifyConnectivity(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The managed transactions of a driver try again until there is room.
func TestLimits_Retry(t *testing.T) {
	p := serve(t, t.TempDir(), "--create", "--graph", "g", "--memory", "32MiB")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "bolt://"+p.address, neo4j.NoAuth())
	connectOnce(t, driver)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			_, err := neo4j.ExecuteQuery(t.Context(), driver, "UNWIND range(1, 300000) AS i RETURN size(collect(i)) AS n", nil,
				neo4j.EagerResultTransformer)
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// What a client sends first, by hand.
var (
	hello = "\x60\x60\xB0\x17\x00\x00\x04\x05" + strings.Repeat("\x00", 12) + "\x00\x03\xB1\x01\xA0\x00\x00"
	logon = "\x00\x0F\xB1\x6A\xA1\x86scheme\x84none\x00\x00"
)

// raw connects, and says what it is told to.
func raw(t *testing.T, address string, messages ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range messages {
		if _, err := io.WriteString(conn, message); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAtLeast(conn, make([]byte, 1<<10), 7); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// Messages that are not finished take a bounded part of memory, which comes back.
func TestLimits_UnfinishedMessages(t *testing.T) {
	clients, bytes := 8, 24<<20
	if full {
		clients, bytes = 30, 62<<20
	}
	const pool = 128 << 20
	p := serve(t, t.TempDir(), "--create", "--graph", "g", "--memory", "128MiB")
	defer p.stop(syscall.SIGTERM, 130)
	var group sync.WaitGroup
	var conns []net.Conn
	for range clients {
		conn := raw(t, p.address, hello, logon)
		conns = append(conns, conn)
		group.Go(func() {
			chunk := make([]byte, 2+0xFFFF)
			binary.BigEndian.PutUint16(chunk, 0xFFFF)
			for range bytes / 0xFFFF {
				if _, err := conn.Write(chunk); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	p.within(pool)
	s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
	if _, err := single(t.Context(), s, "UNWIND range(1, 300000) AS i RETURN size(collect(i)) AS n", nil); err != nil {
		t.Error("meanwhile: ", err)
	}
	for _, conn := range conns {
		conn.Close()
	}
	if !race && !comes(30*time.Second, func() bool { return p.status("VmRSS") < pool+64<<20 }) {
		t.Errorf("%d MiB are left", p.status("VmRSS")>>20)
	}
}

// comes waits for something, no longer than patience.
func comes(patience time.Duration, ready func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ready() {
			return true
		}
	}
	return false
}

// Thousands of connections that say nothing take little memory, and don't keep others out.
func TestLimits_SilentConnections(t *testing.T) {
	silent, most := 2000, "500"
	if full {
		silent, most = 10_000, "1024"
	}
	allowFiles(t, silent+200)
	for _, c := range []struct {
		what, most string
		said       []string
	}{
		{"more than there may be", most, nil},
		{"all that there may be", strconv.Itoa(silent), nil},
		{"that have said hello", strconv.Itoa(silent), []string{hello}},
	} {
		p := serve(t, t.TempDir(), "--create", "--graph", "g", "--max-connections", c.most)
		before := p.status("VmRSS")
		var conns []net.Conn
		for range silent {
			conns = append(conns, raw(t, p.address, c.said...))
		}
		began := time.Now()
		s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
		if _, err := single(t.Context(), s, "RETURN 1 AS x", nil); err != nil {
			t.Error(err)
		}
		t.Logf("%d silent connections, %s: a new user got in within %v; RSS grew by %d KiB", silent, c.what,
			time.Since(began), (p.status("VmRSS")-before)>>10)
		if grown := p.status("VmRSS") - before; !race && grown > int64(silent)*64<<10+32<<20 {
			t.Errorf("%d connections take %d bytes", silent, grown)
		}
		s.Close(t.Context())
		p.stop(syscall.SIGKILL, -1)
		for _, conn := range conns {
			conn.Close()
		}
	}
}

// allowFiles lets this process and its children have so many files open.
func allowFiles(t *testing.T, n int) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Max < uint64(n) {
		t.Skipf("a process may have %d files open, not %d", limit.Max, n)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
}

func TestLimits_Time(t *testing.T) {
	for _, limit := range []string{"--query-timeout", "--transaction-timeout"} {
		p := serve(t, t.TempDir(), "--create", "--graph", "g", limit, "100ms")
		s := session(t, open(t, "bolt://"+p.address, neo4j.NoAuth()))
		_, err := single(t.Context(), s, endless, nil)
		var known *neo4j.Neo4jError
		if !errors.As(err, &known) || known.Code != "Neo.ClientError.Transaction.TransactionTimedOut" ||
			!strings.Contains(known.Msg, "100ms") {
			t.Errorf("%s: %v", limit, err)
		}
		p.stop(syscall.SIGTERM, 130)
	}
}

// A run of an algorithm is terminated with the process of its plugin.
func TestLimits_TerminateRun(t *testing.T) {
	p := serve(t, t.TempDir(), "--create", "--graph", "g")
	defer p.stop(syscall.SIGTERM, 130)
	driver := open(t, "bolt://"+p.address, neo4j.NoAuth())
	s := session(t, driver)
	for _, text := range []string{
		"UNWIND range(0, 1999) AS i CREATE (:V {i: i})",
		"MATCH (a:V), (b:V) WHERE a.i % 40 = b.i % 50 CREATE (a)-[:E]->(b)",
	} {
		if _, err := s.Run(t.Context(), text, nil); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := single(
			context.Background(), s, "CALL algo.pagerank({iterations: 1000000000, tolerance: 0}) YIELD score RETURN count(score) AS n", nil)
		ended <- err
	}()
	var plugins []string
	if !comes(time.Minute, func() bool { plugins = p.children(); return len(plugins) > 0 || len(ended) > 0 }) ||
		len(plugins) == 0 {
		t.Fatal("no plugin has started")
	}
	other := session(t, driver)
	id := running(t, other, "CALL algo.pagerank")
	message, err := single(t.Context(), other, "TERMINATE TRANSACTION $id YIELD message", map[string]any{"id": id})
	if err != nil || message != "Transaction terminated." {
		t.Fatal(message, err)
	}
	var known *neo4j.Neo4jError
	if err := <-ended; !errors.As(err, &known) || known.Code != "Neo.ClientError.Transaction.Terminated" {
		t.Errorf("the client is told %v", err)
	}
	if !comes(time.Minute, func() bool { return len(p.children()) == 0 }) {
		t.Errorf("processes are left: %q", p.children())
	}
}

// running is the id of the transaction that runs a statement that begins so.
func running(t *testing.T, s neo4j.SessionWithContext, beginning string) string {
	t.Helper()
	result, err := s.Run(t.Context(), "SHOW TRANSACTIONS YIELD transactionId, currentQuery", nil)
	if err != nil {
		t.Fatal(err)
	}
	records, err := result.Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if strings.HasPrefix(record.Values[1].(string), beginning) {
			return record.Values[0].(string)
		}
	}
	t.Fatalf("%q does not run", beginning)
	return ""
}

// children are the processes that the server has started, by the paths of their programs.
func (p *process) children() (programs []string) {
	p.t.Helper()
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.command.Process.Pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for pid := range strings.FieldsSeq(string(text)) {
			if program, err := os.Readlink("/proc/" + pid + "/exe"); err == nil {
				programs = append(programs, program)
			}
		}
	}
	return programs
}
