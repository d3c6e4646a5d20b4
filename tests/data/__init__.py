"""Tables, schemas and parts."""
