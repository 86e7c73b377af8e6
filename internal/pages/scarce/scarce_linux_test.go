package scarce

import (
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Limits of a group and of all that contain it count, in both versions.
func TestLimitFiles(t *testing.T) {
	files := limitFiles("9:memory:/user/me\n3:cpu,cpuacct:/cpus\n0::/slice/a.scope\n")
	for _, want := range []string{
		"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/slice/memory.max", "/sys/fs/cgroup/slice/a.scope/memory.max",
		"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/user/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/user/me/memory.limit_in_bytes",
	} {
		if !slices.Contains(files, want) {
			t.Errorf("%s is not among %v", want, files)
		}
	}
	if len(files) != 6 {
		t.Error(files)
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		base uint64
		want uint64
		ok   bool
	}{
		{"83886080\n", 10, 80 << 20, true}, {"7f0e1c021000", 16, 0x7f0e1c021000, true}, {"0", 10, 0, true},
		{"18446744073709551615", 10, math.MaxUint64, true}, {"18446744073709551616", 10, 0, false},
		{"max\n", 10, 0, false}, {"", 10, 0, false}, {"\n", 10, 0, false}, {"12g", 16, 0, false}, {"-1", 10, 0, false},
	} {
		if n, ok := number(c.text, c.base); ok != c.ok || ok && n != c.want {
			t.Errorf("%q: %d, %v", c.text, n, ok)
		}
	}
}

// The program is all that is mapped of the file at an address, whatever lies between.
func TestProgram(t *testing.T) {
	const maps = "00400000-00402000 r--p 00000000 fe:00 12 /a program\n" +
		"00402000-01ada000 r-xp 00002000 fe:00 12 /a program\n" +
		"01ada000-0357c000 r--p 016da000 fe:00 12 /a program\n" +
		"05000000-06000000 rw-p 00000000 00:00 0 [heap]\n" +
		"7f0000000000-7f0000001000 r-xp 00000000 fe:00 13 /lib/other\n" +
		"7f0000002000-7f0000003000 r-xp 00000000 fe:01 12 /of another disk\n"
	want := []part{{0x400000, 0x402000, false, "fe:00 12"}, {0x402000, 0x1ada000, true, "fe:00 12"},
		{0x1ada000, 0x357c000, false, "fe:00 12"}}
	if got := program(maps, 0x1ada008); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := program(maps, 0x5000008); got != nil {
		t.Errorf("of memory of no file: %+v", got)
	}
}

// No mapping of code is larger than a piece, and of none is anything read but what is touched.
func TestCutProgram(t *testing.T) {
	n := cutProgram()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	var code, data, flagged int
	var p part
	own := program(onlyMaps(string(smaps)), here())
	for line := range strings.Lines(string(smaps)) {
		if next, ok := parse(line); ok {
			p = next
		} else if strings.Contains(line, "-") { // of no file
			p = part{}
		}
		flags, ok := strings.CutPrefix(line, "VmFlags:")
		if !ok || !slices.Contains(own, p) {
			continue
		}
		if flagged++; !slices.Contains(strings.Fields(flags), "rr") {
			t.Errorf("%+v is read with what is around it: %s", p, flags)
		}
		if !p.code {
			data++
			continue
		}
		if code++; p.to-p.from > Piece {
			t.Errorf("%d bytes of code can be read at once", p.to-p.from)
		}
	}
	if flagged == 0 {
		t.Skip("this system tells no flags of mappings")
	}
	if code != n || code < 2 || data == 0 {
		t.Errorf("%d pieces of code were said to be made; %d are there, and %d of data", n, code, data)
	}
}

// onlyMaps are the lines of /proc/self/smaps that /proc/self/maps has too.
func onlyMaps(smaps string) string {
	var lines []string
	for line := range strings.Lines(smaps) {
		if _, ok := parse(line); ok {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
