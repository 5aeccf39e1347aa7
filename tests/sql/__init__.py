"""Tables, views and triggers: what they refuse, and every figure beside the oracle."""
