import Foundation

/// Puts the parts of unreliable messages together; drops what does not fit, and what misses its beginning.
struct UnreliableAssembler: Sendable {
    private let limit: Int
    private var parts: Data?
    /// Bytes of messages that are not consumed.
    private var held = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ part: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool) -> (Data, cost: Int)? {
        if isFirst { parts = Data() }
        guard var message = parts else { return nil }
        guard held + message.count + part.count + MessageQueue.overhead <= limit else {
            parts = nil
            return nil
        }
        message.append(contentsOf: part)
        parts = isLast ? nil : message
        guard isLast else { return nil }
        let cost = message.count + MessageQueue.overhead
        held += cost
        return (message, cost)
    }

    mutating func consumed(_ cost: Int) { held -= cost }

    /// Forgets an unfinished message, whose rest is lost with the wire.
    mutating func reset() { parts = nil }
}
