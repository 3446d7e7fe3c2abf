import Foundation
import LockKit
import PeerKit

/// Sends a file on a channel, as fast as the channel takes it; the file is read on a queue of its own.
final class ResourceSender: ChannelSender {
    private static let blockBytes = 256 << 10
    private let handle: FileHandle
    private let size: Int64
    private let link: SessionLink
    private let progress: Progress
    private let queue = DispatchQueue(label: "MultipeerConnectivity.ResourceSender")
    /// The number of the channel, and whether the file was sent or the sending has ended.
    private let state = Locked((number: UInt32(0), isEnded: false, sent: Int64(0)))

    init(_ handle: FileHandle, size: Int64, link: SessionLink, progress: Progress) {
        (self.handle, self.size, self.link, self.progress) = (handle, size, link, progress)
    }

    func start(_ number: UInt32) {
        state.withLock { $0.number = number }
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        drained()
    }

    func drained() { queue.async { self.sendBlocks() } }

    func ended(_ error: MCError) {
        state.withLock { $0.isEnded = true }
        queue.async { try? self.handle.close() }
    }

    private func cancel() {
        let (number, isEnded) = state.withLock { state in
            defer { state.isEnded = true }
            return (state.number, state.isEnded)
        }
        guard !isEnded else { return }
        link.connection.end(number, reason: "the sender has cancelled")
        link.finish(number, MCError(.cancelled, "the sending was cancelled"))
    }

    private func sendBlocks() {
        do {
            while !state.withLock({ $0.isEnded }) {
                let (number, sent) = state.withLock { ($0.number, $0.sent) }
                let block = try handle.read(upToCount: Int(min(Int64(Self.blockBytes), size - sent))) ?? Data()
                guard !block.isEmpty else { return try end(number, isWhole: sent == size) }
                let total = sent + Int64(block.count)
                state.withLock { $0.sent = total }
                let hasRoom = try link.connection.append(block, to: number)
                progress.completedUnitCount = total
                if total == size { return try end(number, isWhole: true) }
                guard hasRoom else { return }
            }
        } catch {
            let number = state.withLock { $0.number }
            link.connection.end(number, reason: "the file cannot be read")
            link.finish(number, error as? MCError ?? MCError(.unknown, "the file cannot be read: \(error)"))
        }
    }

    private func end(_ number: UInt32, isWhole: Bool) throws {
        guard isWhole else {
            throw MCError(
                .unknown, "the file became shorter while it was sent", hint: "send a file that is not changed")
        }
        state.withLock { $0.isEnded = true }
        link.connection.end(number)
        try handle.close()
    }
}
