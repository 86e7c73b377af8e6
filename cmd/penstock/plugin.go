package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/registry"
)

func (a *app) pluginCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "Install, list and check device plugins",
		Long: `Device plugins are programs. An installed one is named by --device, and is started only
while its SHA-256 is the one in the lock file. They live in $PENSTOCK_PLUGIN_DIR, else in
penstock/plugins of your configuration directory.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.pluginInstall(), a.pluginList(), a.pluginInfo(), a.pluginVerify(),
		a.pluginLock(), a.pluginRemove(), a.pluginDoctor())
	return cmd
}

// registryCommand is a command that works on the installed plugins.
func (a *app) registryCommand(use, short string, args cobra.PositionalArgs, run func(*cobra.Command, *registry.Registry, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			plugins, err := registry.Open("")
			if err != nil {
				return err
			}
			return run(cmd, plugins, args)
		},
	}
}

func (a *app) pluginInstall() *cobra.Command {
	var options registry.InstallOptions
	var npu npuFlags
	cmd := a.registryCommand("install PATH|npu", "Install a plugin and lock its checksum", cobra.ExactArgs(1),
		func(cmd *cobra.Command, plugins *registry.Registry, args []string) error {
			installed, err := install(cmd, plugins, args[0], options, &npu)
			if err != nil {
				return err
			}
			return a.showPlugin("installed", installed)
		})
	cmd.Long = npuHelp
	npu.add(cmd)
	cmd.Flags().BoolVar(&options.Replace, "replace", false, "take the place of an installed plugin of this name")
	return cmd
}

func install(cmd *cobra.Command, plugins *registry.Registry, what string, options registry.InstallOptions, npu *npuFlags) (registry.Plugin, error) {
	if what == registry.NPU {
		request, err := npu.request(options.Replace)
		if err != nil {
			return registry.Plugin{}, err
		}
		return plugins.InstallRuntime(cmd.Context(), request)
	}
	if npu.set(cmd) {
		return registry.Plugin{}, errNotNPU
	}
	return plugins.Install(cmd.Context(), what, options)
}

func (a *app) pluginList() *cobra.Command {
	return a.registryCommand("list", "List the installed plugins", cobra.NoArgs,
		func(_ *cobra.Command, plugins *registry.Registry, _ []string) error {
			list, err := plugins.List()
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"plugins": list})
			}
			t := newTable(a.Out, "plugin", "version", "sha256")
			t.AppendRow([]any{"cpu", "built in", ""})
			for _, p := range list {
				t.AppendRow([]any{p.Name, p.Version, p.Files()[0].SHA256})
			}
			t.Render()
			return nil
		})
}

func (a *app) pluginInfo() *cobra.Command {
	return a.registryCommand("info NAME", "Describe an installed plugin", cobra.ExactArgs(1),
		func(_ *cobra.Command, plugins *registry.Registry, args []string) error {
			p, err := plugins.Info(args[0])
			if err != nil {
				return err
			}
			return a.showPlugin("installed", p)
		})
}

func (a *app) pluginVerify() *cobra.Command {
	return a.registryCommand("verify [NAME...]", "Compare what is installed with the lock file", cobra.ArbitraryArgs,
		func(_ *cobra.Command, plugins *registry.Registry, args []string) error {
			if err := plugins.Verify(args...); err != nil {
				return err
			}
			return a.confirm("everything installed is as it was locked")
		})
}

func (a *app) pluginLock() *cobra.Command {
	return a.registryCommand("lock [NAME...]", "Accept what is installed as it is now: its checksums become the expected ones", cobra.ArbitraryArgs,
		func(_ *cobra.Command, plugins *registry.Registry, args []string) error {
			if err := plugins.Lock(args...); err != nil {
				return err
			}
			return a.confirm("locked")
		})
}

func (a *app) pluginRemove() *cobra.Command {
	return a.registryCommand("remove NAME", "Uninstall a plugin", cobra.ExactArgs(1),
		func(_ *cobra.Command, plugins *registry.Registry, args []string) error {
			if err := plugins.Remove(args[0]); err != nil {
				return err
			}
			return a.confirm("removed " + args[0])
		})
}

func (a *app) showPlugin(state string, p registry.Plugin) error {
	if a.JSON {
		return a.PrintJSON(p)
	}
	if p.Runtime != nil {
		return a.showRuntime(state, p)
	}
	fmt.Fprintf(a.Out, "%s %s %s\n  program %s\n  sha256  %s\n  from    %s\n", state, p.Name, p.Version, p.Path, p.SHA256, p.Source)
	return nil
}

func (a *app) confirm(message string) error {
	if a.JSON {
		return a.PrintJSON(map[string]string{"done": message})
	}
	fmt.Fprintln(a.Out, message)
	return nil
}
