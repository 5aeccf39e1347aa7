"""The file: opened, proven, kept, brought back."""
