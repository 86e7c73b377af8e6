package store

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain runs a child process (see child), or the tests. It lets rapid try fewer cases than its default of 100, for
// each is a load that waits for the disk; -rapid.checks overrides that.
func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		os.Exit(child(what))
	}
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", "40"); err != nil {
			panic(err)
		}
	}
	// These tests open hundreds of databases that keep little; collecting was a quarter of their time.
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
