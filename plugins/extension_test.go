package plugins

import (
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// A device says yes to an extension in one way: in Describe, or in a plan, and then the task asks for it. Nothing says
// yes by itself.
func TestExtensions(t *testing.T) {
	described := Description{MapsFiles: true, Lanes: 2, Peers: "way"}
	task := Task{Settle: true, Restorable: true, Share: &chunk.Interval{}, Part: true,
		Lanes: make([][]algorithms.Constant, 1), ActiveRows: true, Passes: true}
	plan := Plan{Settles: true, Restores: true, Shares: true, Parts: true, Selects: true, Passes: true}
	for _, e := range Extensions() {
		if described.Offers(e) == plan.Takes(e) {
			t.Errorf("%s: described %v, planned %v", e, described.Offers(e), plan.Takes(e))
		}
		if plan.Takes(e) && !task.Asks(e) {
			t.Errorf("%s: no task asks for it", e)
		}
		if (Description{}).Offers(e) || (Plan{}).Takes(e) || (Task{}).Asks(e) {
			t.Errorf("%s is there without a word", e)
		}
	}
}

// A device that names extensions lacks the others; one that names none, as an old one, may have any.
func TestDescription_Lacks(t *testing.T) {
	for _, e := range Extensions() {
		some := Description{Extensions: []Extension{ExtensionSettle, "of tomorrow"}, Lanes: 2}
		if got, want := some.Lacks(e), e != ExtensionSettle && e != ExtensionLanes; got != want {
			t.Errorf("%s: lacks %v", e, got)
		}
		if (Description{}).Lacks(e) {
			t.Errorf("an old device lacks %s", e)
		}
		back := descriptionFromWire(descriptionToWire(some))
		if !slices.Equal(back.Extensions, some.Extensions) {
			t.Errorf("%v arrives as %v", some.Extensions, back.Extensions)
		}
	}
}

// The commands of extensions have the numbers that they have on the wire.
func TestOps_OnTheWire(t *testing.T) {
	for op, wire := range map[Op]pb.Op{Upload: pb.Op_OP_UPLOAD, Call: pb.Op_OP_CALL, Settle: pb.Op_OP_SETTLE,
		Restore: pb.Op_OP_RESTORE, Gather: pb.Op_OP_GATHER, Deliver: pb.Op_OP_DELIVER} {
		if pb.Op(op) != wire {
			t.Errorf("command %d is %v on the wire", op, wire)
		}
	}
}
