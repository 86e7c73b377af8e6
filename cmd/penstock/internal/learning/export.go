package learning

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms/neural/trained"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/onnxmodel"
)

// export is penstock model export.
type export struct{ format string }

func (c *export) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export NAME FILE",
		Short: "Write a model to a file",
		Long: `Write a model to a file: as arrow, all of it, for 'penstock model import'; as safetensors, its
parameters, for PyTorch and others, and for 'penstock model import'; as onnx, what it computes, for ONNX Runtime and
others. An ONNX model has the inputs x, edge_index (as in PyTorch Geometric) and edge_NAME for each edge property
that it reads, and the output output: logits of classes and labels, else values.`,
		Args: cobra.ExactArgs(2),
	}
	cmd.Flags().StringVar(&c.format, "format", "arrow", "arrow, safetensors or onnx")
	app.Offer(cmd, "format", "arrow", "safetensors", "onnx")
	return cmd
}

func (c *export) Run(_ context.Context, a *app.App, args []string) error {
	encode, known := map[string]func(*trained.Model) ([]byte, error){
		"arrow": (*trained.Model).Encode, "safetensors": (*trained.Model).EncodeSafetensors, "onnx": onnxmodel.Encode}[c.format]
	if !known {
		return cli.UsageError{Err: fmt.Errorf("--format %s: it is arrow, safetensors or onnx", c.format)}
	}
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		m, err := db.Models().Get(args[0])
		if err != nil {
			return err
		}
		file, err := encode(m)
		if err != nil {
			return err
		}
		if err := cli.WriteFile(args[1], func(w io.Writer) error {
			_, err := w.Write(file)
			return err
		}); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]string{"model": m.Name, "file": args[1]})
		}
		fmt.Fprintf(a.Out, "wrote %s\n", args[1])
		return nil
	})
}
