package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/status"
)

func TestServe_Versions(t *testing.T) {
	address := serve(t, newFake(), Options{})
	for _, c := range []struct{ proposal, chosen uint32 }{
		{0x00000405, 0x0405}, {0x00000005, 0x0005}, {0x00080805, 0x0405}, {0x00030705, 0x0405}, {0x00020805, 0},
		{0x00000404, 0x0404}, {0x00020404, 0x0404}, {0x00000304, 0}, {0x00010205, 0x0205}, {0x000001FF, 0}, {0, 0}, {6, 0},
	} {
		if got := dial(t, address).propose(c.proposal); got != c.chosen {
			t.Errorf("%#x: %#x, not %#x", c.proposal, got, c.chosen)
		}
	}
	if got := dial(t, address).propose(0x01FF, 0x00080805, 0x00020404, 3); got != 0x0405 {
		t.Errorf("of what drivers propose: %#x", got)
	}
	for _, garbage := range []string{"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00"} {
		c := dial(t, address)
		c.write([]byte(garbage))
		c.isClosed()
	}
}

func TestRun_StreamsWhatIsPulled(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{Graph: "air"})).login()
	meta := c.run("COUNT 10")
	if got := meta.Get("fields").List(); len(got) != 1 || got[0].Str() != "x" {
		t.Fatal(got)
	}
	c.pull(3)
	c.counts(0, 3)
	if !c.succeeds().Get("has_more").Bool() {
		t.Fatal("there should be more")
	}
	c.send(tagDiscard, fields(integer("n", 2)))
	if !c.succeeds().Get("has_more").Bool() {
		t.Fatal("there should be more after DISCARD")
	}
	c.pull(-1)
	c.counts(5, 10)
	meta = c.succeeds()
	if !meta.Get("has_more").IsNull() || textOf(meta, "type") != "r" || textOf(meta, "db") != "air" || !strings.HasPrefix(textOf(meta, "bookmark"), "fake:") {
		t.Fatal(meta.Map())
	}
	c.run("COUNT 10")
	c.pull(10)
	c.counts(0, 10)
	if !c.succeeds().Get("has_more").IsNull() {
		t.Fatal("as many were pulled as there are")
	}
}

func TestRun_Pipelined(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	c.sendRun("COUNT 2")
	c.pull(-1)
	c.sendRun("NO SUCH")
	c.pull(-1)
	c.sendRun("CREATE")
	c.succeeds()
	c.counts(0, 2)
	c.succeeds()
	c.fails("SyntaxError")
	c.isIgnored()
	c.isIgnored()
}

func TestRun_CountersAndCommit(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{})).login()
	c.run("CREATE")
	c.send(tagDiscard, fields(integer("n", -1)))
	stats := c.succeeds().Get("stats")
	if stats.Get("nodes-created").Int() != 1 || !stats.Get("contains-updates").Bool() || db.committed() != 1 {
		t.Fatal(stats.Map(), db.committed())
	}
}

func TestRun_FailureIsFollowedByIgnored(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	c.sendRun("NO SUCH")
	c.fails("Neo.ClientError.Statement.SyntaxError")
	c.pull(-1)
	c.isIgnored()
	c.send(tagBegin, none)
	c.isIgnored()
	c.send(tagReset)
	c.succeeds()
	c.run("COUNT 1")
}

func TestTransaction_CommitAndRollback(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{})).login()
	for _, end := range []byte{tagCommit, tagRollback} {
		c.send(tagBegin, none)
		c.succeeds()
		first, second := c.run("COUNT 5"), c.run("CREATE")
		c.send(tagPull, fields(integer("n", 2), entry("qid", first.Get("qid"))))
		c.counts(0, 2)
		c.succeeds()
		c.send(tagPull, fields(integer("n", -1), entry("qid", second.Get("qid"))))
		c.succeeds()
		c.send(end)
		if bookmark := textOf(c.succeeds(), "bookmark"); (bookmark == "fake:1") != (end == tagCommit) {
			t.Fatal(bookmark)
		}
	}
	if db.committed() != 1 {
		t.Fatal(db.committed())
	}
}

