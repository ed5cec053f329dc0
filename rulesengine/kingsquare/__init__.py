"""KingSquare: kingdoms that build, and fight over a table without a grid; five dated editions."""
