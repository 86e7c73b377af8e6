package plugins

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unicode"

	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/arena"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

// TestWire_RoundTrip fills every field of the contract's messages at random, by
// reflection, so that a field added to the contract and forgotten on the wire is found.
func TestWire_RoundTrip(t *testing.T) {
	t.Run("description", roundTrip(func(d Description) (Description, error) {
		return descriptionFromWire(transmit(descriptionToWire(d))), nil
	}))
	t.Run("graph", roundTrip(func(g Graph) (Graph, error) {
		return graphFromWire(transmit(graphToWire(g))), nil
	}))
	t.Run("task", roundTrip(func(task Task) (Task, error) {
		return taskFromWire(transmit(taskToWire(task)))
	}))
	t.Run("plan", roundTrip(func(p Plan) (Plan, error) {
		return planFromWire(transmit(planToWire(p)))
	}))
	t.Run("command", roundTrip(func(c Command) (Command, error) {
		out := commandFromWire(transmit(commandToWire(c)))
		out.More = c.More // a message says so by what else is in it: TestClient_CommandsTravelTogether
		return out, nil
	}))
	t.Run("event", roundTrip(func(e Event) (Event, error) {
		return eventFromWire(transmit(eventToWire(e))), nil
	}))
	t.Run("error", roundTrip(func(e Error) (Error, error) {
		var out *Error
		errors.As(errorFromWire(transmit(errorToWire(&e))), &out)
		return *out, nil
	}))
}

func roundTrip[T any](there func(T) (T, error)) func(*testing.T) {
	values := rapid.MakeCustom[T](random)
	return rapid.MakeCheck(func(t *rapid.T) {
		in := values.Draw(t, "in")
		out, err := there(in)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := plainly(in), plainly(out); !reflect.DeepEqual(want, got) {
			t.Fatalf("sent     %+v\nreceived %+v", want, got)
		}
	})
}

// transmit is the wire: what arrives is not what was sent but what was written.
func transmit[M proto.Message](m M) M {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	out := m.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(b, out); err != nil {
		panic(err)
	}
	return out.(M)
}

// words are texts that people may read as they are: TestClient_CleansWhatPeopleRead tells of others.
var words = rapid.StringOfN(rapid.RuneFrom(nil, unicode.L, unicode.N, unicode.P), 0, 20, -1).AsAny()

// random says what the contract allows where a field's Go type allows more.
var random = rapid.MakeConfig{
	Types: map[reflect.Type]*rapid.Generator[any]{
		reflect.TypeFor[algorithms.Type]():     rapid.Uint8Range(0, uint8(algorithms.VertexID)).AsAny(),
		reflect.TypeFor[algorithms.Reduce]():   rapid.Uint8Range(0, uint8(algorithms.Or)).AsAny(),
		reflect.TypeFor[algorithms.Edges]():    rapid.Uint8Range(0, uint8(algorithms.BothSides)).AsAny(),
		reflect.TypeFor[algorithms.Activity](): rapid.Uint8Range(0, uint8(algorithms.Always)).AsAny(),
		reflect.TypeFor[algorithms.Norm]():     rapid.Uint8Range(0, uint8(algorithms.LInf)).AsAny(),
		reflect.TypeFor[algorithms.Order]():    rapid.Uint8Range(0, uint8(algorithms.Monotone)).AsAny(),
		reflect.TypeFor[chunk.Direction]():     rapid.Uint8Range(0, uint8(chunk.Both)).AsAny(),
		reflect.TypeFor[Op]():                  rapid.Uint8Range(uint8(Upload), uint8(Pass)).AsAny(),
		reflect.TypeFor[Kind]():                rapid.Uint8Range(0, uint8(KindLaunch)).AsAny(),
		reflect.TypeFor[*exprpb.CheckedExpr](): rapid.Custom(checkedExpr).AsAny(),
		reflect.TypeFor[*Network]():            rapid.Custom(randomNetwork).AsAny(),
		reflect.TypeFor[error]():               rapid.Custom(innerError).AsAny(),
	},
	Fields: map[reflect.Type]map[string]*rapid.Generator[any]{
		reflect.TypeFor[Description](): {"Threads": rapid.IntRange(0, 1<<16).AsAny(),
			"Lanes": rapid.IntRange(0, 1<<16).AsAny(), "Name": words, "Version": words, "Hardware": words,
			"Extensions": rapid.SliceOf(rapid.Custom(func(t *rapid.T) Extension {
				return Extension(words.Draw(t, "extension").(string))
			})).AsAny()},
		reflect.TypeFor[Plan](): {"Kernel": words},
		reflect.TypeFor[algorithms.Column](): {"Width": rapid.Just("").AsAny(), // a definition has it
			"Steps": rapid.Just("").AsAny(), "Path": rapid.Just(0).AsAny(), // the host alone goes by them
			"Each": rapid.IntRange(0, algorithms.MaxWidth).AsAny()},
		reflect.TypeFor[algorithms.Program]():  {"Finite": rapid.Just(false).AsAny()}, // likewise
		reflect.TypeFor[algorithms.Property](): {"Sums": rapid.Just("").AsAny()},      // likewise
		reflect.TypeFor[algorithms.Rows]():     {"Room": rapid.Just(false).AsAny()},   // the name RoomRow says so to a device
		reflect.TypeFor[Error]():               {"Chunk": rapid.Int64Range(-1, 1<<40).AsAny(), "Device": words},
		reflect.TypeFor[Event]():               {"Err": rapid.Custom(deviceError).AsAny()},
	},
}

