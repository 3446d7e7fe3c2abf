import CoreDataSync
import Foundation

/// A small file beside a store in a file, by which a copy of the store, or an older state of it, is noticed.
///
/// It has a random number, the identity of the peer and the sequence of its last transaction: a copied store has no such file, or one of
/// another place; a restored one is behind it. A store without a file needs none.
final class InstanceMark {
    /// What the file has.
    struct Content: Codable {
        var instance: [UInt8] = []
        var identity: PeerID?
        var highWater: UInt64?
        /// The account whose data the store has.
        var account: String?

        private enum CodingKeys: String, CodingKey {
            case account
            case instance
            case identity
            case highWater
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            instance = Array(try values.decode(String.self, forKey: .instance).utf8)
            identity = try values.decodeIfPresent(String.self, forKey: .identity).flatMap { PeerID($0) }
            highWater = try values.decodeIfPresent(UInt64.self, forKey: .highWater)
            account = try values.decodeIfPresent(String.self, forKey: .account)
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(String(decoding: instance, as: UTF8.self), forKey: .instance)
            try values.encodeIfPresent(identity?.description, forKey: .identity)
            try values.encodeIfPresent(highWater, forKey: .highWater)
            try values.encodeIfPresent(account, forKey: .account)
        }
    }

    let url: URL?
    private var content: Content?

    /// - Parameter store: The store's file; nil for a store without one.
    init(store: URL?) { url = store.map { URL(fileURLWithPath: $0.path + "-sync") } }

    /// Whether the file is there and names a peer: the store took part.
    var namesPeer: Bool { identity != nil }

    /// The peer that the file names.
    var identity: PeerID? { present?.identity }

    /// What the file has; nil if it is missing or damaged.
    var present: Content? {
        url.flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode(Content.self, from: $0) }
    }

    /// Reads the file; a missing or damaged one is made again, so that the store is taken for a copy.
    func read(making isNew: Bool) throws -> Content {
        guard let url else { return Content() }
        if !isNew, let known = present {
            content = known
            return known
        }
        var made = Content()
        made.instance = Array(UUID().uuidString.utf8)
        made.account = present?.account
        do {
            try write(made, to: url)
        } catch {
            throw SyncError(
                .unsuitableStore, "The file '\(url.lastPathComponent)' beside the store cannot be written.",
                cure: "Make the folder of the store writable.")
        }
        content = made
        return made
    }

    /// Notes the last own transaction. Where that fails the store only knows less of its past.
    func note(identity: PeerID, highWater: UInt64) {
        guard let url, var next = content, next.identity != identity || (next.highWater ?? 0) < highWater else {
            return
        }
        // Another process may have noted the account.
        next.account = account
        next.identity = identity
        next.highWater = highWater
        if (try? write(next, to: url)) != nil { content = next }
    }

    /// The account whose data the store has, if that is known.
    var account: String? { present?.account }

    /// Notes the account whose data the store has.
    ///
    /// - Throws: An error of the system where the file cannot be written.
    func note(account: String) throws {
        guard let url, self.account != account else { return }
        var next = present ?? Content()
        if next.instance.isEmpty { next.instance = Array(UUID().uuidString.utf8) }
        next.account = account
        try write(next, to: url)
        content = next
    }

    /// Removes the file: the store takes part no longer.
    func remove() { if let url { try? FileManager.default.removeItem(at: url) } }

    private func write(_ content: Content, to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(content).write(to: url, options: .atomic)
    }
}
