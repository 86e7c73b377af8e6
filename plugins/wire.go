package plugins

import (
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// The wire_*.go files translate between the contract and its wire form, one pair of
// functions a message: xToWire and, the other way, xFromWire. client.go and server.go
// are the two ends that use them.

// maxMessage bounds one message on the wire, in bytes. Programs and commands are far
// smaller; chunks and state never travel there.
const maxMessage = 64 << 20

var callLimits = []grpc.CallOption{
	grpc.MaxCallRecvMsgSize(maxMessage),
	grpc.MaxCallSendMsgSize(maxMessage),
}

// enumToWire maps an enumeration of the contract, which starts at 0, to one of the
// wire, where 0 means that the sender said nothing.
func enumToWire[W ~int32, T ~uint8](v T) W { return W(v) + 1 }

// decoder keeps the first error met while a message is translated.
type decoder struct{ err error }

// enumFromWire undoes enumToWire. A value that this side does not know is an error:
// guessing would compute something else than was asked.
func enumFromWire[T ~uint8, W interface {
	~int32
	protoreflect.Enum
}](d *decoder, w W) T {
	known := w != 0 && w.Descriptor().Values().ByNumber(w.Number()) != nil
	if !known && d.err == nil {
		d.err = Errorf(KindInvalid, "%s has no value %d here: the other side is newer or sent nothing",
			w.Descriptor().FullName(), w)
	}
	return T(w - 1)
}

func rangeToWire(r arena.Range) *pb.Range {
	return &pb.Range{Offset: r.Offset, Length: r.Length}
}

func rangeFromWire(r *pb.Range) arena.Range {
	return arena.Range{Offset: r.GetOffset(), Length: r.GetLength()}
}

// mapped applies f to every element; nil stays nil.
func mapped[A, B any](in []A, f func(A) B) []B {
	if in == nil {
		return nil
	}
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}