// TestTransaction_RowsAreKept reads two results by turns.
func TestTransaction_RowsAreKept(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{Limits: Limits{Memory: 1 << 16}})).login()
	c.send(tagBegin, none)
	c.succeeds()
	pull := func(n, id int64) { c.send(tagPull, fields(integer("n", n), integer("qid", id))) }
	for id := range int64(2) {
		if got := c.run("COUNT 100").Get("qid").Int(); got != id {
			t.Fatal(got)
		}
		pull(10, id)
		c.counts(0, 10)
		c.succeeds()
	}
	for id := range int64(2) {
		pull(20, id)
		c.counts(10, 30)
		c.succeeds()
	}
	for id := range int64(2) {
		pull(-1, id)
		c.counts(30, 100)
		c.succeeds()
	}
	pull(1, 0)
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(tagReset)
	c.succeeds()
	c.send(tagBegin, none)
	c.succeeds()
	c.run("COUNT 1000000")
	c.sendRun("COUNT 1")
	c.fails("ExecutionFailed")
}

func TestTransaction_FailureRollsBack(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{})).login()
	c.send(tagBegin, none)
	c.succeeds()
	c.run("CREATE")
	c.sendRun("CONFLICT")
	c.fails("Neo.TransientError.Transaction.Outdated")
	if n := db.open.Load(); n != 0 {
		t.Fatalf("%d are still open", n)
	}
	c.send(tagCommit)
	c.isIgnored()
	c.send(tagReset)
	c.succeeds()
	if db.committed() != 0 {
		t.Fatal("what failed was committed")
	}
}

func TestTransaction_ReadAccess(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	c.send(tagBegin, fields(text("mode", "r")))
	c.succeeds()
	c.sendRun("CREATE")
	c.fails("AccessMode")
}

func TestTransaction_UnknownGraph(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	c.send(tagBegin, fields(text("db", "none")))
	c.fails("DatabaseNotFound")
}

func TestReset_InterruptsWhatRuns(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{})).login()
	for _, explicit := range []bool{false, true} {
		if explicit {
			c.send(tagBegin, none)
			c.succeeds()
		}
		c.run("HANG")
		c.pull(-1)
		c.sendRun("COUNT 3")
		<-db.entered
		c.send(tagReset)
		c.fails("Transaction.Terminated")
		c.isIgnored()
		c.succeeds()
		if n := db.open.Load(); n != 0 {
			t.Fatalf("%d are still open", n)
		}
	}
	c.run("COUNT 1")
	c.pull(-1)
	c.counts(0, 1)
	c.succeeds()
}

func TestTimeout_OfClient(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	c.send(tagRun, value.OfString("HANG"), none, fields(integer("tx_timeout", 20)))
	c.succeeds()
	c.pull(-1)
	c.fails("TransactionTimedOut")
}

func TestIdle_TransactionIsGivenUp(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{Limits: Limits{Idle: 20 * time.Millisecond}})).login()
	c.send(tagBegin, none)
	c.succeeds()
	eventually(t, func() bool { return db.open.Load() == 0 })
	c.sendRun("CREATE")
	c.fails("TransactionTimedOut")
	c.send(tagReset)
	c.succeeds()
}

func TestKeepAlive_WhileAStatementRuns(t *testing.T) {
	db := newFake()
	c := dial(t, serve(t, db, Options{Limits: Limits{KeepAlive: 10 * time.Millisecond}})).login()
	c.run("HANG")
	c.pull(-1)
	<-db.entered
	for range 4 { // two empty messages
		if b, err := c.byte(); err != nil || b != 0 {
			t.Fatal(b, err)
		}
	}
	c.send(tagReset)
	c.fails("Terminated")
	c.succeeds()
}

func (c *client) byte() (byte, error) {
	var b [1]byte
	_, err := c.Read(b[:])
	return b[0], err
}

func TestVanish_RollsBack(t *testing.T) {
	db := newFake()
	address := serve(t, db, Options{})
	hanging, streaming, idle := dial(t, address).login(), dial(t, address).login(), dial(t, address).login()
	idle.send(tagBegin, none)
	idle.succeeds()
	idle.run("CREATE")
	hanging.run("HANG")
	hanging.pull(-1)
	<-db.entered
	streaming.run("COUNT 100000000")
	streaming.pull(-1)
	streaming.counts(0, 10)
	for _, c := range []*client{hanging, streaming, idle} {
		c.Close()
	}
	eventually(t, func() bool { return db.open.Load() == 0 })
	if db.committed() != 0 {
		t.Fatal("what nobody committed was committed")
	}
}

// TestStream_TakesNoMemory streams a million rows, for which next to nothing is allocated.
func TestStream_TakesNoMemory(t *testing.T) {
	const rows, most = 1_000_000, 2 << 20
	c := dial(t, serve(t, newFake(), Options{})).login()
	buffer := make([]byte, full)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.stream(rows, buffer)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
		t.Fatalf("%d bytes were allocated for %d rows", taken, rows)
	}
}

