package cuda

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/internal/network"
)

// The variables that tell a plugin process which card to use, and how.
const (
	// its number among those that the driver shows, or several, "0,2", for the devices of a run in turn; empty: all
	CardVariable   = "PENSTOCK_CUDA_CARD"
	MemoryVariable = "PENSTOCK_CUDA_MEMORY" // "managed": chunks lie in unified memory; empty: in the card's own
	// "cublas" or "tiled": what multiplies the matrices of networks; empty: cuBLAS, where the machine has it
	ProductsVariable = "PENSTOCK_CUDA_PRODUCTS"
)

// managedMemory is the value of MemoryVariable that is not the default.
const managedMemory = "managed"

// FromEnvironment is the device that the process's environment speaks of. Where that makes no
// sense, it is one that says so to whoever asks.
func FromEnvironment() plugins.Device {
	o := Options{Managed: os.Getenv(MemoryVariable) == managedMemory}
	if text := os.Getenv(MemoryVariable); text != "" && !o.Managed {
		return unable{plugins.Errorf(plugins.KindLaunch,
			"%s: memory %q: there is %s, unified memory; leave it out for the card's own", MemoryVariable, text, managedMemory)}
	}
	switch o.Products = network.Products(os.Getenv(ProductsVariable)); o.Products {
	case network.AnyProducts, network.Library, network.Tiled:
	default:
		return unable{plugins.Errorf(plugins.KindLaunch, "%s: products %q: there are %s and %s", ProductsVariable,
			o.Products, network.Library, network.Tiled)}
	}
	if text := os.Getenv(CardVariable); text != "" {
		for word := range strings.SplitSeq(text, ",") {
			card, err := strconv.Atoi(word)
			if err != nil || card < 0 {
				return unable{plugins.Errorf(plugins.KindLaunch, "%s: card %q is no number: the first card is 0", CardVariable,
					word)}
			}
			o.Cards = append(o.Cards, card)
		}
	}
	if text := os.Getenv(plugins.NumberVariable); text != "" {
		var err error
		if o.Number, err = strconv.Atoi(text); err != nil || o.Number < 0 {
			return unable{plugins.Errorf(plugins.KindLaunch, "%s: %q is no number of a device", plugins.NumberVariable, text)}
		}
	}
	return New(o)
}

// unable is a device that cannot do anything, and says why.
type unable struct{ err error }

func (u unable) Describe(context.Context) (plugins.Description, error) {
	return plugins.Description{}, u.err
}

func (u unable) Open(context.Context, plugins.Job) (plugins.Session, error) { return nil, u.err }
