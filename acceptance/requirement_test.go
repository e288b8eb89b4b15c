package acceptance

import "testing"

// TestRequirement has a subtest for each scenario of the requirement under its
// own name, and one for each of its sentences that no scenario shows, named by
// the sentence.
func TestRequirement(t *testing.T) {
	t.Parallel()
	t.Run("Временные ключи и ссылки внутри пакета", func(t *testing.T) {
		t.Parallel()
		play(t, temporaryKeys())
	})
	t.Run("Ошибки и подтверждение по состоянию", func(t *testing.T) {
		t.Parallel()
		play(t, errorsOfCommands())
		play(t, redelivery())
		play(t, confirmation())
	})
}
