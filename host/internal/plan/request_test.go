package plan

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
)

func TestRequest_WithDefaults(t *testing.T) {
	got, err := Request{Algorithm: "bfs"}.WithDefaults()
	if err != nil || got.Device != "auto" || got.Schedule != "auto" || got.Timeout != time.Minute ||
		got.CheckpointEvery != 10*time.Second {
		t.Errorf("%+v, %v", got, err)
	}
	given := Request{Algorithm: "bfs", Device: "cpu", Schedule: "whole", Timeout: 1, CheckpointEvery: 2,
		Threads: MaxThreads}
	if got, err := given.WithDefaults(); err != nil || got.Device != "cpu" || got.Schedule != "whole" ||
		got.Timeout != 1 || got.CheckpointEvery != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// requests are what contradicts itself, with what is said of it; empty: nothing.
var requests = []struct {
	name string
	req  Request
	says string
}{
	{"nothing", Request{}, "name an algorithm or give a program"},
	{"two", Request{Algorithm: "bfs", Program: &algorithms.Program{}}, "not both"},
	{"two others", Request{Custom: &algorithms.Custom{}, Program: &algorithms.Program{}}, "not both"},
	{"a custom one", Request{Custom: &algorithms.Custom{}}, ""},
	{"a program", Request{Program: &algorithms.Program{}}, ""},
	{"an empty device", Request{Algorithm: "bfs", Device: "cpu,"}, "a name is empty"},
	{"two devices", Request{Algorithm: "bfs", Device: "cpu,cpu"}, ""},
	{"time between checkpoints", Request{Algorithm: "bfs", CheckpointEvery: -1}, "negative"},
	{"resumed without a directory", Request{Algorithm: "bfs", Resume: true}, "directory"},
	{"resumed", Request{Algorithm: "bfs", Resume: true, CheckpointDir: "d"}, ""},
	{"fewer threads", Request{Algorithm: "bfs", Threads: -1}, "negative"},
	{"most threads", Request{Algorithm: "bfs", Threads: 1024}, ""},
	{"more threads", Request{Algorithm: "bfs", Threads: 1025}, "at most 1024"},
	{"timeout", Request{Algorithm: "bfs", Timeout: -1}, "timeout"},
	{"another without walls", Request{Algorithm: "bfs", Device: "cpu,a", Unconfined: []string{"a", "b"}}, `"b" is to run`},
	{"another of two", Request{Algorithm: "bfs", Device: "cpu+a", Unconfined: []string{"a", "cpu+a"}}, `"cpu+a" is to run`},
	{"core of one", Request{Algorithm: "bfs", Core: "degree"}, "only a run on a core and a rest"},
	{"core", Request{Algorithm: "bfs", Core: "degree", Device: "cpu+npu"}, ""},
	{"another core", Request{Algorithm: "bfs", Core: "degrees", Device: "cpu+npu"}, "degrees"},
	{"no rest", Request{Algorithm: "bfs", Device: "+npu"}, "write two with a plus sign"},
	{"no core", Request{Algorithm: "bfs", Device: "cpu+"}, "write two with a plus sign"},
	{"three", Request{Algorithm: "bfs", Device: "cpu+npu+npu"}, "a core and a rest are two"},
	{"a path with a plus sign", Request{Algorithm: "bfs", Device: "cpu+/opt/c++/npu"}, ""},
	{"a path", Request{Algorithm: "bfs", Device: "/opt/c++/npu"}, ""},
	{"sources twice", Request{Algorithm: "bfs", Sources: []string{"1"}, Params: map[string]string{"source": "1"}},
		"not both"},
}

func TestRequest_Contradictions(t *testing.T) {
	for _, c := range requests {
		_, err := c.req.WithDefaults()
		var refusal *RequestError
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v; expected %q", c.name, err, c.says)
		}
	}
}

func TestRequest_Several(t *testing.T) {
	for device, want := range map[string]bool{"cpu": false, "cpu,cpu": true, "cpu+npu": true, "/opt/c++/npu": false,
		"cpu,/c+": true} {
		if got := (Request{Device: device}).Several(); got != want {
			t.Errorf("%s: %v", device, got)
		}
	}
	if names, ok := SplitNames("cpu+npu"); !ok || names[0] != "cpu" || names[1] != "npu" {
		t.Errorf("%q, %v", names, ok)
	}
}

