// Command penstock stores graphs and runs analytics on them in place.
//
// Each command is a value of a package below internal, and only turns flags into calls of package
// penstock and results into text or JSON. This file is their table of contents.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/backups"
	"github.com/penstock-db/penstock/cmd/penstock/internal/compute"
	"github.com/penstock-db/penstock/cmd/penstock/internal/damage"
	"github.com/penstock-db/penstock/cmd/penstock/internal/demo"
	"github.com/penstock-db/penstock/cmd/penstock/internal/graphs"
	"github.com/penstock-db/penstock/cmd/penstock/internal/learning"
	"github.com/penstock-db/penstock/cmd/penstock/internal/plugin"
	"github.com/penstock-db/penstock/cmd/penstock/internal/remote"
	"github.com/penstock-db/penstock/cmd/penstock/internal/serve"
	"github.com/penstock-db/penstock/cmd/penstock/internal/shell"
	"github.com/penstock-db/penstock/cmd/penstock/internal/statement"
	"github.com/penstock-db/penstock/cmd/penstock/internal/users"
	"github.com/penstock-db/penstock/internal/pages"
	_ "github.com/penstock-db/penstock/internal/pages/early" // before all that needs more of the program
)

func main() {
	pages.Frugal()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// execute runs one command line and returns the exit status.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return app.New(stdin, stdout, stderr).Execute(ctx, commands(), args)
}

// commands are all that there are.
func commands() []app.Command {
	return []app.Command{
		&demo.Demo{},
		// graphs, in and out
		&graphs.Load{}, &graphs.Generate{}, &graphs.List{}, &graphs.Info{}, &graphs.Stats{}, &graphs.Compact{},
		&graphs.Drop{}, &graphs.Export{},
		// analytics
		&compute.Run{}, &compute.Estimate{}, &compute.Algorithms{},
		// models
		&learning.Train{}, &learning.Predict{}, &learning.Models{}, learning.ModelGroup(),
		// statements
		&statement.Query{}, &shell.Shell{},
		// servers
		&serve.Serve{}, users.Group(), &remote.Top{}, &remote.Kill{},
		// safety
		&backups.Backup{}, &backups.Restore{}, &damage.Verify{}, &damage.Repair{},
		// devices
		&plugin.Plugin{},
		bench{},
	}
}
