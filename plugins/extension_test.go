package plugins

import (
	"slices"
	"testing"

	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// What a device names arrives, also what the host has never heard of.
func TestDescription_ExtensionsOnTheWire(t *testing.T) {
	some := Description{Extensions: []Extension{ExtensionSettle, "of tomorrow"}}
	if back := descriptionFromWire(descriptionToWire(some)); !slices.Equal(back.Extensions, some.Extensions) {
		t.Errorf("%v arrives as %v", some.Extensions, back.Extensions)
	}
}

// The commands of extensions have the numbers that they have on the wire.
func TestOps_OnTheWire(t *testing.T) {
	for op, wire := range map[Op]pb.Op{Upload: pb.Op_OP_UPLOAD, Call: pb.Op_OP_CALL, Settle: pb.Op_OP_SETTLE,
		Restore: pb.Op_OP_RESTORE, Gather: pb.Op_OP_GATHER, Deliver: pb.Op_OP_DELIVER,
		Pass: pb.Op_OP_PASS} {
		if pb.Op(op) != wire {
			t.Errorf("command %d is %v on the wire", op, wire)
		}
	}
}
