package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/cmd/penstock/internal/graphs"
	"github.com/penstock-db/penstock/internal/long"
)

// hostileLoad is a file, or files, that try to make a load take more memory than it was given.
type hostileLoad struct {
	name   string
	files  map[string]func(io.Writer) error
	args   []string
	memory int64  // --memory
	want   string // in the error, behind the name of the file; empty: it is loaded
	long   bool   // takes more than a few seconds
}

// repeatedly is a file of some text and then a text that is repeated.
func repeatedly(head, repeated string, times int) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		some := min(times, max(1, 1<<20/max(1, len(repeated))))
		block := strings.Repeat(repeated, some)
		for ; times > 0; times -= some {
			if _, err := io.WriteString(w, block[:min(some, times)*len(repeated)]); err != nil {
				return err
			}
		}
		return nil
	}
}

// rowsOf is a file whose lines differ.
func rowsOf(head string, count int, line func(i int) string) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		for i := range count {
			if _, err := io.WriteString(w, line(i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// bomb is an archive of a head and then so many times 64 MiB of one byte: members or frames
// may follow one another, so that packing takes no longer than that of one.
func bomb(pack func(io.Writer) (io.WriteCloser, error), head string, fill byte, times int) func(io.Writer) error {
	member := func(content []byte) ([]byte, error) {
		var packed bytes.Buffer
		w, err := pack(&packed)
		if err != nil {
			return nil, err
		}
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
		return packed.Bytes(), err
	}
	return func(w io.Writer) error {
		first, err := member([]byte(head))
		if err != nil {
			return err
		}
		again, err := member(bytes.Repeat([]byte{fill}, 64<<20))
		if err != nil {
			return err
		}
		if _, err := w.Write(first); err != nil {
			return err
		}
		for range times {
			if _, err := w.Write(again); err != nil {
				return err
			}
		}
		return nil
	}
}

func gz(w io.Writer) (io.WriteCloser, error)  { return gzip.NewWriter(w), nil }
func zst(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

// longTexts is a Parquet file of so many nodes, all with the same long text, which stands once in it.
func longTexts(nodes, length int) func(io.Writer) error {
	type node struct {
		ID   int64  `parquet:"id"`
		Text string `parquet:"text,dict,zstd"`
	}
	return func(w io.Writer) error {
		out := parquet.NewGenericWriter[node](w)
		text := strings.Repeat("x", length)
		for i := range nodes {
			if _, err := out.Write([]node{{int64(i), text}}); err != nil {
				return err
			}
		}
		return out.Close()
	}
}

// longFooter is a Parquet file that describes so many row groups of nothing.
func longFooter(groups int) func(io.Writer) error {
	return func(w io.Writer) error {
		footer := binary.AppendUvarint([]byte{0x49, 0xfc}, uint64(groups)) // field 4: a list of structures
		footer = append(append(footer, make([]byte, groups)...), 0)
		tail := append(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), "PAR1"...)
		_, err := w.Write(slices.Concat([]byte("PAR1"), footer, tail))
		return err
	}
}

// bytesOf is a file of these bytes.
func bytesOf(content ...byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

const mebi = 1 << 20

var hostileLoads = []hostileLoad{
	{name: "dimacs count", files: one("g.gr", repeatedly("p sp 4000000000 0\n", "", 0)), want: ":1: "},
	{name: "mtx count", files: one(
		"g.mtx", repeatedly("%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 0\n", "", 0)),
		want: ":2: "},
	{name: "metis count", files: one("g.graph", repeatedly("4000000000 0\n", "\n", 1000)),
		want: ":1001: the end before the list of vertex"},
	{name: "webgraph count", files: one("g.graph-txt", repeatedly("4000000000\n", "", 0)), want: ":1: "},
	{name: "edgelist gz of zeros", files: one("g.txt.gz", bomb(gz, "1 2\n", 0, 160)), want: ":2: a line of more than"},
	{name: "edgelist zst of zeros", files: one("g.txt.zst", bomb(zst, "1 2\n", 0, 160)), want: ":2: a line of more than"},
	{name: "edgelist gz of one line", files: one("g.txt.gz", bomb(gz, "", 'a', 160)), want: ":1: a line of more than"},
	{name: "csv field", files: one("g.csv.gz", bomb(gz, "source,target,note\n1,2,", 'a', 80)),
		want: ":2: a line of more than"},
	{long: true, name: "csv quoted field of lines", files: one("g.csv",
		repeatedly("source,target,note\n1,2,\"", "aaaaaaa\n", 40*mebi)), want: ":2"},
	{name: "csv header of commas", files: one("g.csv.gz", bomb(gz, "source,target,", ',', 80)),
		args: []string{"--format", "csv"}, want: ":1"},
	{name: "csv row of commas", files: one("g.csv", repeatedly("source,target,note\n1,2", ",", 3*mebi)), want: ":2"},
	{name: "csv empty columns", files: one("g.csv", repeatedly("source,target", ",x", 2*mebi)),
		args: []string{"--format", "csv"}, want: ":1"},
	{name: "edgelist columns", files: one("g.txt", repeatedly("1 2", " 3", mebi)), want: ":1"},
	{name: "graphalytics columns", files: map[string]func(io.Writer) error{
		"g.v": repeatedly("1", " 3", mebi), "g.e": repeatedly("1 1\n", "", 0),
	}, want: ":1"},
	{name: "adjacency id again and again", files: one("g.adj", repeatedly("a"+strings.Repeat("b", 60000), " 1", 500_000)),
		want: ""},
	{name: "adjacency long id", files: one("g.adj", repeatedly("a"+strings.Repeat("b", 2*mebi), " 1", 10_000)),
		want: ":1"},
	{long: true, name: "edgelist long ids", files: one("g.txt", rowsOf("", 20_000, func(i int) string {
		return fmt.Sprintf("a%0100000d b%d\n", i, i)
	})), want: ":1"},
	{long: true, name: "edgelist ids beyond memory", files: one("g.txt", rowsOf("", 20_000, func(i int) string {
		return fmt.Sprintf("a%010000d b%d\n", i, i)
	})), want: "what has been read so far"},
	{name: "ratings ids beyond memory", files: one("g.dat", rowsOf("", 2_000_000, func(i int) string {
		return fmt.Sprintf("%d::%d::1\n", i*7919, i%1000)
	})), want: "ids of User of more than 16777216 bytes"},
	{name: "ratings ids within memory", files: one("g.dat", rowsOf("", 1_000_000, func(i int) string {
		return fmt.Sprintf("%d::%d::1\n", i*7919%150_001, i%1000)
	})), memory: 90 * mebi},
	{name: "libsvm line of features", files: one("g.svm", rowsOf("1", 2_000_000, func(i int) string {
		return fmt.Sprintf(" %d:1", i+1)
	})), want: ":1: a line of more than"},
	{name: "bag of words count", files: one("docword.txt", repeatedly("4000000000\n4000000000\n4000000000\n1 1 1\n", "", 0)),
		want: ":4: the end after 1 entries"},
	{name: "csv types", files: one("g.csv", rowsOf(":START_ID,:END_ID,:TYPE\n", 200_000, func(i int) string {
		return fmt.Sprintf("1,2,T%01000d\n", i)
	})), want: "what has been read so far"},
	{name: "csv labels", files: one("g.csv", rowsOf(":ID,:LABEL\n", 200_000, func(i int) string {
		return fmt.Sprintf("%d,L%01000d\n", i, i)
	})), want: "what has been read so far"},
	{long: true, name: "csv property of 20 MB", files: one("g.csv", rowsOf("source,target,note\n", 20, func(i int) string {
		return fmt.Sprintf("%d,2,%s\n", i, strings.Repeat("x", 20_000_000))
	})), want: ":2: a line of more than"},
	{long: true, name: "csv skewed properties", files: one("g.csv", rowsOf(":ID,note\n", 200_000, func(i int) string {
		if i%1000 == 0 {
			return fmt.Sprintf("%d,%s\n", i, strings.Repeat("x", 1_000_000))
		}
		return fmt.Sprintf("%d,x\n", i)
	})), want: "of memory are too little"},
	{long: true, name: "csv skewed edge properties", files: one("g.csv",
		rowsOf("source,target,note\n", 200_000, func(i int) string {
			if i%1000 == 0 {
				return fmt.Sprintf("1,%d,%s\n", i, strings.Repeat("x", 1_000_000))
			}
			return fmt.Sprintf("2,%d,x\n", i)
		})), want: "of memory are too little"},
	{name: "zstd window of 2 GiB", files: one("g.txt.zst",
		bytesOf(0x28, 0xb5, 0x2f, 0xfd, 0, 21<<3, 4<<3|1, 0, 0, '1', ' ', '2', '\n')), want: "zstd window"},
	{long: true, name: "csv properties of one block",
		files: one("g.csv", rowsOf(":ID,note\n", 655_360, func(i int) string {
			if i < 65_536 {
				return fmt.Sprintf("%d,%s\n", i, strings.Repeat("x", 1000))
			}
			return fmt.Sprintf("%d,\n", i)
		})), memory: 160 * mebi, want: "a block of 65536 rows of node properties"},
	{long: true, name: "csv properties of one chunk",
		files: one("g.csv", rowsOf("source,target,note\n", 1_000_000, func(i int) string {
			if i%65_536 == 0 {
				return fmt.Sprintf("1,%d,%s\n", i%1000, strings.Repeat("x", 2_000_000))
			}
			return fmt.Sprintf("%d,%d,x\n", i%100_000, i%1000)
		})), memory: 160 * mebi, want: "a chunk of edges with their properties"},
	{name: "csv list", files: one("g.csv", repeatedly(":ID,list:string[]\n1,x", ";x", 1_900_000))},
	{long: true, name: "parquet dictionary", files: one("g.parquet", longTexts(20_000, 100_000)), want: "of memory are too little"},
	{name: "parquet statistics", files: one("g.parquet", longTexts(10, 6_000_000)),
		want: "its description takes more memory than it may"},
	{name: "parquet footer", files: one("g.parquet", longFooter(100*mebi)), want: "takes more memory than it may"},
	{long: true, name: "edgelist gz of blank lines", files: one("g.txt.gz", bomb(gz, "1 2\n", '\n', 8))},
	{name: "honest edges", files: one("g.txt", rowsOf("", 3_000_000, func(i int) string {
		return strconv.Itoa(i*7919%300_000) + " " + strconv.Itoa(i*104729%300_000) + "\n"
	}))},
	{long: true, name: "honest edges, packed, weighted",
		files: one("g.txt.gz", packed(rowsOf("", 1_000_000, func(i int) string {
			return fmt.Sprintf("%d %d %d.5\n", i*7919%100_000, i*104729%100_000, i)
		})))},
	{name: "honest vertices", files: one("g.gr", repeatedly("p sp 600000 0\n", "", 0)), memory: 80 * mebi},
	{name: "honest names and properties", files: map[string]func(io.Writer) error{
		"nodes.csv": rowsOf(":ID,name,:LABEL\n", 100_000,
			func(i int) string { return fmt.Sprintf("n%d,%s,A;B\n", i, strings.Repeat("y", i%200)) }),
		"edges.csv": rowsOf(":START_ID,:END_ID,:TYPE,note\n", 300_000, func(i int) string {
			return fmt.Sprintf("n%d,n%d,T%d,%s\n", i*7919%100_000, i*104729%100_000, i%3, strings.Repeat("z", i%100))
		}),
	}, memory: 96 * mebi},
}

func one(name string, write func(io.Writer) error) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{name: write}
}

// packed is gzip of a file.
func packed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		archive := gzip.NewWriter(w)
		return errors.Join(write(archive), archive.Close())
	}
}

// A load of whatever file takes no more than --memory and what the documents name for the
// program, and ends well or with an error that names the place. A short test draws some of the files.
// PENSTOCK_LONG_LOADS=1 takes those too that need more than a few seconds.
func TestLoad_KeepsToItsMemory(t *testing.T) {
	if race {
		t.Skip("the race detector takes several times the memory: run it without -race, as .ci/run does")
	}
	all := os.Getenv("PENSTOCK_LONG_LOADS") != ""
	loads := slices.DeleteFunc(slices.Clone(hostileLoads), func(c hostileLoad) bool { return c.long && !all })
	if !all {
		loads = long.Draw(t, loads, 6)
	}
	for _, c := range loads {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"load", "--db", filepath.Join(dir, "db"), "g"}
			for name, write := range c.files {
				args = append(args, filepath.Join(dir, name))
				check(t, writeFile(filepath.Join(dir, name), write))
			}
			memory := c.memory
			if memory == 0 {
				memory = 64 * mebi
			}
			peak, out, err := peakOf("penstock", append(append(args, c.args...), "--memory", strconv.FormatInt(memory, 10))...)
			told := out[:min(len(out), 300)]
			t.Logf("%d MiB at most, of %d for the load and %d for the program: %s", peak/mebi, memory/mebi,
				graphs.ProgramMemory/mebi, told)
			if peak > memory+graphs.ProgramMemory {
				t.Errorf("it took %d MiB, more than %d", peak/mebi, (memory+graphs.ProgramMemory)/mebi)
			}
			if (err == nil) != (c.want == "") || !strings.Contains(string(out), c.want) || len(out) > 1000 {
				t.Errorf("%v: %s\nwant %q", err, told, c.want)
			}
		})
	}
}

// peakOf is the most memory of its own that a program has had at a time: without the pages of
// files, its code and what of the database is mapped, which the system takes back when it
// needs them.
func peakOf(program string, args ...string) (peak int64, out []byte, err error) {
	var told bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &told, &told
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return peak, told.Bytes(), err
		case <-time.After(2 * time.Millisecond):
			peak = max(peak, resident(cmd.Process.Pid, "RssAnon:"))
		}
	}
}

// resident is what a process has of a kind of memory, in bytes: "RssAnon:" is its own, "RssShmem:" what it shares; 0:
// it has ended.
func resident(pid int, kind string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(status), kind)
	kibi, _ := strconv.ParseInt(strings.Fields(after + " 0")[0], 10, 64)
	return kibi << 10
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, mebi)
	return errors.Join(write(buffered), buffered.Flush(), file.Close())
}
