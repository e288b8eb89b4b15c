package main

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
)

// mappers read what kong's own would refuse in words of Go's.
func mappers() []kong.Option {
	return []kong.Option{
		kong.TypeMapper(reflect.TypeFor[time.Duration](), reading(time.ParseDuration,
			"is no time: it is written in h, m and s, such as 720h or 1h30m, and is at most 2562047h")),
		kong.TypeMapper(reflect.TypeFor[float64](), reading(func(text string) (float64, error) {
			return strconv.ParseFloat(text, 64)
		}, "is no number")),
		kong.TypeMapper(reflect.TypeFor[int32](), reading(func(text string) (int32, error) {
			number, err := strconv.ParseInt(text, 10, 32)

			return int32(number), err
		}, "is no whole number, or too large a one")),
	}
}

// reading maps a value by read; what it refuses is so.
func reading[T any](read func(string) (T, error), so string) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return err //nolint:wrapcheck // kong says which flag lacks its value
		}

		value, err := read(text)
		if err != nil {
			return fmt.Errorf("%q %s", text, so)
		}

		target.Set(reflect.ValueOf(value))

		return nil
	})
}

// hinted adds where to look to the error of whoever has not come to a command.
func hinted(err error) error {
	refused, ok := errors.AsType[*kong.ParseError](err)
	if !ok || refused.Context.Selected() != nil && refused.Context.Selected().Type == kong.CommandNode && refused.Context.Selected().Leaf() {
		return err
	}

	return fmt.Errorf("%w; hub --help lists the commands, hub version prints the version", err)
}
