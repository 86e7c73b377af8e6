package plugins

import (
	"time"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// commandToWire keeps an Op as it is: 0 is no command in the contract either.
func commandToWire(c Command) *pb.Command {
	w := &pb.Command{Seq: c.Seq, Op: pb.Op(c.Op), Chunk: c.Chunk, At: rangeToWire(c.At), File: c.File, Rounds: c.Rounds,
		Pass: c.Pass, Seed: c.Seed, Epoch: c.Epoch,
		BatchVertices: c.Batch.Vertices, BatchEdges: c.Batch.Edges}
	if c.Among != (arena.Range{}) {
		w.Among = rangeToWire(c.Among)
	}
	if p := c.Piece; p != (Piece{}) {
		w.Piece = &pb.Piece{Once: p.Once, Stage: p.Stage, Interval: p.Interval, Wave: p.Wave, Slot: p.Slot,
			Sources: p.Sources, Edges: p.Edges}
	}
	if c.Iteration != (Iteration{}) {
		w.Iteration = iterationToWire(&c.Iteration)
	}
	return w
}

// commandFromWire leaves it to the session to refuse an Op that it does not know.
func commandFromWire(w *pb.Command) Command {
	c := Command{
		Seq:    w.GetSeq(),
		Op:     Op(min(uint32(w.GetOp()), 255)),
		Chunk:  w.GetChunk(),
		At:     rangeFromWire(w.GetAt()),
		File:   w.GetFile(),
		Rounds: w.GetRounds(),
		Among:  rangeFromWire(w.GetAmong()),
		Pass:   w.GetPass(),
		Seed:   w.GetSeed(),
		Epoch:  w.GetEpoch(),
		Batch:  BatchSize{w.GetBatchVertices(), w.GetBatchEdges()},
	}
	if p := w.GetPiece(); p != nil {
		c.Piece = Piece{Once: p.GetOnce(), Stage: p.GetStage(), Interval: p.GetInterval(), Wave: p.GetWave(),
			Slot: p.GetSlot(), Sources: p.GetSources(), Edges: p.GetEdges()}
	}
	if it := iterationFromWire(w.GetIteration()); it != nil {
		c.Iteration = *it
	}
	return c
}

func eventToWire(e Event) *pb.Event {
	return &pb.Event{
		Seq:           e.Seq,
		Done:          e.Done,
		Released:      e.Released,
		Iteration:     iterationToWire(e.Iteration),
		Fraction:      e.Fraction,
		TransferNanos: e.Transfer.Nanoseconds(),
		ComputeNanos:  e.Compute.Nanoseconds(),
		Bytes:         e.Bytes,
		Edges:         e.Edges,
		Resident:      e.Resident,
		Peak:          e.Peak,
		Error:         errorToWire(e.Err),
		Epoch:         epochToWire(e.Epoch),
		Work:          mapped(e.Work, workToWire),
	}
}

func eventFromWire(e *pb.Event) Event {
	return Event{
		Seq:       e.GetSeq(),
		Done:      e.GetDone(),
		Released:  e.GetReleased(),
		Iteration: iterationFromWire(e.GetIteration()),
		Fraction:  e.GetFraction(),
		Transfer:  time.Duration(e.GetTransferNanos()),
		Compute:   time.Duration(e.GetComputeNanos()),
		Bytes:     e.GetBytes(),
		Edges:     e.GetEdges(),
		Resident:  e.GetResident(),
		Peak:      e.GetPeak(),
		Err:       errorFromWire(e.GetError()),
		Epoch:     epochFromWire(e.GetEpoch()),
		Work:      mapped(e.GetWork(), workFromWire),
	}
}

func iterationToWire(i *Iteration) *pb.Iteration {
	if i == nil {
		return nil
	}
	w := &pb.Iteration{
		Number:    int64(i.Number),
		Active:    i.Active,
		Change:    i.Change,
		Converged: i.Converged,
		From:      i.Places.From,
		To:        i.Places.To,
		Complete:  i.Complete,
	}
	if i.Looked != (Looked{}) {
		w.Looked = &pb.Looked{Entries: i.Looked.Entries, Given: i.Looked.Given}
	}
	if i.Cycle != nil {
		w.Cycle = &pb.Cycle{Vertices: i.Cycle.Vertices}
	}
	return w
}

func iterationFromWire(i *pb.Iteration) *Iteration {
	if i == nil {
		return nil
	}
	it := &Iteration{
		Number:    int(i.GetNumber()),
		Active:    i.GetActive(),
		Change:    i.GetChange(),
		Converged: i.GetConverged(),
		Places:    chunk.Places{From: i.GetFrom(), To: i.GetTo()},
		Looked:    Looked{Entries: i.GetLooked().GetEntries(), Given: i.GetLooked().GetGiven()},
		Complete:  i.GetComplete(),
	}
	if c := i.GetCycle(); c != nil {
		it.Cycle = &Cycle{c.GetVertices()}
	}
	return it
}