func TestRequest_Title(t *testing.T) {
	for want, r := range map[string]Request{
		"bfs":     {Algorithm: "bfs", Program: &algorithms.Program{Name: "x"}},
		"mine":    {Program: &algorithms.Program{Name: "mine"}},
		"program": {Program: &algorithms.Program{}},
	} {
		if got := r.Title(); got != want {
			t.Errorf("%q; expected %q", got, want)
		}
	}
	if got := (Request{}).Title(); got != "program" {
		t.Errorf("%q", got)
	}
}

func TestDevices_Check(t *testing.T) {
	for _, c := range []struct {
		devices Devices
		name    string
		says    string
	}{
		{Devices{}, "npu", ""},
		{Devices{}, "/bin/npu", ""},
		{Devices{ByName: true}, "npu", ""},
		{Devices{ByName: true}, "/bin/npu", "by its path; allowed here: cpu, auto, or an installed plugin"},
		{Devices{ByName: true, Names: []string{"a", "b"}}, "/bin/npu", "by its path; allowed here: a, b"},
		{Devices{Names: []string{"a"}}, "a", ""},
		{Devices{Names: []string{"a"}}, "b", "is not allowed here; allowed: a"},
		{Devices{Names: []string{"a"}}, "auto", "is not allowed here"},
		{Devices{Names: []string{"cpu"}}, "auto", ""},
		{Devices{Names: []string{"cpu"}}, "/cpu", "by its path"},
	} {
		err := c.devices.Check(c.name)
		var refusal *DeviceNotAllowedError
		if c.says == "" && err != nil || c.says != "" &&
			(!errors.As(err, &refusal) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v of %s: %v", c.devices, c.name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	inner := errors.New("no room")
	for want, err := range map[string]error{
		"over budget: x needs 1,000 bytes of device memory, the budget is 5 bytes; y":                    &BudgetError{What: "x", Need: 1000, Have: 5, Advice: "y"},
		"over budget: x needs at least 1,000 bytes of device memory, the budget is 5 bytes (no room); y": &BudgetError{What: "x", Need: 1000, Have: 5, Advice: "y", AtLeast: true, Err: inner},
		"schedule a is not for b: c; use schedule auto": &ScheduleError{"a",
			"b", "c", 0},
		"devices a cannot share b: c; name one device": &DevicesError{"a",
			"b", "c"},
	} {
		if err.Error() != want {
			t.Errorf("%s; expected %s", err, want)
		}
	}
	if !errors.Is(&BudgetError{Err: inner}, inner) {
		t.Error("what the device said is lost")
	}
}

// By what chunks are valued is a parameter of the schedule; what is no value, or of a schedule that has none, is
// refused.
func TestWithDefaults_ScaphValue(t *testing.T) {
	for _, c := range []struct{ schedule, value, want, refused string }{
		{"scaph", "", "scaph", ""}, {"scaph", ModelValue, "scaph:model=1", ""},
		{"scaph:alpha=0.4", ThresholdValue, "scaph:alpha=0.4,model=0", ""},
		{"", ModelValue, "", "scaph value model: only schedule scaph has values, and this is auto"},
		{"scaph", "share", "", `scaph value "share": there are model and threshold`},
		{"scaph:model=1", ModelValue, "", "give a scaph value, or the schedule's parameter model, not both"},
	} {
		r, err := Request{Algorithm: "wcc", Schedule: c.schedule, ScaphValue: c.value}.WithDefaults()
		if c.refused != "" {
			var refusal *RequestError
			if !errors.As(err, &refusal) || refusal.Reason != c.refused {
				t.Errorf("%q by %q: error %v", c.schedule, c.value, err)
			}
			continue
		}
		if again, err := r.WithDefaults(); err != nil || r.Schedule != c.want || again.Schedule != c.want {
			t.Errorf("%q by %q: %q, then %q, %v; expected %q", c.schedule, c.value, r.Schedule, again.Schedule, err, c.want)
		}
	}
}
