import Foundation

/// The bytes of a channel that wait to be sent.
struct OutgoingChannel: Sendable {
    /// Fewer waiting bytes than these mean that there is room for more.
    static let lowBytes = 128 << 10

    private var chunks: [Data] = []
    private var offset = 0
    private(set) var bytes = 0
    /// What the other side allows.
    var credit: Int
    /// Whether no more bytes follow, and the reason if the channel has failed.
    private(set) var ending: (isEnded: Bool, reason: String?) = (false, nil)
    /// Whether the source waits for room.
    var isAwaitingRoom = false

    init(credit: Int) { self.credit = credit }

    var canSend: Bool { bytes > 0 ? credit > 0 : ending.isEnded }

    mutating func append(_ data: Data) {
        guard !data.isEmpty, !ending.isEnded else { return }
        chunks.append(data)
        bytes += data.count
    }

    /// Ends the channel; what waits is sent first, unless it has failed.
    mutating func end(_ reason: String?) {
        guard !ending.isEnded else { return }
        ending = (true, reason)
        if reason != nil { (chunks, bytes, offset) = ([], 0, 0) }
    }

    mutating func takePart<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard let chunk = chunks.first, credit > 0 else { return nil }
        let count = min(chunk.count - offset, FrameHeader.payloadLimit, credit)
        let result = chunk.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
        offset += count
        bytes -= count
        credit -= count
        if offset == chunk.count {
            chunks.removeFirst()
            offset = 0
        }
        return result
    }
}
