package plugintest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/plugins"
)

// some is the reference device that runs the programs that it lists alone.
type some struct {
	plugins.Device
	programs []string
}

func (d some) Describe(ctx context.Context) (plugins.Description, error) {
	described, err := d.Device.Describe(ctx)
	described.Programs = d.programs
	return described, err
}

func (d some) Open(ctx context.Context, job plugins.Job) (plugins.Session, error) {
	s, err := d.Device.Open(ctx, job)
	return someSession{s, d.programs}, err
}

type someSession struct {
	plugins.Session
	programs []string
}

func (s someSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	if task.Program != nil && !slices.Contains(s.programs, task.Program.Name) {
		return plugins.Plan{}, plugins.Errorf(plugins.KindUnsupported, "program %q is not one of %q", task.Program.Name,
			s.programs)
	}
	return s.Session.Compile(ctx, task)
}

// A device that runs some programs of the catalog alone passes the suite, if it says so.
func TestRun_SomePrograms(t *testing.T) {
	Run(t, func(*testing.T) plugins.Device { return some{reference.New(), []string{"bfs", "sssp"}} })
}

// The suite wants what a device lists, and a refusal of all else.
func TestListed(t *testing.T) {
	for _, a := range algorithms.All() {
		all := listed(plugins.Description{}, a)
		bfs := listed(plugins.Description{Programs: []string{"bfs"}, Procedures: []string{"lcc"}}, a)
		if all != (a.Procedure == nil) || bfs != (a.Name == "bfs" || a.Name == "lcc") {
			t.Errorf("%s: of a device that lists nothing %v, of one that lists bfs and lcc %v", a.Name, all, bfs)
		}
	}
}

func TestUnlisted(t *testing.T) {
	if err := unlisted(plugins.Errorf(plugins.KindUnsupported, "no")); err != nil {
		t.Error(err)
	}
	for _, err := range []error{nil, errors.New("no"), plugins.Errorf(plugins.KindInvalid, "no")} {
		if unlisted(err) == nil {
			t.Errorf("%v counts as a refusal", err)
		}
	}
}

// What is expected is said of any ending.
func TestJudge_SaysWhatIsExpected(t *testing.T) {
	g := algorithms.NewGraph(true, []int64{1}, nil)
	bfs, err := algorithms.Lookup("bfs")
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("broken")
	for _, c := range []struct{ got, want error }{{failure, nil}, {nil, failure}, {failure, failure}} {
		err := judge(bfs, g, algorithms.Args{}, nil, c.got, nil, c.want)
		if err == nil || strings.Contains(err.Error(), "%!") || !errors.Is(err, failure) {
			t.Errorf("ended with %v, expected %v: %v", c.got, c.want, err)
		}
	}
}
