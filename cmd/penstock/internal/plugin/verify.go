package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/registry"
)

// verify is penstock plugin verify.
type verify struct{ key string }

func (c *verify) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [NAME|PACKAGE...]",
		Short: "Compare what is installed with the lock file and its signatures, or packages with theirs",
		Long: `Compare every file of installed plugins (all, or those that are named) with the lock file, and their
packages with their signatures. Of a PACKAGE, a file that ends in .tar.zst, the signature in
PACKAGE.minisig is verified: by a signer who is trusted, or by --key.`,
	}
	cmd.Flags().StringVar(&c.key, "key", "", "a public `key`, or its file, that must have signed the packages")
	return cmd
}

func (c *verify) Run(_ context.Context, a *app.App, args []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	var names, packages []string
	for _, arg := range args {
		if strings.HasSuffix(arg, pack.Suffix) {
			packages = append(packages, arg)
		} else {
			names = append(names, arg)
		}
	}
	switch {
	case c.key != "" && (len(packages) == 0 || len(names) > 0):
		return cli.UsageError{Err: errors.New("--key is of packages: files that end in " + pack.Suffix)}
	case len(packages) == 0:
		if err := plugins.Verify(names...); err != nil {
			return err
		}
		return confirm(a, "everything installed is as it was locked")
	case len(names) > 0:
		if err := plugins.Verify(names...); err != nil {
			return err
		}
	}
	return c.packages(a, plugins, packages)
}

// verifiedPackage is a package whose signature fits, in JSON.
type verifiedPackage struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Version string `json:"version"`
	KeyID   string `json:"keyID"`
	Signer  string `json:"signer,omitempty"`
	Tier    string `json:"tier,omitempty"`
	Comment string `json:"comment"`
}

func (c *verify) packages(a *app.App, plugins *registry.Registry, paths []string) error {
	var key *sign.Key
	if c.key != "" {
		found, err := readKey(c.key)
		if err != nil {
			return err
		}
		key = &found
	}
	var all []verifiedPackage
	for _, path := range paths {
		v, err := plugins.Keyring().VerifyPackage(path, key)
		if err != nil {
			return err
		}
		all = append(all, verifiedPackage{path, v.Manifest.Name, v.Manifest.Version, v.Signature.KeyID(), v.Signer.Name,
			string(v.Signer.Tier), v.Signature.Comment()})
		if !a.JSON {
			fmt.Fprintf(a.Out, "%s is %s %s, signed by %s\n  comment %s\n", path, v.Manifest.Name, v.Manifest.Version,
				signerText(v.Signer, v.Signature.KeyID()), strings.ReplaceAll(v.Signature.Comment(), "\t", " "))
		}
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"packages": all})
	}
	return nil
}
