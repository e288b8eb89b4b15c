// Package web serves the pages, which Vite builds from src into dist/built (`make web`). Without that build the package
// compiles all the same, and says so to whoever looks.
package web
