package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A group shows its help, and runs what is below it.
func TestBuild_Group(t *testing.T) {
	for args, want := range map[string]string{"group": "Have others", "group do": `"text"`} {
		group := Group[*Program]{Help: &cobra.Command{Use: "group", Short: "Have others"},
			Below: []Command[*Program]{prints{}}}
		var out, said bytes.Buffer
		p := New(strings.NewReader(""), &out, &said)
		root := &cobra.Command{Use: "p"}
		p.Prepare(root)
		root.AddCommand(Build[*Program](p, group))
		if status := p.Execute(t.Context(), root, strings.Fields(args)); status != ExitDone ||
			!strings.Contains(out.String(), want) {
			t.Errorf("%s: status %d, %q", args, status, &out)
		}
	}
}

func TestAssignments(t *testing.T) {
	values, err := Assignments("--param", []string{"a=1", "b=x=y", "c="})
	if err != nil || len(values) != 3 || values["a"] != "1" || values["b"] != "x=y" || values["c"] != "" {
		t.Error(values, err)
	}
	for _, wrong := range [][]string{{"a"}, {"=1"}, {"a=1", "a=2"}} {
		if _, err := Assignments("--param", wrong); ExitStatus(err) != ExitUsage {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

func TestSizes(t *testing.T) {
	var got []uint64
	for _, text := range []string{"64MiB", "2GB", "1048576", "0"} {
		var s Size
		if err := s.Set(text); err != nil {
			t.Error(err)
		}
		got = append(got, uint64(s))
	}
	if want := []uint64{64 << 20, 2e9, 1 << 20, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	var b Bandwidth
	if err := b.Set("12GB/s"); err != nil || b.Size != 12e9 {
		t.Error(b, err)
	}
	for _, wrong := range []string{"0", "fast", ""} {
		if b.Set(wrong) == nil {
			t.Errorf("%q is a bandwidth", wrong)
		}
	}
}
