package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
)

// errSick makes 'plugin doctor' exit 1; what is wrong has been printed.
var errSick = errors.New("not every plugin is well")

func doctor() *onRegistry {
	return &onRegistry{"doctor [NAME...]",
		"Start each plugin, ask it what it is, and say what is wrong; of npu also which providers it has, with --db what may run there",
		cobra.ArbitraryArgs, diagnose}
}

func diagnose(ctx context.Context, a *app.App, plugins *registry.Registry, args []string) error {
	rule, err := listOf(a)
	if err != nil {
		return err
	}
	health, err := plugins.Doctor(ctx, args...)
	if err != nil {
		return err
	}
	var providers []registry.Provider
	if slices.Contains(args, registry.NPU) && starts(health, registry.NPU) {
		if providers, err = plugins.Providers(ctx, npuProviders()); err != nil {
			return err
		}
	}
	if a.JSON {
		found := diagnoses{Plugins: pluginDiagnoses(health), Providers: providerDiagnoses(providers)}
		if rule != nil {
			found.Database = enabledIn(*rule)
		}
		return errors.Join(a.PrintJSON(found), sickness(health))
	}
	showHealth(a.Out, health)
	showProviders(a.Out, providers)
	if rule != nil {
		fmt.Fprintln(a.Out, ruleText(*rule))
	}
	return sickness(health)
}

// starts tells whether a plugin has started: what keeps it from that keeps it on any provider, and has been said once.
func starts(health []registry.Health, name string) bool {
	return slices.ContainsFunc(health, func(h registry.Health) bool { return h.Plugin.Name == name && h.Protocol > 0 })
}

// sickness is an error where a plugin is ill.
func sickness(health []registry.Health) error {
	if slices.ContainsFunc(health, func(h registry.Health) bool { return h.Err != nil }) {
		return errSick
	}
	return nil
}

func showHealth(w io.Writer, health []registry.Health) {
	t := terminal.NewTable(w, "plugin", "state", "walls", "hardware", "extensions")
	for _, h := range health {
		state := "well"
		if h.Err != nil {
			state = "ill"
		}
		t.AppendRow([]any{h.Plugin.Name, state, wallsText(h.Walls), hardwareText(h), strings.Join(extensions(h.Description), " ")})
	}
	t.Render()
	for _, h := range health {
		if h.Err != nil {
			fmt.Fprintf(w, "%s: %v\n", h.Plugin.Name, cause(h.Err))
		}
		if missing := missingWalls(h.Walls); missing != "" {
			fmt.Fprintf(w, "%s runs without walls: %s\n", h.Plugin.Name, missing)
		}
	}
	if how := memoryWall(health); how != "" {
		fmt.Fprintf(w, "memory is limited by %s\n", how)
	}
}

// memoryWall is by what the memory of plugins is limited: of all that have started in the same way, or it is told as
// missing.
func memoryWall(health []registry.Health) string {
	for _, h := range health {
		for _, s := range h.Walls {
			if s.Wall == confine.Memory && s.Stands {
				return s.How
			}
		}
	}
	return ""
}

// wallsText says how many of its walls stand.
func wallsText(walls []confine.State) string {
	if len(walls) == 0 {
		return ""
	}
	stand := 0
	for _, s := range walls {
		if s.Stands {
			stand++
		}
	}
	return fmt.Sprintf("%d of %d", stand, len(walls))
}

func missingWalls(walls []confine.State) string {
	var all []terminal.Wall
	for _, s := range walls {
		all = append(all, terminal.Wall{Name: string(s.Wall), Stands: s.Stands, Why: s.Why})
	}
	return terminal.Missing(all)
}

func hardwareText(h registry.Health) string {
	d := h.Description
	text := d.Hardware
	if d.Threads > 0 {
		text = fmt.Sprintf("%s, %d threads", text, d.Threads)
	}
	if d.Memory > 0 {
		text += ", " + terminal.Bytes(d.Memory)
	}
	return text
}

// extensions are the names of those that a device says it takes up, in one task or another.
func extensions(d plugins.Description) (names []string) {
	for _, e := range extension.All() {
		if extension.Offers(d, e) || len(d.Extensions) > 0 && !extension.Lacks(d, e) {
			names = append(names, string(e))
		}
	}
	return names
}

// diagnoses are what doctor found out, in JSON.
type diagnoses struct {
	Plugins   []diagnosis         `json:"plugins"`
	Providers []providerDiagnosis `json:"providers,omitempty"`
	Database  *enabled            `json:"database,omitempty"` // that --db names
}

// diagnosis is a plugin's health in JSON.
type diagnosis struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Well       bool     `json:"well"`
	Problem    string   `json:"problem,omitempty"`
	Hardware   string   `json:"hardware,omitempty"`
	Procedures []string `json:"procedures,omitempty"`
	// Extensions of the contract that it takes up; none: it does not say.
	Extensions []string        `json:"extensions,omitempty"`
	Walls      []confine.State `json:"walls,omitempty"` // around its process
}

func pluginDiagnoses(health []registry.Health) []diagnosis {
	list := make([]diagnosis, len(health))
	for i, h := range health {
		d := h.Description
		list[i] = diagnosis{Name: h.Plugin.Name, Version: d.Version, Well: h.Err == nil, Hardware: d.Hardware,
			Procedures: d.Procedures, Extensions: extensions(d), Walls: h.Walls}
		if h.Err != nil {
			list[i].Problem = h.Err.Error()
		}
	}
	return list
}
