import Foundation
import PeerKit

/// A stream to a peer, as Foundation's output streams are written: with a delegate on a run loop, or by waiting.
final class PeerOutputStream: OutputStream {
    private let channel: StreamChannel
    private let scheduling: StreamScheduling

    init(_ channel: StreamChannel) {
        self.channel = channel
        scheduling = channel.scheduling
        super.init(toMemory: ())
        scheduling.attach(self)
    }

    required init(toMemory: ()) {
        // Made only by its own initializer; Foundation requires this one.
        channel = StreamChannel(nil)
        scheduling = channel.scheduling
        super.init(toMemory: ())
    }

    deinit { channel.finish() }

    override func open() {
        guard channel.open() else { return }
        scheduling.report(.openCompleted)
        scheduling.report(.hasSpaceAvailable)
    }

    override func close() { channel.finish() }

    /// Waits for room; returns -1 after a failure.
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        channel.write(Data(bytes: buffer, count: max(0, min(length, 64 << 10))))
    }

    override var hasSpaceAvailable: Bool { channel.hasRoom }
    override var streamStatus: Stream.Status { channel.status }
    override var streamError: (any Error)? { channel.error }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        scheduling.add(runLoop, mode)
        if streamStatus == .open, hasSpaceAvailable { scheduling.report(.hasSpaceAvailable) }
    }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { scheduling.remove(runLoop, mode) }
}
