package jira

// Check finds what is wrong with the configuration itself, without calling anybody.
func (c Config) Check() error {
	_, err := newClient(c)

	return err
}
