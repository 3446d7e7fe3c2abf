import Foundation

/// Messages that wait to be sent, and how far the first one has got.
struct MessageQueue: Sendable {
    private var messages: [Data] = []
    private var start = 0
    private var offset = 0
    /// Bytes that wait, with `MessageQueue.overhead` for each message.
    private(set) var bytes = 0

    /// What a message costs besides its bytes, so that a flood of empty ones is bounded too.
    static let overhead = 64

    var isEmpty: Bool { start == messages.count }
    var isInsideMessage: Bool { offset > 0 }

    mutating func append(_ message: Data) {
        messages.append(message)
        bytes += message.count + Self.overhead
    }

    /// What the next part costs at the other side.
    var nextCost: Int {
        isEmpty ? 0 : min(messages[start].count - offset, FrameHeader.payloadLimit) + Self.overhead
    }

    /// Calls `body` with the next part.
    mutating func takePart<Result>(
        _ body: (UnsafeRawBufferPointer, _ isFirst: Bool, _ isLast: Bool) -> Result
    ) -> Result? {
        guard !isEmpty else { return nil }
        let message = messages[start]
        let count = min(message.count - offset, FrameHeader.payloadLimit)
        let isLast = offset + count == message.count
        let result = message.withUnsafeBytes { all in
            body(UnsafeRawBufferPointer(rebasing: all[offset..<offset + count]), offset == 0, isLast)
        }
        offset += count
        if isLast { removeFirst() }
        return result
    }

    /// Forgets the oldest message that has not been begun; false if there is none.
    mutating func dropOldest() -> Bool {
        let place = offset > 0 ? start + 1 : start
        guard place < messages.count else { return false }
        bytes -= messages[place].count + Self.overhead
        messages.remove(at: place)
        return true
    }

    mutating func removeAll() { self = MessageQueue() }

    private mutating func removeFirst() {
        bytes -= messages[start].count + Self.overhead
        messages[start] = Data()
        start += 1
        offset = 0
        if start == messages.count {
            messages = []
            start = 0
        } else if start > 256, start > messages.count / 2 {
            messages.removeFirst(start)
            start = 0
        }
    }
}
