"""What an engine has no kernel for."""
