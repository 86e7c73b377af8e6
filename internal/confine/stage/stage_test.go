package stage

import (
	"reflect"
	"testing"
)

var orders = Orders{
	Report: 7, Limits: []Limit{{1, 2}, {3, 1 << 63}},
	Files:   Ruleset{Files: 1 << 15, Network: 3, Scope: 1, Allowed: []Path{{"/usr/lib", 5}, {"", 0}}},
	Filter:  []Instruction{{0x20, 0, 0, 4}, {0x15, 1, 255, 1<<32 - 1}, {0xffff, 3, 4, 5}},
	OwnPID:  []uint64{0, 2},
	Program: "/bin/device", Args: []string{"device", ""}, Env: []string{"A=1", "B=\x00"},
}

func TestDecode_ReadsWhatEncodeWrites(t *testing.T) {
	for _, o := range []Orders{orders, {}} {
		if got, ok := Decode(o.Encode()); !ok || !reflect.DeepEqual(got, o) {
			t.Errorf("%+v, %v, want %+v", got, ok, o)
		}
	}
	bytes := orders.Encode()
	for n := range bytes {
		if _, ok := Decode(bytes[:n]); ok {
			t.Fatalf("%d of %d bytes are orders", n, len(bytes))
		}
	}
	if _, ok := Decode(append(bytes, 0)); ok {
		t.Error("more than orders are orders")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(orders.Encode())
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		o, ok := Decode(bytes)
		if !ok {
			return
		}
		if again, ok := Decode(o.Encode()); !ok || !reflect.DeepEqual(again, o) {
			t.Errorf("%+v, want %+v", again, o)
		}
	})
}

func TestReadResults(t *testing.T) {
	var text []byte
	var want []Result
	for _, errno := range []uint64{0, 9, 10, 38, 133} {
		want = append(want, Result{StepFiles, errno}, Result{StepProgram, errno})
	}
	for _, r := range want {
		text = append(text, encodeResult(r)...)
	}
	if got := ReadResults(text); !reflect.DeepEqual(got, want) {
		t.Errorf("%q is %v, want %v", text, got, want)
	}
}