// randomNetwork is a dataflow as it grows, of which values are numbered by their places as they are on arrival.
func randomNetwork(t *rapid.T) *Network {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	p := neuraltest.Grow(r, false, neuraltest.RandomData(r))
	for i, v := range p.Values {
		v.ID, v.Varies = i, v.Op == dataflow.Input && r.IntN(2) == 0
	}
	at := rapid.Custom(func(t *rapid.T) arena.Range {
		return arena.Range{Offset: rapid.Uint64().Draw(t, "offset"), Length: rapid.Uint64().Draw(t, "length")}
	})
	var grid *Grid
	if r.IntN(2) == 0 {
		grid = &Grid{Each: r.Uint32(), Sections: [2][]uint64{{0, r.Uint64()}, {r.Uint64()}},
			Rows:  [2]arena.Range{at.Draw(t, "rows"), at.Draw(t, "other rows")},
			Cells: [2]arena.Range{at.Draw(t, "cells"), at.Draw(t, "other cells")}, Sums: at.Draw(t, "sums"),
			Shared: r.IntN(2) == 0, Stays: r.IntN(2) == 0}
	}
	var batch *Batch
	if r.IntN(2) == 0 {
		lists := BatchLists{at.Draw(t, "offsets"), at.Draw(t, "others"), []arena.Range{at.Draw(t, "properties")}}
		batch = &Batch{Vertices: r.Uint64(), Edges: r.Uint64(), Lists: [2]BatchLists{lists, {Others: at.Draw(t, "others")}},
			Inputs: []Tensor{{"x", at.Draw(t, "numbers"), at.Draw(t, "offsets"), at.Draw(t, "columns")}},
			Rows:   at.Draw(t, "rows")}
	}
	var halves *Halves
	if r.IntN(2) == 0 {
		halves = &Halves{Each: r.Uint64(), Rows: r.IntN(2) == 0, Degrees: [2]arena.Range{at.Draw(t, "in"), at.Draw(t, "out")}}
	}
	return &Network{Values: p.Values, SelfLoops: r.IntN(2) == 0, Parameters: at.Draw(t, "parameters"), Grid: grid,
		Batch: batch, Halves: halves,
		Inputs: []Tensor{{"x", at.Draw(t, "numbers"), at.Draw(t, "offsets"), at.Draw(t, "columns")}},
		Passes: []NetworkPass{{Roots: p.Values[:r.IntN(3)], At: at.Draw(t, "at"), Drops: r.IntN(2) == 0,
			Batched: r.IntN(2) == 0}, {}}}
}

func checkedExpr(t *rapid.T) *exprpb.CheckedExpr {
	name := rapid.StringN(0, 5, -1).Draw(t, "ident")
	return &exprpb.CheckedExpr{Expr: &exprpb.Expr{
		Id:       rapid.Int64().Draw(t, "id"),
		ExprKind: &exprpb.Expr_IdentExpr{IdentExpr: &exprpb.Expr_Ident{Name: name}},
	}}
}

func innerError(t *rapid.T) error {
	return errors.New("x" + words.Draw(t, "text").(string))
}

func deviceError(t *rapid.T) error { return randomError(t) }

