import Foundation
import LockKit
import PeerKit

/// Writes a resource of a peer to a temporary file, on a queue of its own.
final class ResourceReceiver: Sendable {
    private let channel: IncomingChannel
    private let name: String
    private let size: Int64
    private let peer: MCPeerID
    private let core: SessionCore
    private let progress: Progress
    private let url: URL
    private let queue = DispatchQueue(label: "MultipeerConnectivity.ResourceReceiver")
    private let state: Locked<(handle: FileHandle?, written: Int64, isEnded: Bool)>
    private let confirm: @Sendable (String?) -> Void

    /// Begins to receive; refuses what has no size or is too large.
    ///
    /// - Parameter confirm: Says to the other side that everything has come, or why not.
    static func receive(
        _ channel: IncomingChannel, _ description: ChannelDescription, _ peer: MCPeerID, _ core: SessionCore,
        confirm: @escaping @Sendable (String?) -> Void
    ) {
        let limit = core.state.withLock { $0.resourceLimit }
        guard let size = description.size, size >= 0, size <= limit else {
            let reason = "a resource may have at most \(limit) bytes"
            channel.cancel(reason)
            // All of a small resource has come already, and its channel has ended.
            return confirm(reason)
        }
        let receiver = ResourceReceiver(channel, description.plainName, size, peer, core, confirm)
        receiver.start()
    }

    private init(
        _ channel: IncomingChannel, _ name: String, _ size: Int64, _ peer: MCPeerID, _ core: SessionCore,
        _ confirm: @escaping @Sendable (String?) -> Void
    ) {
        (self.channel, self.name, self.size, self.peer) = (channel, name, size, peer)
        (self.core, self.confirm) = (core, confirm)
        progress = Progress(totalUnitCount: size)
        let folder = FileManager.default.temporaryDirectory
        // A name of our own: that of the other side is only shown.
        url = folder.appendingPathComponent("peer-\(UUID().uuidString)")
        let isMade = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        state = Locked((isMade ? try? FileHandle(forWritingTo: url) : nil, 0, false))
    }

    private func start() {
        let (name, peer, progress) = (name, peer, progress)
        progress.cancellationHandler = { [weak self] in
            guard let self else { return }
            queue.async { self.fail(MCError(.cancelled, "the resource was refused")) }
        }
        core.report(.resourceStarted(peer, name: name, progress)) {
            $0.session($1, didStartReceivingResourceWithName: name, fromPeer: peer, with: progress)
        }
        channel.setHandler { self.queue.async { self.take() } }
    }

    private func take() {
        guard !state.withLock({ $0.isEnded }) else { return }
        do {
            for piece in channel.takePieces() { try write(piece) }
            switch channel.end {
            case .complete: try finish()
            case .failed(let reason): fail(MCError(.cancelled, reason))
            case nil: break
            }
        } catch {
            fail(
                error as? MCError
                    ?? MCError(.unknown, "the file cannot be written: \(error)", hint: "make room on the disk"))
        }
    }

    private func write(_ bytes: Data) throws {
        let (handle, written) = state.withLock { ($0.handle, $0.written) }
        guard let handle else { throw MCError(.unknown, "no temporary file can be made at \(url.path)") }
        guard written + Int64(bytes.count) <= size else {
            throw MCError(.invalidParameter, "the resource has more than the \(size) bytes that were announced")
        }
        try handle.write(contentsOf: bytes)
        state.withLock { $0.written += Int64(bytes.count) }
        progress.completedUnitCount = written + Int64(bytes.count)
    }

    private func finish() throws {
        let (handle, written) = state.withLock { ($0.handle, $0.written) }
        guard written == size else {
            throw MCError(.invalidParameter, "the resource ended after \(written) of \(size) bytes")
        }
        try handle?.close()
        end()
        confirm(nil)
        let (name, peer, url) = (name, peer, url)
        core.report(.resourceFinished(peer, name: name, .success(url))) {
            $0.session($1, didFinishReceivingResourceWithName: name, fromPeer: peer, at: url, withError: nil)
        }
    }

    private func fail(_ error: MCError) {
        guard !state.withLock({ $0.isEnded }) else { return }
        channel.cancel(error.reason)
        confirm(error.reason)
        try? state.withLock { $0.handle }?.close()
        end()
        try? FileManager.default.removeItem(at: url)
        let (name, peer) = (name, peer)
        core.report(.resourceFinished(peer, name: name, .failure(error))) {
            $0.session($1, didFinishReceivingResourceWithName: name, fromPeer: peer, at: nil, withError: error)
        }
    }

    private func end() {
        state.withLock { ($0.isEnded, $0.handle) = (true, nil) }
        // The channel keeps its handler, and that the receiver.
        channel.setHandler {}
    }
}
