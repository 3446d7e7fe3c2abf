import CCurl
import Foundation
import FoundationNetworking
import LockKit

/// Takes the body of an accepted response, on the session's thread.
protocol BodyReceiver: AnyObject, Sendable {
    /// Called once, before the first bytes.
    func begin(_ response: HTTPURLResponse) throws
    /// Takes all of some bytes; false if there is no room, after which the same bytes come again once the receiver asks the
    /// engine to continue.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool
}

/// Collects a body in memory.
final class DataReceiver: BodyReceiver {
    private let limit: Int?
    private let collected = Locked(Data())
    private let url = Locked<URL?>(nil)

    init(limit: Int?) { self.limit = limit }

    var data: Data { collected.withLock { $0 } }

    func begin(_ response: HTTPURLResponse) {
        url.withLock { $0 = response.url }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let count = collected.withLock { data in
            let count = data.count + bytes.count
            if count <= limit ?? .max { data.append(contentsOf: bytes) }
            return count
        }
        if let limit, count > limit { throw TransferError.tooLarge(limit, url.withLock { $0 }) }
        return true
    }
}

extension TransferError {
    static func tooLarge(_ limit: Int, _ url: URL?) -> TransferError {
        TransferError(.bodyTooLarge, url, "the body is larger than the \(limit) bytes that are allowed")
    }
}
