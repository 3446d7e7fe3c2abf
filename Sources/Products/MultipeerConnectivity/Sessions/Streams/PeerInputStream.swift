import Foundation
import PeerKit

/// The bytes of a peer's stream, as Foundation's input streams are read: with a delegate on a run loop, or by waiting.
final class PeerInputStream: InputStream {
    private let channel: IncomingChannel
    private let scheduling = StreamScheduling()
    private let condition = NSCondition()
    /// Guarded by the condition.
    private var status = Stream.Status.notOpen

    init(_ channel: IncomingChannel) {
        self.channel = channel
        super.init(data: Data())
        scheduling.attach(self)
    }

    deinit { channel.cancel("the stream was released") }

    override func open() {
        condition.lock()
        let isFirst = status == .notOpen
        if isFirst { status = .open }
        condition.unlock()
        guard isFirst else { return }
        scheduling.report(.openCompleted)
        let (scheduling, condition) = (scheduling, condition)
        channel.setHandler { [weak channel] in
            condition.lock()
            condition.broadcast()
            condition.unlock()
            scheduling.report(channel?.event ?? .endEncountered)
        }
    }

    override func close() {
        condition.lock()
        status = .closed
        condition.broadcast()
        condition.unlock()
        channel.setHandler {}
        channel.cancel("the stream was closed")
    }

    /// Waits for bytes; returns 0 at the end and -1 after a failure.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0 else { return 0 }
        condition.lock()
        while status == .open, channel.count == 0, channel.end == nil {
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
        }
        let isOpen = status == .open
        condition.unlock()
        guard isOpen else { return -1 }
        let bytes = channel.take(atMost: length)
        bytes.copyBytes(to: buffer, count: bytes.count)
        guard bytes.isEmpty else {
            // Who takes a part is reminded of the rest.
            if channel.count > 0 || channel.end != nil { scheduling.report(channel.event) }
            return bytes.count
        }
        return channel.end == .complete ? 0 : -1
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { channel.count > 0 }

    override var streamStatus: Stream.Status {
        condition.lock()
        defer { condition.unlock() }
        guard status == .open else { return status }
        switch channel.end {
        case .complete: return .atEnd
        case .failed: return .error
        case nil: return .open
        }
    }

    override var streamError: (any Error)? {
        guard case .failed(let reason) = channel.end else { return nil }
        return MCError(.cancelled, reason)
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduling.add(runLoop, mode)
        if streamStatus != .notOpen, channel.count > 0 || channel.end != nil { scheduling.report(channel.event) }
    }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { scheduling.remove(runLoop, mode) }
}

extension IncomingChannel {
    /// What a stream reports of the channel.
    var event: Stream.Event {
        guard count == 0 else { return .hasBytesAvailable }
        switch end {
        case .failed: return .errorOccurred
        case .complete: return .endEncountered
        case nil: return .hasBytesAvailable
        }
    }
}
