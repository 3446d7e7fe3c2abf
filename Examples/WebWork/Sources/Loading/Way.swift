/// The ways in which a program can wait for the web.
enum Way: String, CaseIterable, Sendable {
    /// The contents of a URL in one call, which waits.
    case contents
    /// A request and its response in one call, which waits.
    case synchronous
    /// A response whose body comes in pieces; nothing waits.
    case asynchronous
}

/// What is loaded.
enum Kind: String, Sendable {
    case image, text
}