func randomError(t *rapid.T) *Error {
	e := &Error{
		Device: words.Draw(t, "device").(string),
		Kind:   Kind(rapid.Uint8Range(0, uint8(KindLaunch)).Draw(t, "kind")),
		Chunk:  rapid.Int64Range(-1, 9).Draw(t, "chunk"),
	}
	if rapid.Bool().Draw(t, "inner") {
		e.Err = innerError(t)
	}
	return e
}

// plainly is v with what DeepEqual cannot judge put into a form it can: messages as
// their deterministic bytes, error texts as text, empty slices and maps as nil.
func plainly(v any) any {
	return plain(reflect.ValueOf(v))
}

func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return plainReference(v)
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			fields[v.Type().Field(i).Name] = plain(v.Field(i))
		}
		return fields
	case reflect.Slice:
		var elements []any
		for i := range v.Len() {
			elements = append(elements, plain(v.Index(i)))
		}
		return elements
	case reflect.Map:
		if v.Len() == 0 {
			return nil
		}
		entries := map[any]any{}
		for entry := v.MapRange(); entry.Next(); {
			entries[entry.Key().Interface()] = plain(entry.Value())
		}
		return entries
	}
	return v.Interface()
}

func plainReference(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	switch x := v.Interface().(type) {
	case proto.Message:
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(x)
		return fmt.Sprintf("%x %v", b, err)
	case *Error:
		return plain(v.Elem())
	case *dataflow.Value:
		return fmt.Sprintf("%v, draw %d", x, x.Draw)
	case error:
		return x.Error()
	}
	return plain(v.Elem())
}

func TestWire_UnknownEnum(t *testing.T) {
	task := taskToWire(Task{Program: &algorithms.Program{}})
	task.Program.Reduce = 77
	if _, err := taskFromWire(task); KindOf(err) != KindInvalid {
		t.Fatalf("reduce 77: %v, want KindInvalid", err)
	}
	if _, err := planFromWire(&pb.CompileResponse{Directions: []pb.Direction{0}}); KindOf(err) != KindInvalid {
		t.Fatalf("unspecified direction: %v, want KindInvalid", err)
	}
	if err := errorFromWire(&pb.Error{Kind: 99}); KindOf(err) != KindInternal {
		t.Fatalf("kind 99: %v, want KindInternal", err)
	}
}

func TestWire_StatusKeepsKindDeviceChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomError(t)
		in.Kind = Kind(rapid.Uint8Range(0, uint8(KindLaunch)).
			Filter(func(k uint8) bool { return Kind(k) != KindCanceled }).Draw(t, "kind not canceled"))
		out := errorOf(context.Background(), statusOf(in))
		if !reflect.DeepEqual(plainly(in), plainly(out)) {
			t.Fatalf("sent %#v, received %#v", in, out)
		}
	})
}

func TestWire_WrappedErrorIsSaidOnce(t *testing.T) {
	inner := &Error{Device: "cpu", Kind: KindChunk, Chunk: 7, Err: errors.New("bad offsets")}
	got := errorFromWire(errorToWire(fmt.Errorf("step: %w", inner)))
	if want := "device cpu: bad chunk (chunk 7): step: bad offsets"; got.Error() != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}

func TestWire_TransportErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	live := context.Background()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want Kind
	}{
		{"caller canceled", canceled, status.Error(codes.Canceled, "context canceled"), KindCanceled},
		{"device canceled", live, statusOf(context.Canceled), KindCanceled},
		{"connection closing", live, status.Error(codes.Canceled, "the client connection is closing"), KindDied},
		{"connection lost", live, status.Error(codes.Unavailable, "EOF"), KindDied},
		{"no such method", live, status.Error(codes.Unimplemented, "method"), KindUnsupported},
		{"message too large", live, status.Error(codes.ResourceExhausted, "message"), KindInvalid},
		{"anything else", live, errors.New("odd"), KindInternal},
	} {
		if got := KindOf(errorOf(c.ctx, c.err)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if err := errorOf(canceled, statusOf(context.Canceled)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap context.Canceled", err)
	}
	limited, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	early := errorOf(limited, status.Error(codes.DeadlineExceeded, "stream terminated"))
	if !errors.Is(early, context.DeadlineExceeded) || KindOf(early) != KindCanceled {
		t.Errorf("the deadline, by gRPC's clock before the context's: %v", early)
	}
}
