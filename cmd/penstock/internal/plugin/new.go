package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/scaffold"
)

// newPlugin is penstock plugin new.
type newPlugin struct {
	dir, module, source string
	table               bool
}

func (c *newPlugin) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new algorithm|device NAME",
		Short: "Make the Go module of a new plugin, which builds, passes its tests, runs and packs",
		Long: `The module begins as a copy of an example: an algorithm (the average degree of neighbors; with
--table, one that gives a row for each edge), or a whole device. Replace what it computes, and keep its tests passing.`,
		Args:      cobra.ExactArgs(2),
		ValidArgs: []string{string(scaffold.Algorithm), string(scaffold.Device)},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.dir, "dir", "", "the new `folder` (default NAME)")
	flags.StringVar(&c.module, "module", "", "`path` of the Go module, such as example.org/turbine (default NAME)")
	flags.BoolVar(&c.table, "table", false, "an algorithm whose result is a table of rows that are no vertices")
	flags.StringVar(&c.source, "source", "",
		"`folder` of Penstock's source to build with (default: a released version, or the source that you are in)")
	return cmd
}

// errNoSource says what a module cannot be made without.
var errNoSource = errors.New("this program is no released version, and Penstock's source is not here: name its folder by --source")

func (c *newPlugin) Run(_ context.Context, a *app.App, args []string) error {
	p := scaffold.Plugin{Kind: scaffold.Kind(args[0]), Table: c.table, Name: args[1], Dir: c.dir, Module: c.module,
		Source: c.source, Version: scaffold.Released()}
	if p.Dir == "" {
		p.Dir = p.Name
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if p.Source == "" {
		if p.Source = scaffold.FindSource(here); p.Source == "" && p.Version == "" {
			return cli.UsageError{Err: errNoSource}
		}
	} else if p.Source, err = filepath.Abs(p.Source); err != nil {
		return err
	}
	if err := scaffold.Make(p); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"name": p.Name, "kind": p.Kind, "dir": p.Dir})
	}
	fmt.Fprintf(a.Out, "made %s in %s; next:\n  cd %[2]s && go test ./... && go build -o %[1]s . && penstock plugin install ./%[1]s\n",
		p.Name, p.Dir)
	return nil
}
