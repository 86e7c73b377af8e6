package host

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/mega"
)

// Cluster is what workers of a MEGA program pretend to run on: they sleep for as long as it would keep them. The zero
// value pretends nothing.
type Cluster struct {
	Straggler     float64       // how many times as long one worker of each clock takes, drawn by the seed; up to 1: none
	LinkBandwidth uint64        // bytes a second of each worker's link; 0: any number
	LinkLatency   time.Duration // of what a worker sends, or pulls
}

// settings are what is pretended.
func (c *Cluster) settings() []Setting {
	return []Setting{
		{"straggler", "simulate that one worker of each clock, drawn by --seed, takes so many times as long", &c.Straggler},
		{"link-bandwidth", "simulate that workers are linked by so many bytes a second each", Bandwidth{&c.LinkBandwidth}},
		{"link-latency", "simulate that what workers send each other takes so long", &c.LinkLatency},
	}
}

// check says what is wrong with it; empty: nothing is.
func (c Cluster) check() string {
	switch {
	case !(c.Straggler >= 0 && c.Straggler <= mega.MaxStraggler):
		return fmt.Sprintf("a straggler %v times as slow: give at most %d", c.Straggler, mega.MaxStraggler)
	case c.LinkLatency < 0:
		return fmt.Sprintf("a latency of %v: give a time of at least 0", c.LinkLatency)
	}
	return ""
}

// tell has a device pretend it.
func (c Cluster) tell(args *algorithms.Args) {
	args.Floats["straggler"] = c.Straggler
	args.Ints["link_bandwidth"] = int64(min(c.LinkBandwidth, 1<<62))
	args.Ints["link_latency_nanos"] = c.LinkLatency.Nanoseconds()
}

// report is what was pretended; nil: nothing was.
func (c Cluster) report() *ClusterReport {
	if c.Straggler <= 1 && c.LinkBandwidth == 0 && c.LinkLatency == 0 {
		return nil
	}
	return &ClusterReport{c.Straggler, c.LinkBandwidth, c.LinkLatency.Seconds()}
}

// ClusterReport is a Cluster that was pretended.
type ClusterReport struct {
	Straggler   float64 `json:"straggler,omitempty"`
	Bandwidth   uint64  `json:"link_bandwidth,omitempty"`
	LinkLatency float64 `json:"link_latency_seconds,omitempty"`
}

// Bandwidth is bytes a second, as a text such as 100MB/s.
type Bandwidth struct{ Of *uint64 }

func (b Bandwidth) Set(text string) error {
	n, err := humanize.ParseBytes(strings.TrimSuffix(text, "/s"))
	if err != nil || n == 0 {
		return errors.New("write for example 100MB/s")
	}
	*b.Of = n
	return nil
}

func (b Bandwidth) String() string {
	if b.Of == nil || *b.Of == 0 {
		return ""
	}
	return humanize.Bytes(*b.Of) + "/s"
}

// Type is what it is to a command line.
func (Bandwidth) Type() string { return "bytes/s" }
