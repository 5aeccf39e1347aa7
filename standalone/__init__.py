"""The project in Pyodide, without a Python of one's own."""
