package plugins

// ExtensionPeers lets a device copy a chunk from another device, so that it crosses the host's
// link once. Description.Peers names the way; devices that name the same understand each other.
//
// The Upload of the first device has Export set, and its answer says in Export where the chunk
// lies, in words that only its peers understand. The Upload of the next has them in Import. It
// is an Upload as any other, At is there: a device that has no use for Import, or fails with
// it, takes the chunk from the arena. One that has taken it says Imported; one that could not may
// say why in Declined. This host gives each device of a chain its own edges, and has no use for it.
//
// What is lent stays as it is until its Evict, which the host holds back until the next device
// has answered; what is never evicted, until Close, which comes when no session of the run is
// in Execute any more: by then, borrow nothing. What is copied is checked as any chunk is.
const ExtensionPeers Extension = "peers"
