package learning

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/cli"
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

// tell says where the model is, if it is anywhere.
func (k *keeping) tell(w io.Writer) {
	if k.save != "" {
		fmt.Fprintf(w, "saved as %s\n", k.save)
	}
}
