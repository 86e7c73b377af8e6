package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/allowlist"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/store"
)

// enable is penstock plugin enable.
type enable struct{}

func (*enable) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "enable NAME...",
		Short: "Let installed plugins run in the database that --db names, and from then on no others",
		Long: `Let installed plugins run in the database that --db names. From the first 'enable' or 'disable' on only
those that are enabled, and cpu, run there, and no program that is named by its path. A server that has
the database open keeps to it from its next run on; what runs already goes on.`,
		Example: "  penstock plugin enable mine --db ./db",
		Args:    cobra.MinimumNArgs(1),
	}
}

func (*enable) Run(_ context.Context, a *app.App, names []string) error {
	if err := changeable(a, names); err != nil {
		return err
	}
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := plugins.Info(name); err != nil {
			return err
		}
	}
	if err := allowlist.Enable(a.Dir, names...); err != nil {
		return err
	}
	return confirmList(a, "enabled "+strings.Join(names, ", "))
}

// disable is penstock plugin disable.
type disable struct{ all bool }

func (c *disable) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "disable NAME... | --all",
		Short: "Let plugins run no more in the database that --db names",
		Long: `Let plugins run no more in the database that --db names. They stay installed, and run in other databases.
In a database in which none was enabled before, only cpu runs from then on.`,
		Example: "  penstock plugin disable mine --db ./db",
	}
	cmd.Flags().BoolVar(&c.all, "all", false, "let none run but cpu; also where the list of those that may is damaged")
	return cmd
}

func (c *disable) Run(_ context.Context, a *app.App, names []string) error {
	if c.all != (len(names) == 0) {
		return cli.UsageError{Err: errors.New("name the plugins to disable, or say --all")}
	}
	if err := changeable(a, names); err != nil {
		return err
	}
	if c.all {
		if err := allowlist.Clear(a.Dir); err != nil {
			return err
		}
		return confirmList(a, "disabled all plugins")
	}
	if err := known(a, names); err != nil {
		return err
	}
	if err := allowlist.Disable(a.Dir, names...); err != nil {
		return err
	}
	return confirmList(a, "disabled "+strings.Join(names, ", "))
}

// known refuses names that are neither installed nor enabled: who misspells one would believe it disabled.
func known(a *app.App, names []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	list := allowlist.Read(a.Dir)
	for _, name := range names {
		if list.Exists() && list.Allows(name) {
			continue
		}
		if _, err := plugins.Info(name); err != nil {
			return err
		}
	}
	return nil
}

// changeable refuses what cannot be enabled or disabled, and where.
func changeable(a *app.App, names []string) error {
	for _, name := range names {
		switch {
		case name == "cpu" || name == "auto":
			return cli.UsageError{Err: fmt.Errorf("%s is built in, and runs in every database", name)}
		case strings.ContainsRune(name, '/'):
			return cli.UsageError{Err: fmt.Errorf("%s is a program: 'penstock plugin install %s' installs it and says its name",
				name, name)}
		}
	}
	if a.Dir == "" {
		return app.ErrNoDirectory
	}
	if a.ReadOnly {
		return &store.ReadOnlyError{Dir: a.Dir}
	}
	return store.Check(a.Dir)
}

// confirmList says what was done, and what may run now.
func confirmList(a *app.App, done string) error {
	list := allowlist.Read(a.Dir)
	if list.Unreadable != nil {
		return list.Unreadable
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"done": done, "database": enabledIn(list)})
	}
	fmt.Fprintln(a.Out, done)
	fmt.Fprintln(a.Out, ruleText(list))
	return nil
}

// enabled is in JSON what may run in a database.
type enabled struct {
	Dir     string   `json:"dir"`
	Any     bool     `json:"any_plugin"` // there is no list
	Enabled []string `json:"enabled"`
	Problem string   `json:"problem,omitempty"`
}

func enabledIn(list allowlist.List) *enabled {
	e := &enabled{Dir: list.Database, Any: !list.Exists(), Enabled: append([]string{}, list.Names...)}
	if list.Unreadable != nil {
		e.Problem = list.Unreadable.Error()
	}
	return e
}

// ruleText says in words what may run in a database.
func ruleText(list allowlist.List) string {
	switch {
	case list.Unreadable != nil:
		return list.Unreadable.Error()
	case !list.Exists():
		return fmt.Sprintf("any installed plugin may run in %s: none was enabled or disabled there", list.Database)
	case len(list.Names) == 0:
		return fmt.Sprintf("only cpu may run in %s", list.Database)
	}
	return fmt.Sprintf("only %s may run in %s", enumeration(append([]string{"cpu"}, list.Names...)), list.Database)
}

// listOf is what may run in the database that --db names; nil: it names none. $PENSTOCK_DB may name one that is not
// made yet, for it is there for other commands.
func listOf(a *app.App) (*allowlist.List, error) {
	if a.Dir == "" {
		return nil, nil
	}
	err := store.Check(a.Dir)
	if missing := (*store.MissingError)(nil); errors.As(err, &missing) && a.Dir == os.Getenv("PENSTOCK_DB") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := allowlist.Read(a.Dir)
	return &list, nil
}

// enumeration are names as a sentence has them: a and b; a, b, and c.
func enumeration(names []string) string {
	last := len(names) - 1
	if last < 2 {
		return strings.Join(names, " and ")
	}
	return strings.Join(names[:last], ", ") + ", and " + names[last]
}
