package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/store"
)

// app is what every command shares: its streams and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	json           bool
	dir            string
	readOnly       bool
	started        bool // a command has begun: what goes wrong now is no wrong usage
	profiles       profiles
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &checkedWriter{Writer: stdout}
	a := &app{stdin: stdin, stdout: out, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !a.started {
		err = usageError{err}
	}
	if err == nil {
		err = out.err
	}
	if err != nil {
		a.explain(err)
	}
	return exitStatus(err)
}

func (a *app) explain(err error) {
	var stopped stoppedError
	var script *scriptError
	if errors.Is(err, context.Canceled) && !errors.As(err, &stopped) {
		what := "interrupted; the database is as it was"
		if errors.As(err, &script) {
			what = fmt.Sprintf("interrupted in the statement at line %d; what was committed before stays", script.line)
		}
		fmt.Fprintln(a.stderr, "penstock:", what)
		return
	}
	fmt.Fprintf(a.stderr, "penstock: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(a.stderr, "Run 'penstock --help' or 'penstock COMMAND --help'.")
	}
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "penstock",
		Short: "A property-graph database that runs analytics in place",
		Long: `Penstock stores property graphs and runs analytics on them where they are:
a host streams chunks of topology out of storage into device plugins that run in
processes of their own. Begin with:

  penstock demo`,
		Version:                    version(),
		SuggestionsMinimumDistance: 2,

		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          a.bare,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("penstock {{.Version}}\n")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object on standard output")
	root.PersistentFlags().StringVar(&a.dir, "db", os.Getenv("PENSTOCK_DB"), "database `directory` (default $PENSTOCK_DB)")
	root.PersistentFlags().BoolVar(&a.readOnly, "read-only", false, "open the database for reading only: several programs may, and nothing in it is changed")
	a.profiles.add(root.PersistentFlags())
	root.AddCommand(
		a.demoCommand(), a.loadCommand(), a.generateCommand(), a.graphsCommand(), a.infoCommand(), a.statsCommand(),
		a.dropCommand(), a.runCommand(), a.estimateCommand(), a.algorithmsCommand(), a.exportCommand(),
		a.verifyCommand(), a.repairCommand(), a.compactCommand(), a.backupCommand(), a.restoreCommand(), a.queryCommand(), a.shellCommand(), a.serveCommand(), a.userCommand(),
		a.topCommand(), a.killCommand(), a.pluginCommand(), a.benchCommand())
	a.noteStart(root)
	if err := a.addCompletions(root); err != nil {
		panic(err) // a flag that the command does not define
	}
	return root
}

// bare answers a command line without a known command.
func (a *app) bare(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	message := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		message += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return usageError{errors.New(message)}
}

// noteStart makes every command say that it has begun: what cobra refuses before that,
// arguments and flags, is wrong usage. Profiles begin then.
func (a *app) noteStart(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if a.profiles.timeline() != "" && cmd.Name() != "run" {
				return usageError{errors.New("--trace FILE.json is a timeline, which only run has: name another file for an execution trace")}
			}
			a.started = true
			return a.profiles.during(func() error { return run(cmd, args) })
		}
	}
	for _, sub := range cmd.Commands() {
		a.noteStart(sub)
	}
}

var errNoDirectory = usageError{errors.New("--db DIR is missing: which database? (or set PENSTOCK_DB)")}

// open opens the database that --db names. A damaged one is opened for reading only, whatever is to be done with it.
func (a *app) open(options penstock.Options) (*penstock.DB, error) {
	if a.dir == "" {
		return nil, errNoDirectory
	}
	options.ReadOnly = a.readOnly
	db, err := penstock.OpenWith(a.dir, options)
	if damaged := (*store.DamagedDatabaseError)(nil); errors.As(err, &damaged) {
		options.ReadOnly = true
		db, err = penstock.OpenWith(a.dir, options)
	}
	if errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w; --read-only opens it for reading", err)
	}
	if err != nil {
		return nil, err
	}
	if damage := db.Damage(); len(damage) > 0 {
		fmt.Fprintf(a.stderr, "penstock: %v\n", &store.DamagedDatabaseError{Dir: a.dir, Damage: damage})
	}
	return db, nil
}

// withDB opens the database, calls do and closes it.
func (a *app) withDB(options penstock.Options, do func(*penstock.DB) error) error {
	db, err := a.open(options)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func (a *app) printJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
