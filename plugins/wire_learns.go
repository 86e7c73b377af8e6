package plugins

import (
	"time"

	"github.com/penstock-db/penstock/algorithms"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

func rowsToWire(r VertexRows) *pb.Rows {
	return &pb.Rows{Name: r.Name, Width: int64(r.Width), Once: r.Once, Given: r.Given, Kept: r.Kept,
		Range: rangeToWire(r.Range)}
}

func rowsFromWire(w *pb.Rows) VertexRows {
	return VertexRows{algorithms.Rows{Name: w.GetName(), Width: int(w.GetWidth()), Once: w.GetOnce(), Given: w.GetGiven(),
		Kept: w.GetKept()},
		rangeFromWire(w.GetRange())}
}

func epochToWire(e *Epoch) *pb.Epoch {
	if e == nil {
		return nil
	}
	return &pb.Epoch{Number: int64(e.Number), Loss: e.Loss}
}

func epochFromWire(w *pb.Epoch) *Epoch {
	if w == nil {
		return nil
	}
	return &Epoch{Number: int(w.GetNumber()), Loss: w.GetLoss()}
}

func workToWire(w Work) *pb.Work {
	return &pb.Work{Edges: w.Edges, Mirrors: w.Mirrors, Clocks: w.Clocks, Pushed: w.Pushed, Pulled: w.Pulled,
		WaitedNanos: w.Waited.Nanoseconds(), Ahead: w.Ahead, Masters: w.Masters,
		LeftMasters: w.LeftMasters, LeftMirrors: w.LeftMirrors, Timeline: mapped(w.Timeline, spanToWire)}
}

func workFromWire(w *pb.Work) Work {
	return Work{Edges: w.GetEdges(), Mirrors: w.GetMirrors(), Clocks: w.GetClocks(), Pushed: w.GetPushed(),
		Pulled: w.GetPulled(), Waited: time.Duration(w.GetWaitedNanos()), Ahead: w.GetAhead(), Masters: w.GetMasters(),
		LeftMasters: w.GetLeftMasters(), LeftMirrors: w.GetLeftMirrors(), Timeline: mapped(w.GetTimeline(), spanFromWire)}
}

func spanToWire(s Span) *pb.Span {
	return &pb.Span{Epoch: s.Epoch, Clock: s.Clock, BeganNanos: s.Began.Nanoseconds(), WaitNanos: s.Wait.Nanoseconds(),
		PullNanos: s.Pull.Nanoseconds(), ComputeNanos: s.Compute.Nanoseconds(), SyncNanos: s.Sync.Nanoseconds()}
}

func spanFromWire(w *pb.Span) Span {
	return Span{Epoch: w.GetEpoch(), Clock: w.GetClock(), Began: time.Duration(w.GetBeganNanos()),
		Wait: time.Duration(w.GetWaitNanos()), Pull: time.Duration(w.GetPullNanos()),
		Compute: time.Duration(w.GetComputeNanos()), Sync: time.Duration(w.GetSyncNanos())}
}
