package measure

import (
	"os/exec"
	"testing"
	"time"
)

// TestProcessors counts a child while it lives and after it has ended, once.
func TestProcessors(t *testing.T) {
	const least = 50 * time.Millisecond
	before := Processors()
	child := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo; read line")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	living := Processors() - before
	if living < least {
		t.Errorf("%v while the child lives, of a loop that takes longer", living)
	}
	in.Close()
	if err := child.Wait(); err == nil {
		t.Error("a read of nothing succeeded")
	}
	if ended := Processors() - before; ended < living || ended > 2*living {
		t.Errorf("%v when it has ended, after %v", ended, living)
	}
}
