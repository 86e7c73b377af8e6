package measure

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// busy is the load average before a series from which on its ratios mean little.
const busy = 1

// Setting is on what, how and by which command was measured.
type Setting struct {
	Machine    string `json:"machine"`
	Go         string `json:"go"`
	Command    string `json:"command"`
	Threads    int    `json:"threads"`
	Runs       int    `json:"runs"`
	LoadBefore string `json:"load_average_before"`
	LoadAfter  string `json:"load_average_after"`
}

func NewSetting(o Options) Setting {
	return Setting{
		Machine: machine(), Go: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Command: o.Command, Threads: o.Threads, Runs: o.Runs, LoadBefore: LoadAverage(),
	}
}

func (s Setting) Preamble(b *strings.Builder) {
	fmt.Fprintf(b, "`%s`\n\n%s, %s, %d threads, %d rounds at most; load average %s before, %s after.\n",
		s.Command, s.Machine, s.Go, s.Threads, s.Runs, s.LoadBefore, s.LoadAfter)
	if load, err := strconv.ParseFloat(s.LoadBefore, 64); err == nil && load > busy {
		b.WriteString(
			"Other work was running, which programs that wait at barriers (OpenMP) suffer from the most: take no ratio from this.\n")
	}
}

// LoadAverage tells of other work on the machine; Linux only.
func LoadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

// machine is the processor's name; Linux only.
func machine() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
