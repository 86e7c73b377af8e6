package softcuda

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// kept is how long what nobody asks for stays in the cache.
const kept = 48 * time.Hour

// A cache is a folder of the user's, locked against other processes, in which each thing has a folder by its key.
type cache struct {
	folder string
	lock   *os.File
}

func openCache() (*cache, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	c := &cache{folder: filepath.Join(user, "penstock", "softcuda")}
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return nil, err
	}
	if c.lock, err = os.Create(filepath.Join(c.folder, "lock")); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(c.lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, c.lock.Close())
	}
	c.prune()
	return c, nil
}

func (c *cache) close() { c.lock.Close() }

// made is the path of a file of this name, made if it is not there.
func (c *cache) made(key, name string, make func(path string) error) (string, error) {
	folder := filepath.Join(c.folder, key)
	path := filepath.Join(folder, name)
	now := time.Now()
	if os.Chtimes(folder, now, now) == nil {
		return path, nil
	}
	work, err := os.MkdirTemp(c.folder, "work")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := make(filepath.Join(work, name)); err != nil {
		return "", err
	}
	return path, os.Rename(work, folder)
}

// prune removes what has not been asked for; what cannot be removed stays.
func (c *cache) prune() {
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && time.Since(info.ModTime()) > kept {
			os.RemoveAll(filepath.Join(c.folder, e.Name()))
		}
	}
}

// key is a hash of texts.
func key(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// contents are the names and texts of sources, and of all sources in folders.
func contents(paths []string) (string, error) {
	var all strings.Builder
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !slices.Contains([]string{".h", ".cpp", ".cu", ".cuh"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			fmt.Fprintf(&all, "%s %d\n%s", filepath.Base(path), len(text), text)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return all.String(), nil
}
