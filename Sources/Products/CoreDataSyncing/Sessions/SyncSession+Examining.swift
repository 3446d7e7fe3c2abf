import CoreDataGraph
import CoreDataStore
import CoreDataSync
import Foundation

extension SyncSession {
    /// Examines the store, its transport and its device, and changes none of them: whether the state of sync fits the rows, all items can be
    /// read and belong to peers that take part, peers are heard of, clocks are right, the file beside the store is in place, keys are private,
    /// and there is room.
    ///
    /// Takes time with the number of objects and of bytes on the transport.
    ///
    /// - Parameter repairing: Whether rows that bypassed the history are captured as edits first, by an exchange that compares all.
    /// - Throws: `SyncError` with the code `notJoined` if the store takes no part, errors of the store, and what ``exchange(comparing:)``
    ///   throws where it repairs.
    public func examine(repairing: Bool = false) async throws -> SyncExamination {
        try await perform { session in
            var examination = try session.examineNow()
            guard repairing else { return examination }
            let kinds: [SyncFinding.Kind] = [.differentRow, .unknownRow, .missingRow]
            let captured = kinds.reduce(0) { $0 + (examination.counts[$1.rawValue] ?? 0) }
            guard captured > 0 else { return examination }
            try session.exchangeNow(comparing: true)
            examination = try session.examineNow()
            examination.capturedRows = captured - kinds.reduce(0) { $0 + (examination.counts[$1.rawValue] ?? 0) }
            return examination
        }
    }

    private func examineNow() throws -> SyncExamination {
        var result = SyncExamination()
        let device = DeviceExamination(options: options, environment: ProcessInfo.processInfo.environment)
        do {
            result.add(try store.markFindings())
            try store.examining { transaction in
                try RowExamination(transaction: transaction).run { result.add($0) }
                guard let engine = transaction.engine else { throw SyncError.notJoined }
                let (meta, reader) = (engine.meta, StatusReader(transaction, engine))
                result.add(device.clock(meta, now: transaction.now))
                result.add(device.peers(try reader.peers(), now: transaction.now))
                result.add(try Self.state(meta, reader))
                try examineTransport(meta, transaction.now, &result)
            }
        } catch let error as FormatError {
            result.add(SyncFinding(.damagedState, place(of: persistentStore), "\(error)", cure: SyncError.cureOfState))
        }
        result.add(device.keys())
        if let folder = place as? FolderTransport, !FileManager.default.fileExists(atPath: folder.title) {
            result.add(
                SyncFinding(
                    .unreachableTransport, folder.title, "The shared folder does not exist.",
                    cure: "Mount it, or name the one that is used with --folder."))
        }
        let own = persistentStore.type == NSSQLiteStoreType ? persistentStore.url : nil
        let shared = place is FolderTransport ? place.address : nil
        result.add(device.rooms([own?.deletingLastPathComponent().path, shared].compactMap { $0 }))
        return result
    }

    /// How a finding names a store; addresses of servers may have passwords.
    private func place(of store: NSPersistentStore) -> String {
        guard let url = store.url, url.isFileURL else { return store.type }
        return url.path
    }

    private static func state(_ meta: SyncMeta, _ reader: StatusReader) throws -> [SyncFinding] {
        var findings: [SyncFinding] = []
        if let failure = try reader.failure() {
            findings.append(
                SyncFinding(
                    .failedExchange, failure.date.formatted(.iso8601), failure.message,
                    cure: failure.cure ?? "Exchange again."))
        }
        if meta.rebase != nil {
            findings.append(
                SyncFinding(
                    .waiting, meta.nextIdentity.description,
                    "The store waits for a peer that gives it the whole state.",
                    cure: "Exchange at a peer that takes part."))
        }
        return findings
    }

    private func examineTransport(_ meta: SyncMeta, _ now: UInt64, _ result: inout SyncExamination) throws {
        do {
            try TransportExamination(transport: place, meta: meta, now: now).run { result.add($0) }
        } catch {
            let known = error as? SyncError
            result.add(
                SyncFinding(
                    .unreachableTransport, place.title, known?.description ?? "\(error)",
                    cure: known?.cure ?? "Check the transport, and exchange again."))
        }
    }
}
