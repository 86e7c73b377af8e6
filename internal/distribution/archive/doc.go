// Package archive writes and reads the files in which plugins travel: a tar of plain files, compressed by Zstandard.
//
// What is written depends on names and contents alone: entries are sorted, but for the one that comes first; they have
// no owner, no time, and one of two modes. So two people who pack the same files get the same bytes, from the same
// version of this program.
//
// What is read may come from anybody. Read takes nothing but files, under names that stay where they are put on every
// system, within limits on how many there are and how large they are together; it needs no more memory than Window and
// some buffers, whatever the archive says.
package archive
