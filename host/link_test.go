package host

import (
	"context"
	"testing"
	"time"
)

func TestLink_CarriesOneAfterTheOther(t *testing.T) {
	l := link{bandwidth: 1 << 20}
	first, took := l.carry(context.Background(), 1<<12)
	if want := time.Second >> 8; took != want || time.Since(first) < want {
		t.Errorf("4 KiB at 1 MiB/s took %v, expected %v, and arrived %v after their start", took, want, time.Since(first))
	}
	l.free = time.Now().Add(5 * time.Millisecond)
	busy := l.free
	if second, _ := l.carry(context.Background(), 0); second.Before(busy) {
		t.Errorf("began %v before the link was free", busy.Sub(second))
	}
}

func TestLink_CancelsAndMayBeAbsent(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	slow := link{bandwidth: 1}
	slow.carry(ctx, 1<<40) // else it would wait for 30,000 years
	var none link
	if _, took := none.carry(context.Background(), 1<<40); took != 0 {
		t.Errorf("no link takes %v", took)
	}
}
