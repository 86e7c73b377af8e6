package bolt

import (
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
)

func TestServe_Versions(t *testing.T) {
	address := serve(t, fake.New(), Options{})
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

func TestUTC_AsAgreed(t *testing.T) {
	at := time.Unix(1700000000, 0).In(time.FixedZone("", 3600))
	address := serve(t, fake.New(), Options{})
	for _, patched := range []bool{false, true} {
		c := dial(t, address)
		c.propose(0x0404)
		hello := none
		if patched {
			hello = fields(message.Entry("patch_bolt", message.Texts([]string{"utc"})))
		}
		c.dialect.UTC, c.dialect.ElementIDs = patched, false
		c.send(message.TagHello, hello)
		if meta := c.succeeds(); (meta.Get("patch_bolt").Kind() == value.List) != patched {
			t.Fatal(meta.Map())
		}
		c.run("RETURN $x", message.Entry("x", value.OfDateTime(at)))
		c.pull(1)
		_, row := c.receive()
		if got := row.List()[0].DateTime(); !got.Equal(at) {
			t.Fatal(got, patched)
		}
		c.succeeds()
	}
}
