package handover

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Giver is the host's end.
type Giver struct{ socket *net.UnixConn }

// Pair is a new socket: the host's end, and the one that a plugin inherits, which the caller closes.
func Pair() (*Giver, *os.File, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socket for files: %w", err)
	}
	own, other := os.NewFile(uintptr(ends[0]), "files"), os.NewFile(uintptr(ends[1]), "files")
	defer own.Close() // FileConn duplicates it
	conn, err := net.FileConn(own)
	if err != nil {
		return nil, nil, errors.Join(err, other.Close())
	}
	return &Giver{conn.(*net.UnixConn)}, other, nil
}

// patience is how long Give waits for a plugin that leaves what it was given before.
const patience = 10 * time.Second

// Give passes an open file on under a name. The caller may close its own descriptor then. It waits only when the
// plugin has not taken hundreds of files.
func (g *Giver) Give(name string, file *os.File) error {
	if len(name) == 0 || len(name) > maxName {
		return fmt.Errorf("a file cannot be handed over under a name of %d bytes", len(name))
	}
	if err := g.socket.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, _, err := g.socket.WriteMsgUnix([]byte(name), unix.UnixRights(int(file.Fd())), nil)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("the plugin has taken no file for %v: it must read the socket that %s names", patience, Variable)
	}
	return err
}

// Close ends the socket.
func (g *Giver) Close() error { return g.socket.Close() }

func isSocket(descriptor int) bool {
	_, err := unix.GetsockoptInt(descriptor, unix.SOL_SOCKET, unix.SO_TYPE)
	if err == nil {
		unix.CloseOnExec(descriptor)
	}
	return err == nil
}

func duplicate(file *os.File) (*os.File, error) {
	descriptor, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", file.Name(), err)
	}
	return os.NewFile(uintptr(descriptor), file.Name()), nil
}

// receive takes the files that have been given and not been taken. It needs t.mu.
func (t *Taker) receive() error {
	name, rights := make([]byte, maxName), make([]byte, unix.CmsgSpace(4))
	for {
		n, oobn, _, _, err := unix.Recvmsg(t.socket, name, rights, unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN) || err == nil && n == 0: // no more for now; the host is gone
			return nil
		case err != nil:
			return fmt.Errorf("files of the host's: %w", err)
		}
		file, err := right(string(name[:n]), rights[:oobn])
		if err != nil {
			return err
		}
		if err := t.replace(string(name[:n]), file); err != nil {
			return err
		}
	}
}

// right is the file that a control message carries.
func right(name string, rights []byte) (*os.File, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("file %s: it came without a descriptor: %w", name, errors.Join(err, unix.EMFILE))
	}
	descriptors, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", name, err)
	}
	return os.NewFile(uintptr(descriptors[0]), name), nil
}
