package testseed

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	name, log, fatal string
}

func (r *recorder) Helper()                         {}
func (r *recorder) Cleanup(func())                  {}
func (r *recorder) Name() string                    { return r.name }
func (r *recorder) Logf(format string, args ...any) { r.log += fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestNew(t *testing.T) {
	for _, seed := range []uint64{0, 7, 1<<64 - 1} {
		t.Setenv(variable, fmt.Sprint(seed))
		test := &recorder{}
		if got := New(test); got != seed || test.log != fmt.Sprintf("PENSTOCK_TEST_SEED=%d repeats this test", seed) {
			t.Errorf("%s=%d: %d, and says %q", variable, seed, got, test.log)
		}
	}
}

func TestNew_Unset(t *testing.T) {
	t.Setenv(variable, "")
	test := &recorder{}
	seed := New(test)
	if want := fmt.Sprintf("PENSTOCK_TEST_SEED=%d repeats this test", seed); test.log != want {
		t.Errorf("says %q, not %q", test.log, want)
	}
	if again := New(&recorder{}); again == seed {
		t.Errorf("draws %d twice", seed)
	}
}

func TestNew_Wrong(t *testing.T) {
	for _, wrong := range []string{"seven", "-1", "0x7", "18446744073709551616", " 7"} {
		t.Setenv(variable, wrong)
		test := &recorder{}
		done := make(chan struct{})
		go func() { // that Fatalf ends
			defer close(done)
			New(test)
		}()
		<-done
		if !strings.Contains(test.fatal, variable) || !strings.Contains(test.fatal, wrong) {
			t.Errorf("%s=%q is answered by %q", variable, wrong, test.fatal)
		}
	}
}

// The same test draws the same again, another one not, and neither does a second generator of one test.
func TestRand(t *testing.T) {
	t.Setenv(variable, "7")
	draw := func(test string) uint64 { return Rand(&recorder{name: test}).Uint64() }
	a, again, b := draw("a"), draw("a"), draw("b")
	if a != again || a == b {
		t.Errorf("a draws %d, then %d; b %d", a, again, b)
	}
	test := &recorder{name: "a"}
	if first, second := Rand(test).Uint64(), Rand(test).Uint64(); first != a || second == a {
		t.Errorf("one test draws %d, and by a second generator %d; another of its name %d", first, second, a)
	}
	t.Setenv(variable, "8")
	if draw("a") == a {
		t.Error("another seed draws the same")
	}
}

func TestSorted(t *testing.T) {
	var got []string
	for k, v := range Sorted(map[string]int{"c": 3, "a": 1, "d": 4, "b": 2}) {
		if got = append(got, fmt.Sprint(k, v)); k == "c" {
			break
		}
	}
	if want := []string{"a1", "b2", "c3"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
