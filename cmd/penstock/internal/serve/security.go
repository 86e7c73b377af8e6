package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/access"
	"github.com/penstock-db/penstock/internal/server/admin"
	"github.com/penstock-db/penstock/internal/server/audit"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/bolt"
	"github.com/penstock-db/penstock/internal/server/certificate"
)

// security is what stands between clients and the database:
//
//	client ─TLS─▶ session ─▶ audit ─▶ guard, rights, administration ─▶ database
type security struct {
	devices  []string
	guard    *auth.Guard
	users    *auth.Directory
	auditor  *audit.Auditor     // nil: nothing is recorded
	identity *certificate.Files // nil: no TLS
}

// securityFlags are the flags of authentication, TLS, devices and the audit log.
type securityFlags struct {
	cert, key       string
	auth            string
	users           []string
	devices         []string
	audit           string
	auditStatements string
}

func (o *securityFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.cert, "tls-cert", "", "certificate `file` (PEM): clients connect by bolt+s:// then")
	f.StringVar(&o.key, "tls-key", "", "the certificate's key `file` (PEM)")
	f.StringVar(
		&o.auth, "auth", "", "`basic`: by name and password; none: clients need no name (default: basic where there are users)")
	f.StringArrayVar(
		&o.users, "user", nil, "let a user in beside those of the database, `name:password` or name:hash:roles; without roles an admin")
	f.StringVar(
		&o.audit, "audit", "", "append a JSON line for each login and statement to a `file`; what cannot be recorded is refused")
	f.StringVar(&o.auditStatements, "audit-statements", "text",
		"what the audit log has of statements: text, without passwords, or hash (SHA-256)")
	f.StringSliceVar(
		&o.devices, "devices", nil, "`names` of the devices that clients' algorithms may run on, as in cpu,npu (default: cpu and the plugins that are installed when the server starts)")
}

// open opens the users, the audit log and the certificate.
func (o securityFlags) open(dir, listen string, log *slog.Logger) (s security, err error) {
	if s.devices, err = servedDevices(o.devices); err != nil {
		return s, err
	}
	if s.identity, err = o.identity(log); err != nil {
		return s, cli.UsageError{Err: err}
	}
	if s.guard, s.users, err = o.guard(dir, listen); err != nil {
		return s, err
	}
	s.auditor, err = o.auditor(log)
	return s, err
}

// identity is the TLS certificate, if there is to be one.
func (o securityFlags) identity(log *slog.Logger) (*certificate.Files, error) {
	if o.cert == "" && o.key == "" {
		return nil, nil
	}
	if o.cert == "" || o.key == "" {
		return nil, errors.New("TLS needs both --tls-cert and --tls-key")
	}
	return certificate.Open(o.cert, o.key, log)
}

func (o securityFlags) auditor(log *slog.Logger) (*audit.Auditor, error) {
	if o.auditStatements != "text" && o.auditStatements != "hash" {
		return nil, cli.UsageError{Err: fmt.Errorf("--audit-statements %s: there are text and hash", o.auditStatements)}
	}
	if o.audit == "" {
		return nil, nil
	}
	file, err := audit.Open(o.audit)
	if err != nil {
		return nil, fmt.Errorf("--audit: %w", err)
	}
	return &audit.Auditor{Log: file, Hashes: o.auditStatements == "hash", Logger: log}, nil
}

// server puts what there is in front of the database.
func (s security) server(database backend.Database, options bolt.Options) *bolt.Server {
	rights := access.New(database, s.guard)
	graph := options.Graph
	options.Home = func(ctx context.Context) string { return rights.Home(ctx, graph) }
	var served backend.Database = rights
	var users backend.Command = &admin.Commands{Users: s.users, Guard: s.guard}
	options.Auth = access.Authenticator{Guard: s.guard}
	options.Administrator = rights.Administrator
	options.Shown = func(statement string) string { return admin.Redact(statement, len(statement)) }
	if s.auditor != nil {
		options.Recorded = s.auditor.Command
		served, users, options.Auth = s.auditor.Database(served), s.auditor.Command(users),
			s.auditor.Authenticator(options.Auth)
	}
	options.Commands = append(options.Commands, users)
	return bolt.NewServer(served, options)
}

// listener has clients of a listener come by TLS, if there is a certificate.
func (s security) listener(l net.Listener) net.Listener {
	if s.identity == nil {
		return l
	}
	return tls.NewListener(l, s.identity.Config())
}

// onHangup reads the certificate again and opens the audit log anew whenever the process gets a SIGHUP, until
// the context is done.
func (s security) onHangup(ctx context.Context, log *slog.Logger) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			if err := s.reload(); err != nil {
				log.Error("SIGHUP: not everything was opened anew; the server goes on with what it had", "error", err)
			} else {
				log.Info("SIGHUP: the certificate and the audit log were opened anew")
			}
		}
	}
}

func (s security) reload() (err error) {
	if s.identity != nil {
		err = s.identity.Reload()
	}
	if s.auditor != nil {
		err = errors.Join(err, s.auditor.Log.Reopen())
	}
	return err
}

func (s security) close() error {
	if s.auditor == nil {
		return nil
	}
	return s.auditor.Log.Close()
}
