package instance

import (
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/allowlist"
)

// withPlaces says where plugins and checkpoints are, and which plugins may run.
func (db *DB) withPlaces(request host.Request) host.Request {
	place(db, &request.PluginDir, &request.Allowed)
	if request.CheckpointDir == "" {
		request.CheckpointDir = db.checkpoints()
	}
	return request
}

// place says of any request where plugins are, and which of them the owner of the database has enabled: that is read
// anew, since it may have been changed while the database is open.
func place(db *DB, pluginDir *string, allowed *host.Devices) {
	if *pluginDir == "" {
		*pluginDir = db.plugins.Dir()
	}
	allowed.Enabled = allowlist.Read(db.dir)
}