// BenchmarkStream is rows of one column, to a client that does not look at them.
func BenchmarkStream(b *testing.B) {
	const rows = 1_000_000
	address := serve(b, newFake(), Options{})
	c := dial(b, address).login()
	buffer := make([]byte, full)
	for b.Loop() {
		c.stream(rows, buffer)
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// stream has rows sent, and reads them as fast as it can, up to the SUCCESS after them.
func (c *client) stream(rows int64, buffer []byte) {
	c.t.Helper()
	c.sendRun(fmt.Sprintf("COUNT %d", rows))
	c.pull(-1)
	end := []byte("t_last")
	tail := 0 // bytes of the last read that stay, for the end may be cut in two
	for {
		n, err := c.Read(buffer[tail:])
		if err != nil {
			c.t.Fatal(err)
		}
		read := buffer[:tail+n]
		if bytes.Contains(read, end) {
			return
		}
		tail = copy(buffer, read[max(0, len(read)-len(end)):])
	}
}

func TestSlowReader_HoldsNobodyBack(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{Grace: time.Millisecond}})
	slow := dial(t, address).login()
	slow.run("COUNT 100000000")
	slow.pull(-1) // and never reads
	other := dial(t, address).login()
	for range 10 {
		other.run("COUNT 100")
		other.pull(-1)
		other.counts(0, 100)
		other.succeeds()
	}
}

func TestStop_RollsBackAndTells(t *testing.T) {
	db := newFake()
	address, stop := start(t, db, Options{})
	hanging, idle := dial(t, address).login(), dial(t, address).login()
	idle.send(tagBegin, none)
	idle.succeeds()
	idle.run("CREATE")
	hanging.run("HANG")
	hanging.pull(-1)
	<-db.entered
	stop()
	hanging.fails("Neo.TransientError.General.DatabaseUnavailable")
	hanging.isClosed()
	idle.isClosed()
	if db.committed() != 0 {
		t.Fatal("what nobody committed was committed")
	}
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Fatal("it still listens")
	}
}

func TestPanic_EndsOneConnection(t *testing.T) {
	address := serve(t, newFake(), Options{})
	c := dial(t, address).login()
	c.run("PANIC")
	c.pull(-1)
	c.fails("Neo.DatabaseError.General.UnknownError")
	c.isClosed()
	dial(t, address).login().run("COUNT 1")
}

func TestViolation_EndsTheConnection(t *testing.T) {
	address := serve(t, newFake(), Options{})
	for name, violate := range map[string]func(*client){
		"unknown":            func(c *client) { c.send(0x55) },
		"PULL of nothing":    func(c *client) { c.pull(-1) },
		"COMMIT of nothing":  func(c *client) { c.send(tagCommit) },
		"HELLO again":        func(c *client) { c.send(tagHello, none) },
		"too few fields":     func(c *client) { c.send(tagRun, value.OfString("COUNT 1")) },
		"of the wrong type":  func(c *client) { c.send(tagRun, none, none, none) },
		"no structure":       func(c *client) { c.write(frames([]byte{0xC0})) },
		"RUN while streamed": func(c *client) { c.run("COUNT 5"); c.sendRun("COUNT 5") },
	} {
		c := dial(t, address).login()
		violate(c)
		tag, meta := c.receive()
		if tag != tagFailure || textOf(meta, "code") != status.RequestInvalid {
			t.Errorf("%s: %#x", name, tag)
		}
		c.isClosed()
	}
}

func TestBadParameter_FailsTheStatementOnly(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{})).login()
	node := value.OfNode(&value.NodeContent{ID: 1})
	c.sendRun("RETURN $x", entry("x", node))
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(tagReset)
	c.succeeds()
	c.write(frames(append([]byte{0xB3, tagRun, 0x81, 'x', 0xA1, 0x81, 'x'}, 0xCC, 1, 0, 0xA0))) // bytes
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(tagReset)
	c.succeeds()
	c.run("COUNT 1")
}

func TestLimit_MessageSize(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{MessageSize: 1 << 20}})
	c := dial(t, address).login()
	c.run("RETURN $x", text("x", strings.Repeat("x", 1<<19)))
	c.pull(-1)
	if tag, row := c.receive(); tag != tagRecord || len(row.List()[0].Str()) != 1<<19 {
		t.Fatalf("%#x", tag)
	}
	c.succeeds()
	c.sendRun("RETURN $x", text("x", strings.Repeat("x", 1<<20)))
	c.fails("Neo.ClientError.Request.Invalid")
	c.isClosed()
	stranger := dial(t, address)
	stranger.propose(0x0405)
	stranger.send(tagHello, fields(text("x", strings.Repeat("x", strangerMessage))))
	stranger.fails("Neo.ClientError.Request.Invalid")
	stranger.isClosed()
}

