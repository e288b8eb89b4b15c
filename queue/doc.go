// Package queue is the domain of the hub: the life of a command, temporary keys, cascades, confirming by state,
// the pace, the mirror and the notes. Its rules are pure functions over plain structs; beside them stands one verb
// a file, each of which locks the site, loads one view, decides and applies. It imports the standard library only;
// what it needs of the world it names in Store, Reader and Waker.
package queue
