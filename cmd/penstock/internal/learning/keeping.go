package learning

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// keeping is under which name what is learned is kept, if under any.
type keeping struct {
	save    string
	replace bool
}

func (k *keeping) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&k.save, "save", "", "keep the model in the database, under a `name`")
	cmd.Flags().BoolVar(&k.replace, "replace", false, "with --save: in the place of a model of that name")
}

// check refuses flags that contradict each other.
func (k *keeping) check() error {
	if k.replace && k.save == "" {
		return cli.UsageError{Err: fmt.Errorf("--replace goes with --save")}
	}
	return nil
}

// around has a model learned, and keeps it. A name that it cannot have is refused before anything is learned.
func (k *keeping) around(db *instance.DB, learn func() (*host.Trained, error)) (*host.Trained, error) {
	if k.save == "" {
		return learn()
	}
	if err := db.Models().Check(k.save, k.replace); err != nil {
		return nil, err
	}
	learned, err := learn()
	if err != nil {
		return nil, err
	}
	learned.Model.Name = k.save
	return learned, db.Models().Save(learned.Model, k.replace)
}

// tell says where the model is, if it is anywhere.
func (k *keeping) tell(w io.Writer) {
	if k.save != "" {
		fmt.Fprintf(w, "saved as %s\n", k.save)
	}
}
