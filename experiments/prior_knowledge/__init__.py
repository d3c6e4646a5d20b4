"""Knowledge, data and both together, after Rochery and others 2001."""
