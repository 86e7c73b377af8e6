package plugin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/manifest"
	"github.com/penstock-db/penstock/internal/distribution/pack"
	"github.com/penstock-db/penstock/internal/registry"
)

// packCommand is penstock plugin pack.
type packCommand struct {
	out       string
	platforms []string
	noCheck   bool
}

func (c *packCommand) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pack [FOLDER]",
		Short: "Make packages of a plugin, one for each platform",
		Long: `Make packages of the plugin in FOLDER (.), one for each platform that its plugin.yaml names:

  name: turbine
  version: 1.2.0                 # semver.org
  protocol: {min: 1, max: 1}     # versions of the contract
  platforms:
    linux/amd64: {file: build/turbine-amd64}
    linux/arm64: {file: build/turbine-arm64, include: [build/arm64/*.so]}
  include: [LICENSE, docs]       # files, folders or patterns; all else stays out
  permissions:                   # beyond what every plugin may, as docs/security.md says
    hardware: [nvidia]           # or ascend, intel, qualcomm
    network: false
    processes: false
    read: [/opt/turbine]
    write: []

The program for this platform is started once, with these permissions, and must call itself by that
name and version. The same files make the same packages, byte by byte.`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().StringVar(&c.out, "out", ".", "the `folder` in which packages are made")
	cmd.Flags().StringArrayVar(&c.platforms, "platform", nil, "a `platform`, such as linux/amd64 (default: all of plugin.yaml)")
	cmd.Flags().BoolVar(&c.noCheck, "no-check", false, "do not start the program, as where it lacks its hardware")
	return cmd
}

func (c *packCommand) Run(ctx context.Context, a *app.App, args []string) error {
	folder := "."
	if len(args) > 0 {
		folder = args[0]
	}
	m, err := manifest.ReadSource(folder)
	if err != nil {
		return err
	}
	all := slices.Sorted(maps.Keys(m.Platforms))
	if c.platforms == nil {
		c.platforms = all
	}
	for _, platform := range c.platforms {
		if !slices.Contains(all, platform) {
			return cli.UsageError{Err: fmt.Errorf("--platform %s: %s has programs for %v", platform, m.Name, all)}
		}
	}
	if err := c.check(ctx, folder, m); err != nil {
		return err
	}
	if err := os.MkdirAll(c.out, 0o755); err != nil {
		return err
	}
	made, err := pack.Pack(folder, c.out, m, c.platforms)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"packages": made})
	}
	if _, here := m.Platforms[registry.Platform]; c.noCheck || !here {
		fmt.Fprintln(a.Err, "the program was not started, which alone can say which algorithms it has: the packages bring none")
	}
	for _, p := range made {
		fmt.Fprintf(a.Out, "packed %s\n  sha256  %s\n", p.Path, p.SHA256)
	}
	return nil
}

// check starts the program for this platform, if there is one, and compares what it calls itself with the manifest.
func (c *packCommand) check(ctx context.Context, folder string, m *manifest.Manifest) error {
	program, ok := m.Platforms[registry.Platform]
	if !ok || c.noCheck {
		return nil
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, filepath.FromSlash(program.File))
	found, err := registry.Describe(ctx, path, folder, m.Permissions)
	switch {
	case errors.Is(err, os.ErrNotExist) || ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%w\nIf the program is right, and only this machine is not, give --no-check", err)
	case found.Name != m.Name || found.Version != m.Version:
		return fmt.Errorf("%s calls itself %s %s, but plugin.yaml says %s %s", path, found.Name, found.Version, m.Name, m.Version)
	case found.Protocol.Max < m.Protocol.Min || found.Protocol.Min > m.Protocol.Max:
		return fmt.Errorf("%s speaks protocol %d, but plugin.yaml says %d to %d", path, found.Protocol.Max, m.Protocol.Min,
			m.Protocol.Max)
	}
	m.Algorithms = found.Algorithms
	return nil
}
