"""The MCP door over stdio: its own small loop, so that the first reply costs nothing."""
