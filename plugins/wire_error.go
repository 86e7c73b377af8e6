package plugins

import (
	"context"
	"errors"
	"io"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/penstock-db/penstock/internal/plaintext"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// errorToWire keeps the facts of the first Error in err's chain and the text of the
// whole chain, without what Error itself adds to it: the other side adds it again.
func errorToWire(err error) *pb.Error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return &pb.Error{Kind: enumToWire[pb.Kind](plainKind(err)), Message: err.Error()}
	}
	w := &pb.Error{Device: e.Device, Kind: enumToWire[pb.Kind](e.Kind), Message: message(err, e)}
	if e.Chunk >= 0 {
		w.Chunk = &e.Chunk
	}
	return w
}

// plainKind is the kind of an error that no device has classified.
func plainKind(err error) Kind {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return KindCanceled
	}
	return KindInternal
}

func message(err error, e *Error) string {
	inner := ""
	if e.Err != nil {
		inner = e.Err.Error()
	}
	return strings.Replace(err.Error(), e.Error(), inner, 1)
}

func errorFromWire(w *pb.Error) error {
	if w == nil {
		return nil
	}
	var d decoder
	e := &Error{Device: lineFromWire(w.GetDevice()), Kind: enumFromWire[Kind](&d, w.GetKind()), Chunk: -1}
	if d.err != nil { // a newer peer's kind
		e.Kind = KindInternal
	}
	if w.Chunk != nil {
		e.Chunk = w.GetChunk()
	}
	if w.GetMessage() != "" {
		e.Err = told{errors.New(w.GetMessage())}
	}
	return e
}

// told is an error in the words of the other side, for people to read, whatever is in it.
type told struct{ err error }

func (t told) Error() string {
	const most = 16 << 10
	return plaintext.Lines(t.err.Error(), most)
}

func (t told) Unwrap() error { return t.err }

// codeOf is what a tool that knows gRPC but not this contract sees of a Kind.
var codeOf = map[Kind]codes.Code{
	KindInternal:    codes.Internal,
	KindUnsupported: codes.Unimplemented,
	KindInvalid:     codes.InvalidArgument,
	KindBudget:      codes.ResourceExhausted,
	KindChunk:       codes.DataLoss,
	KindCanceled:    codes.Canceled,
	KindDied:        codes.Unavailable,
	KindHung:        codes.DeadlineExceeded,
	KindLaunch:      codes.FailedPrecondition,
}

// statusOf is err as a gRPC status with an Error in its details.
func statusOf(err error) error {
	if err == nil {
		return nil
	}
	w := errorToWire(err)
	code, ok := codeOf[Kind(w.GetKind()-1)]
	if !ok {
		code = codes.Internal
	}
	s, detailErr := status.New(code, w.GetMessage()).WithDetails(w)
	if detailErr != nil {
		return status.Error(code, w.GetMessage())
	}
	return s.Err()
}

// errorOf undoes statusOf on the calling side. An error without details came from gRPC
// itself: the caller's context has ended, or the connection has.
func errorOf(ctx context.Context, err error) error {
	s := status.Convert(err)
	for _, detail := range s.Details() {
		if w, ok := detail.(*pb.Error); ok && w.GetKind() != pb.Kind_KIND_CANCELED {
			return errorFromWire(w)
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return &Error{Kind: KindCanceled, Chunk: -1, Err: cause} // so that errors.Is finds it
	}
	if _, limited := ctx.Deadline(); limited && s.Code() == codes.DeadlineExceeded { // by gRPC's clock, which was first
		return &Error{Kind: KindCanceled, Chunk: -1, Err: context.DeadlineExceeded}
	}
	return &Error{Kind: transportKind(err, s), Chunk: -1, Err: told{err}}
}

func transportKind(err error, s *status.Status) Kind {
	switch s.Code() {
	case codes.Unavailable:
		return KindDied
	case codes.Canceled:
		if len(s.Details()) == 0 {
			return KindDied // not the caller's doing, nor the device's: the connection was closed
		}
		return KindCanceled
	case codes.Unimplemented:
		return KindUnsupported
	case codes.ResourceExhausted:
		return KindInvalid // a message above maxMessage
	}
	if errors.Is(err, io.EOF) {
		return KindDied
	}
	return KindInternal
}
