package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/long"
)

// killedTraining is one that is killed again and again, and gone on with.
type killedTraining struct {
	t    *testing.T
	r    *rand.Rand
	db   string
	args []string
	took time.Duration // without kills
}

func (k *killedTraining) command(args ...string) *exec.Cmd {
	return exec.Command("penstock", append([]string{args[0], "--db", k.db}, args[1:]...)...)
}

// say runs a command that must do.
func (k *killedTraining) say(args ...string) string {
	k.t.Helper()
	out, err := k.command(args...).CombinedOutput()
	if err != nil {
		k.t.Fatalf("penstock %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (k *killedTraining) learn(save string) *exec.Cmd {
	return k.command(append([]string{"train", "mf", "--graph", "made", "--save", save, "--resume", "--checkpoint-every", "1ns"},
		k.args...)...)
}

// rows is what a model says of all vertices, and its error.
func (k *killedTraining) rows(model string) string {
	out := filepath.Join(k.t.TempDir(), "rows.csv")
	k.say("predict", "--graph", "made", model, "--embedding", "--out", out)
	text, err := os.ReadFile(out)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(text)
}

// kill has a training end by kill -9 of the program, or of its device, at some moment; it may come too late. It says
// what the training has said and how it ended.
func (k *killedTraining) kill(save string) (said string, device bool, err error) {
	cmd := k.learn(save)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(time.Duration(k.r.Int64N(int64(k.took))))
	if device = k.r.IntN(2) == 0; device {
		for _, pid := range childrenOf(cmd.Process.Pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	} else {
		_ = cmd.Process.Kill()
	}
	err = cmd.Wait()
	return out.String(), device, err
}

var resumedAfter = regexp.MustCompile(`resumed after [0-9]+`)

// A training whose program or device is killed at any moment, and that is begun again with --resume, ends with the same
// bits as one that nobody has killed: until then there is no model, and an error that says why.
func TestTrain_KilledAtAnyMoment(t *testing.T) {
	kills := 6
	if long.Tests() {
		kills = 100
	}
	if n, err := strconv.Atoi(os.Getenv("PENSTOCK_KILLS")); err == nil {
		kills = n
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	k := &killedTraining{t: t, r: rand.New(rand.NewPCG(seed, 0)), db: filepath.Join(t.TempDir(), "db"),
		args: []string{"--rank", "4", "--workers", "3", "--epochs", "40", "--batch", "1000", "--link-latency", "500us"}}
	k.say("generate", "made", "--kind", "ratings", "--users", "1000", "--items", "200", "--ratings", "20000")
	began := time.Now()
	if out, err := k.learn("whole").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	k.took = time.Since(began)
	want, killed, devices, resumed, ended := k.rows("whole"), 0, 0, 0, 0
	for n := 0; killed < kills; n++ {
		model := fmt.Sprintf("killed%d", ended)
		said, device, err := k.kill(model)
		stored := strings.Contains(k.say("models"), model)
		switch {
		case err == nil && !stored:
			t.Fatalf("it ended well, and there is no model: %s", said)
		case stored && k.rows(model) != want:
			t.Fatalf("model %s is another than of a training that nobody has killed; it said %s", model, said)
		case device && err != nil && !strings.Contains(said, "penstock: train mf on graph made: "):
			t.Fatalf("the device was killed, and it said %s", said)
		}
		if resumedAfter.MatchString(said) {
			resumed++
		}
		if device && strings.Contains(said, "the device is started again") {
			devices++
		}
		if err != nil || strings.Contains(said, "the device is started again") {
			killed++
		}
		if stored {
			ended++
		}
	}
	out, err := k.learn("last").CombinedOutput()
	if err != nil || k.rows("last") != want {
		t.Fatalf("%v: another model than of a training that nobody has killed: %s", err, out)
	}
	k.say("verify")
	t.Logf("%d kills, %d of them of a device that was started again; %d trainings went on from a checkpoint, %d ended", killed,
		devices, resumed, ended)
	if long.Tests() && (resumed == 0 || devices == 0) {
		t.Error("none of the kills tried anything")
	}
}
