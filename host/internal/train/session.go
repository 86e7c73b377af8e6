package train

import (
	"context"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
)

// Session is a network on its devices, ready for passes.
type Session struct {
	Passer
	*base
	batches *batches // nil: passes are over the whole graph
}

// Passer is a way of computing passes.
type Passer interface {
	// Pass has the devices compute the roots of a pass.
	Pass(ctx context.Context, number int, dropout dataflow.Dropout) error
	// Result is what the last Pass of a number has computed of a root, until the next.
	Result(number int, root *dataflow.Value) []float32
	// Write gives an input that varies other rows, those of all vertices.
	Write(name string, rows []float32) error
	// Way is what there is to tell of it.
	Way() Way
	// Close gives up what lies beside the arena. The devices have ended.
	Close()
}

// Way is how passes were computed.
type Way struct {
	Pieces   *Pieces `json:"pieces,omitempty"`            // nil: everything stayed on the device
	Devices  []Share `json:"devices,omitempty"`           // of several, what each has
	Expected uint64  `json:"expected_exchange,omitempty"` // bytes from device to device, by what lies where
	Halves   *Halves `json:"halves,omitempty"`            // of two, one of which looks at edges
}

// Pass has the devices compute the roots of a pass. It ends when one of them does.
func (s *Session) Pass(number int, dropout dataflow.Dropout) error {
	return s.Passer.Pass(s.ctx, number, dropout)
}

// About is what the devices are together.
func (s *Session) About() plugins.Description { return s.group.Describe() }

// Digest is that of the device's program; of several, all of theirs.
func (s *Session) Digest() (string, error) { return s.group.Digest() }

// Walls are those around the devices' processes.
func (s *Session) Walls() []report.Wall { return s.group.Walls() }

// Memory is what the devices' processes took.
func (s *Session) Memory() []report.ProcessMemory { return s.group.Memory() }

// Set gives the network all that it has learned.
func (s *Session) Set(c *neural.Compiled, all [][]float32) error {
	for i, each := range c.Learned {
		copy(s.Of(each.Value), all[i])
	}
	return bring(s, c, all)
}

// Close ends the devices, which have answered everything.
func (s *Session) Close() error {
	for _, d := range s.group.Devices {
		if err := d.Stream.Finish(); err != nil {
			s.Kill(err)
			return err
		}
	}
	s.group.Spare()
	s.group.CloseSessions()
	s.group.Close()
	s.release()
	return nil
}

// Kill ends what has been opened at once, since err happened.
func (s *Session) Kill(err error) {
	s.fail(err)
	if s.group != nil {
		s.group.Kill()
	}
	s.release()
}

// release gives up what is left when the devices have ended.
func (s *Session) release() {
	s.end()
	if s.Passer != nil {
		s.Passer.Close()
	}
	if s.batches != nil {
		s.batches.Close()
	}
	s.room.giveUp()
}

// Room is memory of a device.
type Room struct {
	Device string `json:"device"`
	Need   uint64 `json:"device_memory"` // that the network takes of its budget
	Budget uint64 `json:"budget"`        // 0: there is none
}

// Rooms are what the network takes of each device.
func (s *Session) Rooms() (all []Room) {
	for _, d := range s.group.Devices {
		all = append(all, Room{d.Name, d.Plan.Fixed, d.Budget})
	}
	all[0].Need += s.largest
	return all
}
