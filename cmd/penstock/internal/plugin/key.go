package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/durable"
)

// keys are the commands on signing keys.
func keys() app.Command {
	return cli.Group[*app.App]{
		Help:  &cobra.Command{Use: "key", Short: "Make keys that sign plugins", Args: cobra.NoArgs},
		Below: []app.Command{&newKey{}},
	}
}

// newKey is penstock plugin key new.
type newKey struct{ noPassword bool }

func (c *newKey) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new FILE",
		Short: "Make a pair of keys: FILE signs, and FILE.pub is for others",
		Long: `Make a pair of keys in minisign's format: FILE, which signs and which you keep to yourself, and
FILE.pub, which others trust. The password of FILE is asked for, or read from standard input;
minisign's own keys can be used as well.`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().BoolVar(&c.noPassword, "no-password", false, "whoever reads FILE can sign by it, as where a machine signs")
	return cmd
}

func (c *newKey) Run(_ context.Context, a *app.App, args []string) error {
	file := args[0]
	for _, path := range []string{file, file + ".pub"} {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is there already: a key that is lost cannot be made again, so no file is overwritten", path)
		}
	}
	password := ""
	if !c.noPassword {
		var err error
		if password, err = terminal.ReadPassword(a.In, "password of "+file+": "); err != nil {
			return err
		}
	}
	secret, err := sign.NewSecret()
	if err != nil {
		return err
	}
	text, err := secret.File(password)
	if err != nil {
		return err
	}
	if err := durable.Write(file, text, 0o600); err != nil {
		return err
	}
	key := secret.Key()
	if err := durable.Write(file+".pub", key.File(), 0o644); err != nil {
		return err
	}
	if err := durable.SyncDir(filepath.Dir(file)); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]string{"secret": file, "public": file + ".pub", "key": key.String(), "id": key.ID()})
	}
	fmt.Fprintf(a.Out, "made key %s\n  secret  %s\n  public  %s\n  key     %s\n", key.ID(), file, file+".pub", key)
	return nil
}

// readSecret reads a secret key, and asks for its password where it has one.
func readSecret(a *app.App, file string) (sign.Secret, error) {
	text, err := readKeyFile(file)
	if err != nil {
		return sign.Secret{}, err
	}
	password := ""
	if sign.IsEncrypted(strings.TrimSpace(text)) {
		if password, err = terminal.ReadPassword(a.In, "password of "+file+": "); err != nil {
			return sign.Secret{}, err
		}
	}
	secret, err := sign.ParseSecret(text, password)
	if err != nil {
		return sign.Secret{}, fmt.Errorf("%s: %w", file, err)
	}
	return secret, nil
}

// readKey takes a public key as it is, or the file that has it.
func readKey(keyOrFile string) (sign.Key, error) {
	if key, err := sign.ParseKey(keyOrFile); err == nil {
		return key, nil
	}
	text, err := readKeyFile(keyOrFile)
	if errors.Is(err, os.ErrNotExist) {
		return sign.Key{}, fmt.Errorf("%q is no key of minisign, which begins with RW and has 56 letters, nor a file", keyOrFile)
	}
	if err != nil {
		return sign.Key{}, err
	}
	key, err := sign.ParseKey(text)
	if err != nil {
		return sign.Key{}, fmt.Errorf("%s: %w", keyOrFile, err)
	}
	return key, nil
}

func readKeyFile(file string) (string, error) {
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > sign.MaxBytes) {
		err = fmt.Errorf("%s is no key: a file of at most %d bytes", file, sign.MaxBytes)
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	return string(text), err
}
