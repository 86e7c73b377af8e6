package plugin

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/registry"
)

// signCommand is penstock plugin sign.
type signCommand struct{ key string }

func (c *signCommand) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sign PACKAGE...",
		Short: "Sign packages: PACKAGE.minisig says that they are yours",
		Long: `Sign packages in minisign's format (Ed25519 of BLAKE2b-512). The signature lies beside the package,
in PACKAGE.minisig; its trusted comment has the SHA-256 of the package's manifest, so that a start
of the plugin need not read the package to see that it was signed. "minisign -V" verifies it too.`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().StringVar(&c.key, "key", "", "the `file` of a secret key, as 'plugin key new' makes it")
	_ = cmd.MarkFlagRequired("key") // it is defined above
	return cmd
}

// signedPackage is a signature in JSON.
type signedPackage struct {
	Package   string `json:"package"`
	Signature string `json:"signature"`
	KeyID     string `json:"keyID"`
	Comment   string `json:"comment"`
}

func (c *signCommand) Run(_ context.Context, a *app.App, args []string) error {
	secret, err := readSecret(a, c.key)
	if err != nil {
		return err
	}
	var all []signedPackage
	for _, path := range args {
		signature, err := registry.SignPackage(path, secret)
		if err != nil {
			return err
		}
		all = append(all, signedPackage{path, path + sign.Suffix, signature.KeyID(), signature.Comment()})
		if !a.JSON {
			fmt.Fprintf(a.Out, "signed %s by key %s\n", path, signature.KeyID())
		}
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"packages": all})
	}
	return nil
}
