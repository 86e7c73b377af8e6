package cuda

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/network"
	"github.com/penstock-db/penstock/plugins/cuda/procedure"
	"github.com/penstock-db/penstock/plugins/internal/check"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Version of this device, as Describe tells it.
const Version = "0.1.0"

const deviceName = "cuda"

// Options choose a card, and how it is used.
type Options struct {
	Cards   []int // to choose from, by their numbers among those that the driver shows; empty: all
	Number  int   // of the device among those of a run, which take the cards in turn
	Managed bool  // chunks lie in unified memory, which the driver moves page by page: a baseline to compare with

	Products network.Products // what multiplies the matrices of networks
}

// New is a card as a device. It asks the driver nothing: Describe says what is wrong.
func New(options Options) plugins.Device { return &device{options: options} }

type device struct {
	options Options

	mu   sync.Mutex
	card *card.Card // nil: nobody has opened it yet
}

// open is the card, which stays open: a context takes long to make.
func (d *device) open() (*card.Card, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.card == nil {
		ordinal, err := d.options.card()
		if err != nil {
			return nil, fail(-1, plugins.KindLaunch, err)
		}
		c, err := card.Open(ordinal)
		if err != nil {
			return nil, fail(-1, plugins.KindLaunch, err)
		}
		d.card = c
	}
	return d.card, fail(-1, plugins.KindInternal, d.card.Fate())
}

// card is the one whose turn it is.
func (o Options) card() (int, error) {
	if len(o.Cards) > 0 {
		return o.Cards[o.Number%len(o.Cards)], nil
	}
	all, err := driver.Cards()
	return o.Number % max(1, len(all)), err
}

func (d *device) Describe(context.Context) (plugins.Description, error) {
	c, err := d.open()
	if err != nil {
		return plugins.Description{}, err
	}
	about := c.Context.Card
	return plugins.Description{
		Name:          deviceName,
		Version:       Version,
		Hardware:      hardware(about, d.options),
		Memory:        about.Memory,
		LinkBandwidth: c.Bandwidth,
		Threads:       about.Multiprocessors * about.MaxThreadsPerMultiprocessor,
		Procedures:    procedure.Names(),
		Extensions:    d.options.extensions(about),
	}, nil
}

// extensions are those that sessions take up. A card takes rows out of chunks only where it reads the arena by itself.
func (o Options) extensions(card driver.Card) []plugins.Extension {
	all := []plugins.Extension{plugins.ExtensionRestore, plugins.ExtensionSettle, plugins.ExtensionShares,
		plugins.ExtensionParts, plugins.ExtensionIntervals, plugins.ExtensionNetworks, plugins.ExtensionBatches,
		plugins.ExtensionProperties}
	if !o.Managed && card.ReadsRegistered {
		all = append(all, plugins.ExtensionSelects)
	}
	return all
}

func hardware(about driver.Card, o Options) string {
	text := fmt.Sprintf("%v, %d multiprocessors", about, about.Multiprocessors)
	if o.Managed {
		text += ", chunks in unified memory"
	}
	return text
}

func (d *device) Open(_ context.Context, job plugins.Job) (plugins.Session, error) {
	if err := check.Job(job, math.MaxUint32); err != nil {
		return nil, err
	}
	c, err := d.open()
	if err != nil {
		return nil, err
	}
	s := &session{card: c, job: job, managed: d.options.Managed, products: d.options.Products,
		budget: &kit.Budget{Limit: job.Budget}}
	if err := s.open(); err != nil {
		return nil, fail(-1, plugins.KindInternal, err)
	}
	return s, nil
}
