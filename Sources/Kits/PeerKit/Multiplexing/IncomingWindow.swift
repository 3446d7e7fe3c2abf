/// What the other side may send on a channel.
struct IncomingWindow: Sendable {
    let window: Int
    private var used = 0
    private var creditDue = 0

    init(window: Int) { self.window = window }

    /// - Throws: `PeerFailure` with `invalid` if more came than was allowed.
    mutating func receive(_ count: Int) throws {
        guard count > 0, used + count <= window else {
            throw PeerFailure(.invalid, "\(count) bytes came on a channel that allows \(window - used)")
        }
        used += count
    }

    /// Makes room; returns the credit to be sent, if that is worth a frame.
    mutating func consumed(_ count: Int) -> Int? {
        used -= min(used, count)
        creditDue += count
        guard creditDue >= window / 4 else { return nil }
        defer { creditDue = 0 }
        return creditDue
    }
}
