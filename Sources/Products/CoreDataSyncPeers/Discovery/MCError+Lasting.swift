import MultipeerConnectivity

extension MCError {
    /// Whether the same happens again when the two connect again: people, keys or versions decided so.
    var isLasting: Bool { [.cancelled, .invalidParameter, .unsupported].contains(code) }
}
