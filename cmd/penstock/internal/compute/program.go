package compute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
)

// programFlags are the flags of a vertex program of the user's own.
type programFlags struct {
	process, reduce, init, apply, edges string
	aggregates, properties              []string
	flags                               *pflag.FlagSet
}

func (p *programFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	p.flags = flags
	flags.StringVar(&p.process, "process", "", "own program: the message along an edge, over src.*, edge.*, dst.*")
	flags.StringVar(&p.reduce, "reduce", "", "own program: sum, prod, min, max, and, or")
	flags.StringVar(&p.init, "init", "", "own program: the initial value, over id, out_degree, in_degree, n and properties")
	flags.StringVar(&p.apply, "apply", "", "own program: the next value, over acc and self.*")
	flags.StringArrayVar(&p.aggregates, "aggregate", nil,
		"own program: a sum over all vertices, `name=expression` over self.*, seen by apply as agg.name")
	flags.StringArrayVar(&p.properties, "property", nil,
		"own program: a vertex property, `name` or name=number for vertices without one, seen as src.name, dst.name, self.name, and by init as name")
	flags.StringVar(
		&p.edges, "edges", "forward", "own program: along which edges messages travel: forward, backward or both")
	app.Offer(cmd, "reduce", "sum", "prod", "min", "max", "and", "or")
	app.Offer(cmd, "edges", "forward", "backward", "both")
}

var errNoAlgorithm = cli.UsageError{Err: errors.New(
	"name an algorithm ('penstock algorithms' lists them) or give --process, --reduce and --init")}

// custom is the program.
func (p *programFlags) custom() (*algorithms.Custom, error) {
	if p.process == "" {
		return nil, errNoAlgorithm
	}
	aggregates, err := cli.Assignments("--aggregate", p.aggregates)
	if err != nil {
		return nil, err
	}
	properties, err := p.read()
	return &algorithms.Custom{Process: p.process, Reduce: p.reduce, Init: p.init, Apply: p.apply,
		Edges: p.edges, Aggregates: aggregates, Properties: properties}, err
}

// read are the vertex properties that the program reads, and what a vertex without one counts as.
func (p *programFlags) read() (map[string]string, error) {
	properties := make(map[string]string, len(p.properties))
	for _, text := range p.properties {
		name, missing, assigned := strings.Cut(text, "=")
		if name == "" || assigned && missing == "" {
			return nil, cli.UsageError{Err: fmt.Errorf("--property %q: write name, or name=number", text)}
		}
		if _, twice := properties[name]; twice {
			return nil, cli.UsageError{Err: fmt.Errorf("--property %s is given twice", name)}
		}
		properties[name] = missing
	}
	return properties, nil
}

// refuse is an error if there are flags of a program beside the name of an algorithm.
func (p *programFlags) refuse(algorithm string) error {
	for _, flag := range []string{"process", "reduce", "init", "apply", "edges", "aggregate", "property"} {
		if p.flags.Changed(flag) {
			return cli.UsageError{Err: fmt.Errorf("--%s is for a program of your own: leave out %s, or --%s", flag, algorithm,
				flag)}
		}
	}
	return nil
}
