"""Learning: short lessons on the rules, each with questions that nobody wrote down: they come from the rules and the engine itself."""
