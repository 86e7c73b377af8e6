package launch

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/launch/processtest"
)

func ahead(t *testing.T) *Ahead {
	t.Helper()
	spec, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	a := Begin(spec)
	t.Cleanup(a.Close)
	return a
}

// Who asks for what was started ahead gets that process, once; who asks for another program never does.
func TestAhead_IsTakenOnce(t *testing.T) {
	processtest.Traceless(t)
	a := ahead(t)
	<-a.done
	other := a.spec
	other.Unconfined = "it is a test"
	for i, spec := range []Spec{other, a.spec, a.spec} {
		p, err := a.Start(context.Background(), spec, Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if taken := p == a.plugin; taken != (i == 1) || p.timeout != time.Minute {
			t.Errorf("start %d has what was started ahead: %v, %v", i, taken, p.timeout)
		}
		if _, err := p.Device.Describe(context.Background()); err != nil {
			t.Error(err)
		}
		if i > 0 {
			a.Close() // ends nothing that somebody has
		}
		if processtest.Gone(p.PID()) {
			t.Errorf("start %d has ended", i)
		}
		p.Kill()
	}
}

// What nobody has asked for ends with the one who has expected it, started or not.
func TestAhead_CloseEndsIt(t *testing.T) {
	processtest.Traceless(t)
	a := ahead(t)
	<-a.done
	a.Close()
	if !processtest.Gone(a.plugin.PID()) {
		t.Error("the process is there")
	}
	t.Setenv(behavior, "mute")
	ahead(t).Close()
	(*Ahead)(nil).Close()
}

// What could not be started ahead is started by who asks for it, within their time.
func TestAhead_StartsAgain(t *testing.T) {
	processtest.Traceless(t)
	t.Setenv(behavior, "leave")
	a := ahead(t)
	<-a.done
	t.Setenv(behavior, "")
	p, err := a.Start(context.Background(), a.spec, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()

	t.Setenv(behavior, "mute")
	a = ahead(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	wanted := errors.New("enough")
	cancel(wanted)
	if p, err := a.Start(ctx, a.spec, Options{}); p != nil || !errors.Is(err, wanted) {
		t.Errorf("%v, %v", p, err)
	}
}
