package bolt

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/server/bolt/internal/fake"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/wire"
)

// TestStream_TakesNoMemory streams a million rows, for which next to nothing is allocated.
func TestStream_TakesNoMemory(t *testing.T) {
	const rows, most = 1_000_000, 2 << 20
	c := dial(t, serve(t, fake.New(), Options{})).login()
	buffer := make([]byte, wire.Full)
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
	address := serve(b, fake.New(), Options{})
	c := dial(b, address).login()
	buffer := make([]byte, wire.Full)
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
	address := serve(t, fake.New(), Options{Limits: Limits{Grace: time.Millisecond}})
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
