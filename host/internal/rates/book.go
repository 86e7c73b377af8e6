package rates

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/internal/core"
)

// Book keeps the samples of all devices. Its methods may be called from several goroutines. Of several processes that
// use a file at once the last one's samples stay.
type Book struct {
	file string

	mu      sync.Mutex // protects the fields below
	pages   map[string]*page
	made    map[question]Forecast // since a run was of a new size or took quite another time, or the last few others
	added   int
	changed bool
	saved   time.Time
}

// page is what is known of a device.
type page struct {
	Lanes int                 `json:"lanes,omitempty"`
	Kinds map[string][]Sample `json:"kinds,omitempty"`
	// Spent is how many seconds all runs of a kind have taken, but for launches.
	Spent map[string]float64 `json:"spent,omitempty"`
	// Trials is how many seconds it took to measure the device, the last time; 0: it has not been.
	Trials float64 `json:"trials,omitempty"`
	// Refused says why the device cannot run programs of a kind.
	Refused map[string]string `json:"refused,omitempty"`
}

// version of the file. One of another version, or that cannot be read, is as good as none: everything in it can be
// measured again.
const version = 1

type contents struct {
	Version int              `json:"version"`
	Devices map[string]*page `json:"devices"`
}

// most is how many samples are kept of a device and kind, and how many forecasts.
const most = 64

// Open reads a file, if there is one.
func Open(file string) *Book {
	b := &Book{file: file, pages: map[string]*page{}, made: map[question]Forecast{}, saved: time.Now()}
	text, err := os.ReadFile(file)
	if err != nil {
		return b
	}
	var c contents
	if json.Unmarshal(text, &c) == nil && c.Version == version && c.Devices != nil {
		b.pages = c.Devices
	}
	return b
}

// page is that of a device, which is made where there is none.
func (b *Book) page(device string) *page {
	p := b.pages[device]
	if p == nil {
		p = &page{}
		b.pages[device] = p
	}
	if p.Kinds == nil {
		p.Kinds = map[string][]Sample{}
	}
	if p.Spent == nil {
		p.Spent = map[string]float64{}
	}
	if p.Refused == nil {
		p.Refused = map[string]string{}
	}
	return p
}

// Add takes in what a run took on a device that goes through so many sources at once.
func (b *Book) Add(device, kind string, lanes int, s Sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.page(device)
	p.Lanes, b.changed = lanes, true
	p.Spent[kind] += s.Load + s.Compute
	delete(p.Refused, kind)
	all := p.Kinds[kind]
	i := slices.IndexFunc(all, s.alike)
	news := i < 0 || all[i].unlike(s)
	if i >= 0 {
		s = all[i].mixed(s)
		all = slices.Delete(all, i, i+1)
	}
	if b.added++; news || b.added%lasts == 0 {
		clear(b.made)
	}
	all = append(all, s)
	p.Kinds[kind] = all[max(0, len(all)-most):]
}

// Spent is how many seconds runs of a kind have taken on the device so far.
func (b *Book) Spent(device, kind string) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.page(device).Spent[kind]
}

// Tried notes how many seconds it took to measure a device.
func (b *Book) Tried(device string, seconds float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.page(device).Trials, b.changed = seconds, true
}

// Trials is how many seconds it took to measure a device, the last time; 0: it has not been.
func (b *Book) Trials(device string) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.page(device).Trials
}

// Refuse notes that a device cannot run programs of this kind.
func (b *Book) Refuse(device, kind, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.page(device).Refused[kind] = why
	b.changed = true
}

// Refused says why a device cannot run programs of this kind; "" as far as is known it can.
func (b *Book) Refused(device, kind string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.page(device).Refused[kind]
}

// Knows tells whether a program of this kind has run on the device.
func (b *Book) Knows(device, kind string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.page(device).Kinds[kind]) > 0
}

// lasts is after how many runs that took about what was known forecasts are made anew: a choice must take no time.
const lasts = 16

// question is what a forecast is made for.
type question struct {
	device, kind string
	work         core.Work
}

// Forecast is what is expected of a device.
type Forecast struct {
	core.Rates
	Rounds float64 // that the program takes
	Bytes  uint64  // of the device's memory
}

// Forecast foretells what the device takes for work of about this size. There is none if a program of this kind has
// never run there.
func (b *Book) Forecast(device, kind string, w core.Work) (f Forecast, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.page(device)
	w.Sources, w.Rounds, w.Warm = min(max(1, w.Sources), uint64(max(1, p.Lanes))), 0, false
	asked := question{device, kind, w}
	if f, known = b.made[asked]; known {
		return f, true
	}
	all := p.Kinds[kind]
	if len(all) == 0 {
		return f, false
	}
	f = Forecast{Rates: core.Rates{Launch: launch(all), Load: load(all, w, false), Again: load(all, w, true),
		Lanes: uint32(p.Lanes)},
		Rounds: meanRounds(all, w), Bytes: bytes(all, w)}
	f.Step, f.Lane = steps(all, w)
	if len(b.made) == most {
		clear(b.made)
	}
	b.made[asked] = f
	return f, true
}

// bytes foretells what the work takes of the device's memory.
func bytes(all []Sample, w core.Work) uint64 {
	var rows []row
	for _, s := range all {
		rows = append(rows, row{bytesOf(s.Work), float64(max(1, s.Peak)), s.near(w)})
	}
	of := bytesOf(w)
	return uint64(dot(fit(rows, len(of)), of))
}

// bytesOf is what memory goes by: something anyhow, edges, cells and the state of each source.
func bytesOf(w core.Work) []float64 {
	return append(features(w, 1), float64(w.Sources)*float64(w.Vertices))
}

// launch is the last launches' mean.
func launch(all []Sample) float64 {
	sum, n := 0.0, 0.0
	for _, s := range all {
		if !s.Warm {
			sum, n = sum/2+s.Launch, n/2+1
		}
	}
	return sum / max(n, 1)
}

// load is what runs take beside launch and computing: on a warm device, or not; where there has been none of the one
// sort, those of the other tell.
func load(all []Sample, w core.Work, warm bool) core.Costs {
	var rows []row
	for _, s := range all {
		if s.Warm == warm {
			rows = append(rows, row{features(s.Work, 1), max(least, s.Load), s.near(w)})
		}
	}
	if len(rows) == 0 {
		return load(all, w, !warm)
	}
	return costs(fit(rows, 4))
}

// steps is what a round takes for the first source, and for each other that goes along.
func steps(all []Sample, w core.Work) (step, lane core.Costs) {
	var rows []row
	for _, s := range all {
		more := s.Rounds * float64(max(1, s.Sources)-1)
		rows = append(rows, row{append(features(s.Work, s.Rounds), features(s.Work, more)...), max(least, s.Compute),
			s.near(w)})
	}
	fitted := fit(rows, 8)
	return costs(fitted[:4]), costs(fitted[4:])
}

// meanRounds is how many rounds such work took, on average.
func meanRounds(all []Sample, w core.Work) float64 {
	sum, weight := 0.0, 0.0
	for _, s := range all {
		sum, weight = sum+s.near(w)*s.Rounds, weight+s.near(w)
	}
	return sum / weight
}

// Save writes the file, if there is something new; but no more than once in so long.
func (b *Book) Save(every time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.changed || time.Since(b.saved) < every {
		return nil
	}
	text, err := json.Marshal(contents{version, b.pages})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.file), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(b.file), ".rates-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), b.file)
	}
	if err == nil {
		b.changed, b.saved = false, time.Now()
	}
	return err
}
