// Command penstock-bench measures Penstock on this machine, beside other programs.
//
// Each command is one file, named after it, and only turns flags into calls of package bench and
// results into Markdown, SVG or JSON. What is measured as a whole process is the program penstock.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
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
	p := cli.New(stdin, stdout, stderr)
	root := cli.Build[*cli.Program](p, &kernels{})
	root.Version = cli.Version(instance.Version())
	p.Prepare(root)
	return p.Execute(ctx, root, args)
}
