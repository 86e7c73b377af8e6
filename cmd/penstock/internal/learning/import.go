package learning

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// importModel is penstock model import.
type importModel struct {
	name    string
	like    string
	replace bool
}

func (c *importModel) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Bring a model in from a file",
		Long: `Bring a model in that 'penstock model export' has written, as arrow or safetensors. A safetensors
file of another program has parameters alone: --like names a model of the database whose
architecture, features and label they are of, and whose names and shapes they must have
('penstock model info' lists them).`,
		Example: `  penstock model import --db ./db topics.arrow --name moved
  penstock model import --db ./db trained-elsewhere.safetensors --like topics --name elsewhere`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&c.name, "name", "", "call it `name` (default: as it was called; required with --like)")
	cmd.Flags().StringVar(&c.like, "like", "", "the `model` whose parameters the file replaces")
	cmd.Flags().BoolVar(&c.replace, "replace", false, "in the place of a model of that name")
	return cmd
}

func (c *importModel) Run(_ context.Context, a *app.App, args []string) error {
	if c.like != "" && c.name == "" {
		return cli.UsageError{Err: errors.New("--like goes with --name: what the new model is to be called")}
	}
	file, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := c.decode(db.Models(), args[0], file)
		if err != nil {
			return err
		}
		if c.name != "" {
			m.Name = c.name
		}
		if _, err := m.Compile(); err != nil {
			return err
		}
		if err := db.Models().Save(m, c.replace); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(m)
		}
		fmt.Fprintf(a.Out, "saved as %s\n", m.Name)
		return nil
	})
}

// decode reads the file, of whichever format it is.
func (c *importModel) decode(models instance.Models, name string, file []byte) (*trained.Model, error) {
	if !trained.IsSafetensors(file) {
		if c.like != "" {
			return nil, cli.UsageError{Err: fmt.Errorf("--like goes with a safetensors file, which %s is not", name)}
		}
		return trained.Decode(name, file)
	}
	var like *trained.Model
	if c.like != "" {
		var err error
		if like, err = models.Get(c.like); err != nil {
			return nil, err
		}
	}
	m, err := trained.DecodeSafetensors(name, file, like)
	if errors.Is(err, trained.ErrNoArchitecture) {
		err = fmt.Errorf("%w; name a model of the same architecture with --like", err)
	}
	return m, err
}
