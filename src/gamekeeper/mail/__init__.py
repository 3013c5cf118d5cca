"""Mail: letters written from templates and handed to an SMTP server."""
