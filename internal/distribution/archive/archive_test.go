package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/penstock-db/penstock/internal/distribution/archive/archivetest"
	"github.com/penstock-db/penstock/internal/testseed"
)

func textFile(name, text string) File {
	return File{Name: name, Size: int64(len(text)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func written(t testing.TB, files ...File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, files[0], files[1:]); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read is what an archive has: names, modes and contents.
func read(packed []byte, limits Limits) (all []string, err error) {
	err = Read(context.Background(), bytes.NewReader(packed), limits, func(e Entry, r io.Reader) error {
		text, err := io.ReadAll(r)
		if err == nil && int64(len(text)) != e.Size {
			return fmt.Errorf("%s has %d bytes of %d", e.Name, len(text), e.Size)
		}
		all = append(all, fmt.Sprint(e.Name, " ", e.Executable, " ", string(text)))
		return err
	})
	return all, err
}

// However files are ordered, the same bytes come out, and what is read is what was written.
func TestWrite_SameBytes(t *testing.T) {
	rng := testseed.Rand(t)
	first := textFile("plugin.yaml", "the manifest")
	var others []File
	want := []string{"plugin.yaml false the manifest"}
	for i := range 40 {
		text := make([]byte, rng.IntN(70_000))
		for j := range text {
			text[j] = byte(rng.IntN(8))
		}
		f := textFile(fmt.Sprintf("%c/%0*d", 'a'+i/10, 1+i*4, i%10), string(text))
		f.Executable = rng.IntN(2) == 0
		others = append(others, f)
		want = append(want, fmt.Sprint(f.Name, " ", f.Executable, " ", string(text)))
	}
	once := written(t, append([]File{first}, others...)...)
	rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	if again := written(t, append([]File{first}, others...)...); !bytes.Equal(once, again) {
		t.Errorf("%d and %d bytes, or others", len(once), len(again))
	}
	got, err := read(once, DefaultLimits)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d files of %d, %v", len(got), len(want), err)
	}
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || g == w
		}
		if !found {
			t.Errorf("%.40s… is lost", w)
		}
	}
	if got[0] != want[0] {
		t.Errorf("the first one is %.40s", got[0])
	}
}

func TestWrite_Refuses(t *testing.T) {
	for _, name := range []string{"../x", "/x", "A", "a/b"} {
		var wrong *EntryError
		if err := Write(io.Discard, textFile("a", ""), []File{textFile(name, "")}); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, size := range []int64{1, 3} {
		f := textFile("x", "ab")
		f.Size = size
		if err := Write(io.Discard, f, nil); err == nil || !strings.Contains(err.Error(), "being changed") {
			t.Errorf("two bytes as %d: %v", size, err)
		}
	}
}

// compressed is a tar as it travels.
func compressed(t testing.TB, plain []byte, options ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, append([]zstd.EOption{zstd.WithWindowSize(Window)}, options...)...)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarred is a tar of entries, with nothing in them but zeros.
func tarred(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		err := w.WriteHeader(&h)
		if err == nil {
			_, err = w.Write(make([]byte, h.Size))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead_RefusesEntries(t *testing.T) {
	fine := tar.Header{Typeflag: tar.TypeReg, Name: "fine", Mode: 0o644}
	with := func(edit func(*tar.Header)) tar.Header {
		h := fine
		edit(&h)
		return h
	}
	named := func(name string) tar.Header { return with(func(h *tar.Header) { h.Name = name }) }
	kind := func(flag byte) tar.Header {
		return with(func(h *tar.Header) { h.Name, h.Typeflag, h.Linkname = "other", flag, "/etc/passwd" })
	}
	for says, h := range map[string]tar.Header{
		"absolute": named("/etc/passwd"), `part ".."`: named("../x"), `the part ".." `: named("a/../../x"),
		"plain path": named("./x"), `part ""`: named("a//b"), `"\\x"`: named(`a\x`), `":x"`: named("c:x"), `"\x01"`: named("a\x01"),
		"ASCII": named("ä"), "ends in a dot": named("a./b"), "more than 240": named(strings.Repeat("a", 241)),
		"more than 19 folders": named(strings.Repeat("a/", 20) + "a"),
		"two of that name":     named("FINE"), "is a file, and cannot": named("fine/x"),
		"hard link": kind(tar.TypeLink), "symbolic link": kind(tar.TypeSymlink), "a device": kind(tar.TypeChar), "device: only": kind(tar.TypeBlock),
		"folder by itself": with(func(h *tar.Header) { h.Name, h.Typeflag = "other/", tar.TypeDir }), "a pipe": kind(tar.TypeFifo),
		"unknown kind": with(func(h *tar.Header) { h.Name, h.Typeflag = "other", '9' }),
		"mode bits":    with(func(h *tar.Header) { h.Name, h.Mode = "other", 0o4755 }),
		"the attribute SCHILY.xattr.user.x": with(func(h *tar.Header) {
			h.Name, h.PAXRecords = "other", map[string]string{"SCHILY.xattr.user.x": "y"}
		}),
	} {
		var wrong *EntryError
		got, err := read(compressed(t, tarred(t, fine, h)), DefaultLimits)
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), strings.TrimSpace(says)) || len(got) != 1 {
			t.Errorf("%s: %v, after %q", says, err, got)
		}
	}
	var wrong *EntryError
	if _, err := read(compressed(t, tarred(t, named("a/b"), named("a"))), DefaultLimits); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "others lie below it") {
		t.Error(err)
	}
}

