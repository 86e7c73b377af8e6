package main

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/penstock-db/penstock/server/auth"
	"github.com/penstock-db/penstock/server/bolt"
)

// guard says who is let in; nil: everybody.
func (o serveOptions) guard(dir string) (bolt.Authenticator, error) {
	users, err := o.allUsers(dir)
	if err != nil {
		return nil, err
	}
	switch known := len(users.Names()) > 0; {
	case o.auth != "" && o.auth != "basic" && o.auth != "none":
		return nil, usageError{fmt.Errorf("--auth %s: there are basic and none", o.auth)}
	case o.auth == "none" && len(o.users) > 0:
		return nil, usageError{errors.New("--auth none lets everybody in: leave --user out, or --auth")}
	case o.auth == "basic" && !known:
		return nil, usageError{errors.New("--auth basic, but there are no users: 'penstock user add' makes one, or give --user name:password")}
	case o.auth == "none":
		return nil, nil
	case known:
		return users, nil
	case !loopback(o.listen):
		return nil, usageError{fmt.Errorf("--listen %s lets other machines in without a password: 'penstock user add' makes users; or say --auth none", o.listen)}
	}
	return nil, nil
}

// allUsers are those of the database and of the flags.
func (o serveOptions) allUsers(dir string) (*auth.Users, error) {
	users := auth.NewUsers()
	if dir != "" {
		var err error
		if users, err = auth.Read(auth.File(dir)); err != nil {
			return nil, err
		}
	}
	for _, flag := range o.users {
		name, password, ok := strings.Cut(flag, ":")
		if !ok {
			return nil, usageError{errors.New("--user: write name:password, or name:hash")}
		}
		if err := users.Set(name, hashOf(password)); err != nil {
			return nil, usageError{err}
		}
	}
	return users, nil
}

// hashOf takes what is a hash already as it is.
func hashOf(password string) auth.Hash {
	if hash, err := auth.ParseHash(password); err == nil {
		return hash
	}
	return auth.HashOf(password)
}

// loopback tells whether an address can be reached from this machine only.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return false
	}
	ips, err := net.LookupIP(host)
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false
		}
	}
	return err == nil
}
