package refusals

import (
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// stranger is the number of a chunk that there is not.
const stranger = 999

// contradictions are commands that contradict the contract.
var contradictions = []struct {
	name     string
	before   func(*drive.Rig) []plugins.Command // that must succeed
	command  func(*drive.Rig) plugins.Command
	noChunk  bool // the error concerns no chunk
	streamed bool // a device that does not stream may say so instead
}{
	{name: "unknown op", noChunk: true,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: 99} }},
	{name: "no op", noChunk: true,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{} }},
	{name: "Step before Init", streamed: true, before: resident,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Step, Chunk: 0} }},
	{name: "Apply before Init", noChunk: true, streamed: true,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Apply} }},
	{name: "Iterate before Init", noChunk: true, before: resident,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Iterate} }},
	{name: "Restore of a task that is not Restorable", noChunk: true,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Restore} }},
	{name: "Gather of a task that is no part", noChunk: true, before: initialized,
		command: func(rig *drive.Rig) plugins.Command {
			return plugins.Command{Op: plugins.Gather, At: rig.Task.Layout.Columns[0].Range}
		}},
	{name: "Deliver to a task that is no part", noChunk: true, before: initialized,
		command: func(rig *drive.Rig) plugins.Command {
			return plugins.Command{Op: plugins.Deliver, At: rig.Task.Layout.Columns[0].Range}
		}},
	{name: "Call of a program", noChunk: true,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Call} }},
	{name: "Step of an unknown chunk", streamed: true, before: initialized,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Step, Chunk: stranger} }},
	{name: "Evict of an unknown chunk",
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Evict, Chunk: stranger} }},
	{name: "Step after Evict", streamed: true, before: evicted,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Step, Chunk: 0} }},
	{name: "Evict twice", before: evicted,
		command: func(*drive.Rig) plugins.Command { return plugins.Command{Op: plugins.Evict, Chunk: 0} }},
	{name: "Upload twice", before: resident,
		command: func(rig *drive.Rig) plugins.Command { return rig.Upload(0) }},
	{name: "Upload from beyond the arena",
		command: func(rig *drive.Rig) plugins.Command {
			return plugins.Command{Op: plugins.Upload, At: arena.Range{Offset: rig.State.Arena.Size(), Length: 64}}
		}},
	{name: "Upload from a range that wraps around",
		command: func(*drive.Rig) plugins.Command {
			return plugins.Command{Op: plugins.Upload, At: arena.Range{Offset: 64, Length: ^uint64(0) - 32}}
		}},
	{name: "Upload from an unaligned range",
		command: func(rig *drive.Rig) plugins.Command {
			upload := rig.Upload(0)
			upload.At.Offset += 8
			upload.At.Length -= 8
			return upload
		}},
}

// Invalid gives each of them. It is answered by KindInvalid, and ends Execute with
// the same.
func Invalid(t *testing.T, device plugins.Device) {
	for _, c := range contradictions {
		t.Run(c.name, func(t *testing.T) {
			rig := sampleRig(t, device)
			if c.before != nil {
				if _, err := rig.Talk.Exchange(c.before(rig)...); err != nil {
					t.Fatalf("before: %v", err)
				}
			}
			command := c.command(rig)
			_, err := rig.Talk.Exchange(command)
			if c.streamed && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
				t.Skip("the device does not stream")
			}
			rig.Talk.Refused(err, plugins.KindInvalid, command, c.noChunk)
		})
	}
	t.Run("a layout without the state", func(t *testing.T) { testLayout(t, device) })
	t.Run("neither program nor procedure", func(t *testing.T) { testNothing(t, device) })
}

// sampleRig has a session that runs a sample on a random graph of at least one chunk.
func sampleRig(t *testing.T, device plugins.Device) *drive.Rig {
	t.Helper()
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 80, 400)
	rig, err := drive.Open(t, r, device, g, drive.ProgramWork(t, g, trial.Sample(t, r, device, g, 3)), drive.Modes[1])
	if err != nil {
		t.Fatal(err)
	}
	rig.Begin(t.Context())
	return rig
}

func resident(rig *drive.Rig) []plugins.Command { return []plugins.Command{rig.Upload(0)} }

func initialized(*drive.Rig) []plugins.Command { return []plugins.Command{{Op: plugins.Init}} }

func evicted(rig *drive.Rig) []plugins.Command {
	return append(append(initialized(rig), resident(rig)...), plugins.Command{Op: plugins.Evict, Chunk: 0})
}

func testLayout(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 80, 400)
	w := drive.ProgramWork(t, g, trial.Sample(t, r, device, g, 3))
	w.Results = nil
	if _, err := drive.Open(t, r, device, g, w, drive.Modes[0]); err == nil || plugins.KindOf(err) != plugins.KindInvalid {
		t.Errorf("Compile: %v; expected %q", err, plugins.KindInvalid)
	}
}

func testNothing(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	_, err := drive.Open(t, r, device, drawn.RandomGraph(r), drive.Work{}, drive.Modes[0])
	if kind := plugins.KindOf(err); err == nil || kind != plugins.KindInvalid && kind != plugins.KindUnsupported {
		t.Errorf("Compile: %v; expected %q", err, plugins.KindInvalid)
	}
}
