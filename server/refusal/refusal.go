// Package refusal makes the errors with which the server itself turns a request down, before any resolver ran. Each
// has the contract's extensions.code and extensions.status.
package refusal

import (
	"fmt"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The codes with which the server itself refuses.
const (
	badRequestCode  = "BAD_REQUEST"
	tooComplexCode  = "TOO_COMPLEX"
	tooLargeCode    = "TOO_LARGE"
	unavailableCode = "UNAVAILABLE"
	rateLimitedCode = "RATE_LIMITED"
)

// BadRequest refuses what is no proper request.
func BadRequest(format string, args ...any) *gqlerror.Error {
	return refuse(badRequestCode, http.StatusBadRequest, format, args...)
}

// TooComplex refuses an operation that asks for too much.
func TooComplex(format string, args ...any) *gqlerror.Error {
	return refuse(tooComplexCode, http.StatusBadRequest, format, args...)
}

// TooLarge refuses a body that is too large.
func TooLarge(format string, args ...any) *gqlerror.Error {
	return refuse(tooLargeCode, http.StatusRequestEntityTooLarge, format, args...)
}

// RateLimited refuses what is too much at once.
func RateLimited(format string, args ...any) *gqlerror.Error {
	return refuse(rateLimitedCode, http.StatusTooManyRequests, format, args...)
}

// Unavailable says that this cannot be answered now and is safe to repeat.
func Unavailable(format string, args ...any) *gqlerror.Error {
	return refuse(unavailableCode, http.StatusServiceUnavailable, format, args...)
}

// StatusOf is the error's extensions.status, or 500 where it has none.
func StatusOf(err *gqlerror.Error) int {
	if status, ok := err.Extensions["status"].(int); ok {
		return status
	}

	return http.StatusInternalServerError
}

func refuse(code string, status int, format string, args ...any) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf(format, args...),
		Extensions: map[string]any{"code": code, "status": status},
	}
}