func TestLimit_Memory(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{Limits: Limits{Memory: 1 << 16}})).login()
	c.sendRun("RETURN $x", entry("x", value.OfList(make([]value.Value, 1<<13))))
	c.fails("Neo.ClientError.Request.Invalid")
}

func TestLimit_Connections(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{Connections: 2}})
	a := dial(t, address).login()
	dial(t, address).login()
	dial(t, address).isClosed()
	a.Close()
	eventually(t, func() bool {
		c := dial(t, address)
		c.write([]byte{0x60, 0x60, 0xB0, 0x17, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		_, err := c.byte()
		return err == nil
	})
}

func TestLimit_Login(t *testing.T) {
	address := serve(t, newFake(), Options{Limits: Limits{Login: 20 * time.Millisecond}})
	dial(t, address).isClosed()
	c := dial(t, address)
	c.propose(0x0405)
	c.isClosed()
}

// onlyAnn lets one user in.
type onlyAnn struct{}

func (onlyAnn) Authenticate(_ context.Context, scheme, user, password string) (string, error) {
	if scheme == "basic" && user == "ann" && password == "sesame" {
		return user, nil
	}
	return "", errors.New("the name or the password is wrong")
}

func TestLogin(t *testing.T) {
	address := serve(t, newFake(), Options{Auth: onlyAnn{}})
	ann := fields(text("scheme", "basic"), text("principal", "ann"), text("credentials", "sesame"))
	eve := fields(text("scheme", "basic"), text("principal", "ann"), text("credentials", "x"))
	c := dial(t, address)
	c.propose(0x0105)
	c.send(tagHello, none)
	c.succeeds()
	c.send(tagLogon, ann)
	c.succeeds()
	c.send(tagLogoff)
	c.succeeds()
	c.send(tagLogon, eve)
	c.fails("Neo.ClientError.Security.Unauthorized")
	c.isClosed()
	early := dial(t, address)
	early.propose(0x0105)
	early.send(tagHello, none)
	early.succeeds()
	early.sendRun("COUNT 1")
	early.fails("Neo.ClientError.Request.Invalid")
	early.isClosed()
	for _, old := range []uint32{0x0005, 0x0404} {
		c := dial(t, address)
		c.propose(old)
		c.send(tagHello, ann)
		c.succeeds()
		c.run("COUNT 1")
		c = dial(t, address)
		c.propose(old)
		c.send(tagHello, eve)
		c.fails("Neo.ClientError.Security.Unauthorized")
		c.isClosed()
	}
}

func TestUTC_AsAgreed(t *testing.T) {
	at := time.Unix(1700000000, 0).In(time.FixedZone("", 3600))
	address := serve(t, newFake(), Options{})
	for _, patched := range []bool{false, true} {
		c := dial(t, address)
		c.propose(0x0404)
		hello := none
		if patched {
			hello = fields(entry("patch_bolt", texts([]string{"utc"})))
		}
		c.dialect.UTC, c.dialect.ElementIDs = patched, false
		c.send(tagHello, hello)
		if meta := c.succeeds(); (meta.Get("patch_bolt").Kind() == value.List) != patched {
			t.Fatal(meta.Map())
		}
		c.run("RETURN $x", entry("x", value.OfDateTime(at)))
		c.pull(1)
		_, row := c.receive()
		if got := row.List()[0].DateTime(); !got.Equal(at) {
			t.Fatal(got, patched)
		}
		c.succeeds()
	}
}

func TestRoute_NamesTheAddressTheClientUses(t *testing.T) {
	c := dial(t, serve(t, newFake(), Options{Graph: "air"})).login()
	c.send(tagRoute, fields(text("address", "db.example:7687")), value.OfList(nil), none)
	rt := c.succeeds().Get("rt")
	if textOf(rt, "db") != "air" || len(rt.Get("servers").List()) != 3 || rt.Get("servers").List()[2].Get("addresses").List()[0].Str() != "db.example:7687" {
		t.Fatal(rt.Map())
	}
	c.send(tagTelemetry, value.OfInt(1))
	c.succeeds()
	c.send(tagGoodbye)
	c.isClosed()
}

func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it never came to that")
}
