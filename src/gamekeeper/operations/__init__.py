"""What operators run and watch: backups, checks of an installation, the overview."""
