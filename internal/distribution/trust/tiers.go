package trust

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Variable is the environment variable that names the tiers of which plugins may start, with commas between them. It
// can only forbid: whoever sets it cannot have a plugin start that was not installed under the operator's rules.
const Variable = "PENSTOCK_PLUGIN_TRUST"

// TierError is a plugin that is not trusted enough to start here.
type TierError struct {
	Plugin  string
	Tier    Tier
	Allowed string
}

func (e *TierError) Error() string {
	return fmt.Sprintf("plugin %s is %s, and $%s allows only %s to start", e.Plugin, e.Tier, Variable, e.Allowed)
}

// Permit fails with a *TierError where the environment forbids plugins of a tier. One that is not understood forbids
// all.
func Permit(plugin string, tier Tier) error {
	value, set := os.LookupEnv(Variable)
	if !set || value == "" {
		return nil
	}
	var allowed []Tier
	for name := range strings.SplitSeq(value, ",") {
		t := Tier(strings.TrimSpace(name))
		if !slices.Contains([]Tier{Core, Private, Community, Unsigned}, t) {
			return fmt.Errorf("$%s: %q is no tier: it is core, private, community or unsigned", Variable, t)
		}
		allowed = append(allowed, t)
	}
	if !slices.Contains(allowed, tier) {
		return &TierError{plugin, tier, value}
	}
	return nil
}
