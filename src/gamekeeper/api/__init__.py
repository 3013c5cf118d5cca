"""The public interface over HTTP."""
