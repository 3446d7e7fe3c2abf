import CoreDataSyncing
import CoreDataTransfer
import Foundation
import FoundationNetworking

/// The requests that a client makes of a hub, each of which ends: sizes and times are bounded, and redirects are not followed.
struct HubClient: Sendable {
    /// The seconds for which the hub is asked to wait for a change.
    private static let patience = 50
    /// The bytes from which on the hub is asked whether it takes an item before the item is sent.
    private static let largeItem = 256 << 10

    let address: HubAddress
    let failures: HubFailures
    /// For lists and removals.
    private let quick: TransferSession
    /// For items, which may be large.
    private let slow: TransferSession

    init(_ address: HubAddress, key: HubKey?) {
        self.address = address
        failures = HubFailures(title: address.url.absoluteString, ownPin: key?.pin)
        quick = Self.session(address, key, seconds: 120)
        slow = Self.session(address, key, seconds: 3_600)
    }

    private static func session(_ address: HubAddress, _ key: HubKey?, seconds: TimeInterval) -> TransferSession {
        var configuration = TransferConfiguration()
        configuration.transferTimeout = seconds
        configuration.maximumRedirects = 0
        configuration.keepsCookies = false
        if let key, let pin = address.pin {
            configuration.pinnedKeys = PinnedKeys(server: pin.bytes, own: key.file)
        }
        return TransferSession(configuration: configuration)
    }

    /// What has changed since a state, or all items.
    func list(since cursor: HubCursor?) throws -> HubList {
        let request = request("GET", query: cursor.map { "since=\($0)" })
        return try Self.list(Self.waiting(quick).data(for: request, options: Self.options(HubList.greatestSize)).0)
    }

    /// Waits until something has changed since a state, or for a while.
    func nextList(since cursor: HubCursor?) async throws -> HubList {
        var request = request("GET", query: cursor.map { "since=\($0)&wait=\(Self.patience)" })
        request.timeoutInterval = TimeInterval(Self.patience + 30)
        return try Self.list(try await quick.data(for: request, options: Self.options(HubList.greatestSize)).0)
    }

    private static func list(_ data: Data) throws -> HubList {
        guard let list = HubList(reading: data) else { throw HubFailures.unreadableList }
        return list
    }

    /// The first bytes of an item; nil if it is gone.
    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        try failures.naming("read '\(item.name)'") {
            var request = request("GET", item.name)
            // Of nothing no range can be asked for.
            let most = max(1, limit)
            if item.size > most { request.setValue("bytes=0-\(most - 1)", forHTTPHeaderField: "Range") }
            do {
                let (data, _) = try Self.waiting(slow).data(for: request, options: Self.options(most))
                guard data.count == min(item.size, most) else {
                    throw HubFailures.wrongLength(data.count, of: item.size)
                }
                return Array(data.prefix(limit))
            } catch let error as TransferError where error.code == .status(404) {
                return nil
            }
        }
    }

    func write(_ bytes: [UInt8], named name: String) throws {
        try failures.naming("write '\(name)'") {
            var request = request("PUT", name)
            request.httpBody = Data(bytes)
            if bytes.count >= Self.largeItem { request.setValue("100-continue", forHTTPHeaderField: "Expect") }
            _ = try Self.waiting(slow).data(for: request, options: Self.options(4_096))
        }
    }

    func remove(_ name: String) throws {
        try failures.naming("remove '\(name)'") {
            do {
                _ = try Self.waiting(quick).data(for: request("DELETE", name), options: Self.options(4_096))
            } catch let error as TransferError where error.code == .status(404) {
                return
            }
        }
    }

    private func request(_ method: String, _ name: String? = nil, query: String? = nil) -> URLRequest {
        var url = name.map { address.url.appendingPathComponent($0) } ?? address.url
        if let query, let asking = URL(string: url.absoluteString + "?" + query) { url = asking }
        var request = URLRequest(url: url)
        request.httpMethod = method
        // What is unpacked might be more than what is sent.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }

    private static func waiting(_ session: TransferSession) -> BlockingTransfers {
        BlockingTransfers(session: session, allowsMainThread: true)
    }

    private static func options(_ limit: Int) -> TransferOptions {
        var options = TransferOptions()
        options.maximumBodySize = limit
        return options
    }
}
