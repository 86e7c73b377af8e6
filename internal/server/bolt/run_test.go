package bolt

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

func TestRun_StreamsWhatIsPulled(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Graph: "air"})).login()
	meta := c.run("COUNT 10")
	if got := meta.Get("fields").List(); len(got) != 1 || got[0].Str() != "x" {
		t.Fatal(got)
	}
	c.pull(3)
	c.counts(0, 3)
	if !c.succeeds().Get("has_more").Bool() {
		t.Fatal("there should be more")
	}
	c.send(message.TagDiscard, fields(message.Integer("n", 2)))
	if !c.succeeds().Get("has_more").Bool() {
		t.Fatal("there should be more after DISCARD")
	}
	c.pull(-1)
	c.counts(5, 10)
	meta = c.succeeds()
	if !meta.Get("has_more").IsNull() || message.TextOf(meta, "type") != "r" || message.TextOf(meta, "db") != "air" ||
		!strings.HasPrefix(message.TextOf(meta, "bookmark"), "fake:") {
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
	c := dial(t, serve(t, fake.New(), Options{})).login()
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
	db := fake.New()
	c := dial(t, serve(t, db, Options{})).login()
	c.run("CREATE")
	c.send(message.TagDiscard, fields(message.Integer("n", -1)))
	stats := c.succeeds().Get("stats")
	if stats.Get("nodes-created").Int() != 1 || !stats.Get("contains-updates").Bool() || db.Committed() != 1 {
		t.Fatal(stats.Map(), db.Committed())
	}
}

func TestRun_FailureIsFollowedByIgnored(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	c.sendRun("NO SUCH")
	c.fails("Neo.ClientError.Statement.SyntaxError")
	c.pull(-1)
	c.isIgnored()
	c.send(message.TagBegin, none)
	c.isIgnored()
	c.send(message.TagReset)
	c.succeeds()
	c.run("COUNT 1")
}

func TestBadParameter_FailsTheStatementOnly(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{})).login()
	node := value.OfNode(&value.NodeContent{ID: 1})
	c.sendRun("RETURN $x", message.Entry("x", node))
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(message.TagReset)
	c.succeeds()
	c.write(framed(append([]byte{0xB3, message.TagRun, 0x81, 'x', 0xA1, 0x81, 'x'}, 0xCC, 1, 0, 0xA0))) // bytes
	c.fails("Neo.ClientError.Request.Invalid")
	c.send(message.TagReset)
	c.succeeds()
	c.run("COUNT 1")
}

func TestRoute_NamesTheAddressTheClientUses(t *testing.T) {
	c := dial(t, serve(t, fake.New(), Options{Graph: "air"})).login()
	c.send(message.TagRoute, fields(message.Text("address", "db.example:7687")), value.OfList(nil), none)
	rt := c.succeeds().Get("rt")
	if message.TextOf(rt, "db") != "air" || len(rt.Get("servers").List()) != 3 ||
		rt.Get("servers").List()[2].Get("addresses").List()[0].Str() != "db.example:7687" {
		t.Fatal(rt.Map())
	}
	c.send(message.TagTelemetry, value.OfInt(1))
	c.succeeds()
	c.send(message.TagGoodbye)
	c.isClosed()
}
