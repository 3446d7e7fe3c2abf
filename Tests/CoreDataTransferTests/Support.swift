import CoreDataTransfer
import Foundation
import FoundationNetworking
import LockKit
import Testing

/// The code of the error that a block throws, nil if it throws none or another.
func transferCode(_ body: () async throws -> Void) async -> TransferError.Code? {
    await transferError(body)?.code
}

/// The error that a block throws, nil if it throws none or another.
func transferError(_ body: () async throws -> Void) async -> TransferError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? TransferError
    }
}

/// Values that several threads collect.
final class Collected<Value: Sendable>: Sendable {
    private let all = Locked<[Value]>([])

    func append(_ value: Value) { all.withLock { $0.append(value) } }
    var values: [Value] { all.withLock { $0 } }
}

extension Data {
    /// Bytes that repeat only after all of 251.
    static func pattern(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) }) }
}