func TestRead_Limits(t *testing.T) {
	packed := written(t, textFile("a", strings.Repeat("x", 1000)), textFile("b", ""), textFile("c", ""))
	var most *LimitError
	if _, err := read(packed, Limits{Files: 2, Bytes: 1 << 20}); !errors.As(err, &most) || most.Limit != 2 {
		t.Error(err)
	}
	if _, err := read(packed, Limits{Files: 3, Bytes: 1 << 20}); err != nil {
		t.Error(err)
	}
	plain := int64(len(tarred(t, tar.Header{Name: "a", Size: 1000}, tar.Header{Name: "b"}, tar.Header{Name: "c"})))
	for bytes := range plain {
		if _, err := read(packed, Limits{Files: 3, Bytes: bytes}); !errors.As(err, &most) || most.Limit != bytes {
			t.Fatalf("%d bytes: %v", bytes, err)
		}
	}
	if _, err := read(packed, Limits{Files: 3, Bytes: plain}); err != nil {
		t.Error(err)
	}
}

// endless is a file that unpacks to much more than it has.
func endless(t *testing.T, size int64) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(Window))
	if err != nil {
		t.Fatal(err)
	}
	out := tar.NewWriter(w)
	err = out.WriteHeader(&tar.Header{Name: "a", Size: size})
	if err == nil {
		_, err = io.CopyN(out, zeros{}, size)
	}
	if err := errors.Join(err, out.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// What unpacks to more than the limit is given up there, and takes little memory until then.
func TestRead_Bomb(t *testing.T) {
	packed := endless(t, 128<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got int64
	limits := Limits{Files: 1, Bytes: 32 << 20}
	err := Read(context.Background(), bytes.NewReader(packed), limits, func(_ Entry, r io.Reader) error {
		n, err := io.Copy(io.Discard, r)
		got += n
		return err
	})
	runtime.ReadMemStats(&after)
	var most *LimitError
	if !errors.As(err, &most) || got > 32<<20 {
		t.Errorf("%d bytes, %v", got, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8*Window {
		t.Errorf("it has taken %d MiB for %d KiB", taken>>20, len(packed)>>10)
	}
	wide := compressed(t, make([]byte, 4*Window), zstd.WithWindowSize(4*Window))
	if _, err := read(wide, DefaultLimits); !errors.As(err, new(*FormatError)) {
		t.Errorf("a window of %d MiB: %v", 4*Window>>20, err)
	}
}

// What is cut off, or has anything after its end, is found out, wherever.
func TestRead_Damage(t *testing.T) {
	packed := written(t, textFile("a", strings.Repeat("some text\n", 50)), textFile("b", "more"))
	for n := range packed {
		if _, err := read(packed[:n], DefaultLimits); !errors.As(err, new(*FormatError)) {
			t.Fatalf("%d bytes of %d: %v", n, len(packed), err)
		}
	}
	for n := range packed {
		damaged := bytes.Clone(packed)
		damaged[n] ^= 0x10
		got, err := read(damaged, DefaultLimits)
		if err == nil && (n < 4 || fmt.Sprint(got) != "[a false "+strings.Repeat("some text\n", 50)+" b false more]") {
			t.Fatalf("a bit of byte %d: %.60q", n, got)
		}
	}
	plain := tarred(t, tar.Header{Name: "a"})
	for name, more := range map[string][]byte{"text": []byte("more"), "a second tar": plain} {
		for where, all := range map[string][]byte{"within": compressed(t, append(bytes.Clone(plain), more...)),
			"a frame": append(compressed(t, plain), compressed(t, more)...)} {
			if _, err := read(all, DefaultLimits); !errors.As(err, new(*FormatError)) {
				t.Errorf("%s, %s: %v", name, where, err)
			}
		}
	}
	if _, err := read(append(packed, "more"...), DefaultLimits); !errors.As(err, new(*FormatError)) {
		t.Errorf("something after the end: %v", err)
	}
}

func TestRead_PassesErrorsOn(t *testing.T) {
	packed := written(t, textFile("a", strings.Repeat("x", 1<<20)), textFile("b", ""))
	fault := errors.New("fault")
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	reading := func(r io.Reader, answer error) error {
		return Read(ctx, r, DefaultLimits, func(Entry, io.Reader) error { seen++; return answer })
	}
	if err := reading(bytes.NewReader(packed), fault); !errors.Is(err, fault) || seen != 1 {
		t.Error(seen, err)
	}
	if err := reading(bytes.NewReader(packed), ErrStop); err != nil || seen != 2 {
		t.Error(seen, err)
	}
	disk := io.MultiReader(bytes.NewReader(packed[:40]), faulty{fault})
	if err := reading(disk, nil); !errors.Is(err, fault) {
		t.Error(err)
	}
	cancel()
	if err := reading(bytes.NewReader(packed), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type faulty struct{ err error }

func (f faulty) Read([]byte) (int, error) { return 0, f.err }

// typed fails unless an error is one that Read may have.
func typed(t *testing.T, err error) {
	t.Helper()
	known := errors.As(err, new(*EntryError)) || errors.As(err, new(*LimitError)) || errors.As(err, new(*FormatError))
	if err != nil && !known {
		t.Errorf("error %T: %v", err, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, textFile("plugin.yaml", "x"), textFile("a/b", "y")))
	f.Fuzz(func(t *testing.T, packed []byte) {
		_, err := read(packed, Limits{Files: 50, Bytes: 1 << 20})
		typed(t, err)
	})
}

// FuzzTar is FuzzRead behind the compression, which few mutations would pass.
func FuzzTar(f *testing.F) {
	f.Add(tarred(f, tar.Header{Name: "a", Size: 3}, tar.Header{Name: strings.Repeat("b", 200), Mode: 0o755, Size: 1000}))
	f.Add(tarred(f, tar.Header{Typeflag: tar.TypeSymlink, Name: "a", Linkname: "/etc"}, tar.Header{Name: "a/b"}))
	f.Fuzz(func(t *testing.T, plain []byte) {
		got, err := read(archivetest.Stored(plain), Limits{Files: 50, Bytes: 1 << 20})
		typed(t, err)
		for _, line := range got {
			name, _, _ := strings.Cut(line, " ")
			if CheckName(name) != nil {
				t.Errorf("accepted %q", name)
			}
		}
	})
}
