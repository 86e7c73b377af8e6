package plugins

// ExtensionFiles lets Upload name a file that holds the chunk, at any offset: Command.File.
// A device describes it by MapsFiles. Job.Chunk maps the file, read-only, and finds the bytes.
// chunk.OpenUnaligned opens them where they lie: values can begin at any address, so read them
// one by one, or by loads that allow it.
//
// A chunk in a file may have more edge columns than the task reads. Project to those that the
// program names before you Validate: the host has checked the checksums of no others. The
// file stays as it is until the plugin process ends. Such chunks count against the budget as
// those in the arena do, by what is read of them. The host names files only when all chunks
// fit the device together.
const ExtensionFiles Extension = "files"

// Chunk is the memory in which an Upload's chunk lies, in the arena or in a file.
func (j Job) Chunk(c Command) ([]byte, error) {
	var bytes []byte
	var err error
	if c.File == "" {
		bytes, err = j.Arena.Bytes(c.At)
	} else {
		bytes, err = j.Arena.File(c.File, c.At)
	}
	if err != nil {
		return nil, Errorf(KindInvalid, "%w", err)
	}
	return bytes, nil
}
