import Foundation

/// Puts the parts of reliable messages together, and counts what the other side may still send.
///
/// A part costs its bytes and `MessageQueue.overhead`. What a message costs is given back when it is consumed, but while a
/// message is larger than half the window its earlier parts are given back at once: else it would never arrive. So at most
/// two messages of the largest size wait, besides small ones in the window.
struct MessageAssembler: Sendable {
    private let window: Int
    private let limit: Int
    private var parts = Data()
    /// What the parts have cost and was not given back.
    private var held = 0
    /// What the other side has used of the window.
    private var used = 0
    /// What may be given back with the next credit.
    private(set) var creditDue = 0

    init(window: Int, limit: Int) { (self.window, self.limit) = (window, limit) }

    /// Takes a part; returns the message with what it costs if it was the last one.
    ///
    /// - Throws: `PeerFailure` with `invalid` if more was sent than was allowed.
    mutating func append(_ part: UnsafeRawBufferPointer, isLast: Bool) throws -> (Data, cost: Int)? {
        let cost = part.count + MessageQueue.overhead
        guard used + cost <= window else {
            throw PeerFailure(.invalid, "more bytes of messages came than the window of \(window) allows")
        }
        guard parts.count + part.count <= limit else {
            throw PeerFailure(.limit, "a message has more than \(limit) bytes", hint: "send it as a resource")
        }
        used += cost
        held += cost
        if isLast, parts.isEmpty {
            defer { held = 0 }
            return (Data(part), held)
        }
        parts.append(contentsOf: part)
        guard isLast else {
            if held > window / 2 { giveBackHeld() }
            return nil
        }
        defer { (parts, held) = (Data(), 0) }
        return (parts, held)
    }

    private mutating func giveBackHeld() {
        consumed(held)
        held = 0
    }

    /// Makes room for as much as a message has cost.
    mutating func consumed(_ cost: Int) {
        used -= cost
        creditDue += cost
    }

    /// The credit to be sent, if that is worth a frame.
    mutating func takeCredit() -> Int? {
        guard creditDue >= window / 4 else { return nil }
        defer { creditDue = 0 }
        return creditDue
    }
}
