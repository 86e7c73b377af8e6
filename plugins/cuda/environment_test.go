package cuda_test

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda"
	"github.com/penstock-db/penstock/plugins/cuda/softcuda"
)

// The devices of a run take the cards in turn, all or those that are named.
func TestFromEnvironment_Cards(t *testing.T) {
	softcuda.Faults(t)
	t.Setenv("SOFTCUDA_CARDS", "2")
	for _, c := range []struct{ cards, number, says string }{
		{"", "", ""}, {"", "3", ""}, {"1", "", ""}, {"0,1", "1", ""}, {"1,0", "2", ""},
		{"2", "", "invalid device"}, {"0,5", "1", "invalid device"}, {"0,5", "2", ""}, {"0,", "", "is no number"},
		{"-1", "", "is no number"}, {"", "x", "is no number"},
	} {
		t.Setenv(cuda.CardVariable, c.cards)
		t.Setenv(plugins.NumberVariable, c.number)
		_, err := cuda.FromEnvironment().Describe(t.Context())
		if (err != nil) != (c.says != "") || err != nil &&
			(plugins.KindOf(err) != plugins.KindLaunch || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
