// Command penstock stores graphs and runs analytics on them in place.
//
// Each command is one file, named after it, and only turns flags into calls of
// package penstock and results into text or JSON.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/penstock-db/penstock/internal/pages"
)

func main() {
	pages.Frugal()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
