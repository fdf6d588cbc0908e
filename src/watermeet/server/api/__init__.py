"""How clients speak with the server: documents by REST, what is live by a socket."""
