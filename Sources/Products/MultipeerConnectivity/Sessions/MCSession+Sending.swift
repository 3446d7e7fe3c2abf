import Foundation
import PeerKit

extension MCSession {
    /// Sends a message to peers.
    ///
    /// Reliable messages arrive whole, once and in order. Up to 64 MiB of them wait for a peer that takes them slowly. Of
    /// unreliable ones at most 256 KiB wait, and the oldest are dropped.
    ///
    /// - Throws: ``MCError``: `notConnected` if one of the peers is not, and then none receives it; `invalidParameter`
    ///   without peers; `unavailable` for a message of more than 16 MiB (128 KiB, if it is unreliable) or if too many wait.
    public func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
        guard !peerIDs.isEmpty else {
            throw MCError(.invalidParameter, "a message has no receivers", hint: "give at least one connected peer")
        }
        let links = try peerIDs.map { try core.link(to: $0) }
        for link in links { try MCError.translated { try link.connection.send(data, isReliable: mode == .reliable) } }
    }

    /// Sends a file to a peer, beside messages, which it does not delay.
    ///
    /// - Parameter completionHandler: Called once, on a private queue: without an error when the other side has the whole file.
    /// - Returns: The progress, by bytes; cancelling it ends the sending. nil if it did not begin.
    @discardableResult
    public func sendResource(
        at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) -> Progress? {
        do {
            return try beginSending(resourceURL, resourceName, peerID) { error in
                completionHandler?(error)
            }
        } catch {
            core.endpoint.queue.async { completionHandler?(error) }
            return nil
        }
    }

    private func beginSending(
        _ url: URL, _ name: String, _ peer: MCPeerID, _ completion: @escaping @Sendable (MCError?) -> Void
    ) throws -> Progress {
        guard url.isFileURL else {
            throw MCError(
                .unsupported, "only files are sent as resources", hint: "download \(url.scheme ?? "it") first")
        }
        guard !name.isEmpty, name.utf8.count <= 255 else {
            throw MCError(
                .invalidParameter, "the name of a resource has \(name.utf8.count) bytes; 1 to 255 are allowed")
        }
        let link = try core.link(to: peer)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let size = (attributes[.size] as? NSNumber)?.int64Value
        else { throw MCError(.invalidParameter, "\(url.lastPathComponent) is not a regular file") }
        let progress = Progress(totalUnitCount: size)
        let sender = ResourceSender(try FileHandle(forReadingFrom: url), size: size, link: link, progress: progress)
        let queue = core.endpoint.queue
        let number = try link.open(ChannelDescription(kind: "resource", name: name, size: size)) { number in
            link.await(number) { error in queue.async { completion(error) } }
            return sender
        }
        sender.start(number)
        return progress
    }

    /// Opens a stream of bytes to a peer, which must be opened before it is written.
    ///
    /// The stream is written with a delegate on a run loop or by waiting. It has no properties, and no `getBuffer`.
    ///
    /// - Throws: ``MCError`` with `notConnected`, or `unavailable` with 64 streams and resources open to the peer.
    public func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
        guard !streamName.isEmpty, streamName.utf8.count <= 255 else {
            throw MCError(
                .invalidParameter, "the name of a stream has \(streamName.utf8.count) bytes; 1 to 255 are allowed")
        }
        let link = try core.link(to: peerID)
        let channel = StreamChannel(link)
        let number = try link.open(ChannelDescription(kind: "stream", name: streamName)) { _ in channel }
        channel.assign(number)
        return PeerOutputStream(channel)
    }
}
