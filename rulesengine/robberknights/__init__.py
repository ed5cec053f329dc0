"""Robber Knights (Raubritter): tiles, castles and knights for two to four players."""
