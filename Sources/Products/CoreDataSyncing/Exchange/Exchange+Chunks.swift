import CoreDataStore
import CoreDataSync

/// Chunks of large values are items of their own, written before the transactions that name them and read when those wait for them.
extension Exchange {
    /// How many chunks are read from the store, or from the transport, at once.
    private static let portionCount = 64
    /// How many items of chunks an exchange fails to read before it leaves the others for the next.
    private static let greatestFailures = 3
    /// How many chunks are asked for at once.
    private static let greatestRequest = 256

    // MARK: Writing

    /// Writes the items of a transaction, chunks first. What cannot be written is noticed by its record, and written by a later exchange.
    mutating func deliver(_ outbox: Outbox) throws {
        if writeFailure == nil {
            do {
                if chunks.isUploading { try sendChunks() }
                for item in outbox.items {
                    try transport.write(item.content.bytes(), named: item.name)
                    summary.writtenBytes += item.content.count
                }
                for name in outbox.removals { try transport.remove(name) }
                return
            } catch {
                writeFailure = error
            }
        }
        // What is of no use is removed nevertheless: it may be that there is no room.
        for name in outbox.obsolete { try transport.remove(name) }
    }

    /// Writes the chunks that are noted and not on the transport. A break loses none: those that were written are listed, and the others
    /// stay noted.
    private mutating func sendChunks() throws {
        let noted = try store.transaction { try $0.side.sideEntries(withPrefix: [AdapterKey.upload]) }
        var done: [[UInt8]] = []
        for start in stride(from: 0, to: noted.count, by: Self.portionCount) {
            let portion = noted[start..<min(start + Self.portionCount, noted.count)]
            let (finished, transfer) = (done, chunks)
            let contents = try store.transaction { transaction in
                for key in finished { transaction.note(key, nil) }
                return try portion.map { try Self.upload($0, transfer, transaction) }
            }
            done = portion.map(\.key)
            for upload in contents { if let upload { try send(upload) } }
        }
        let finished = done
        try store.transaction { transaction in for key in finished { transaction.note(key, nil) } }
        chunks.uploaded()
    }

    private struct Upload {
        let digest: ChunkDigest
        let content: [UInt8]
        /// Whether an item that is listed is read, since a peer could not use it.
        let isChecked: Bool
    }

    /// - Returns: nil for a chunk that is on the transport, or not in the store any more.
    private static func upload(
        _ entry: SideEntry, _ transfer: ChunkTransfer, _ transaction: StoreTransaction
    ) throws -> Upload? {
        let isChecked = entry.value?.first == 1
        guard let digest = ChunkDigest(entry.key.dropFirst()),
            let size = try ChunkTable.size(of: digest, transaction.storage),
            isChecked || transfer.candidates(digest, size: size).isEmpty,
            let content = try transaction.side.sideValue(for: ChunkTable.contentKey(digest))
        else { return nil }
        return Upload(digest: digest, content: content, isChecked: isChecked)
    }

    private mutating func send(_ upload: Upload) throws {
        let frame = SyncFrame.encode(.chunk(upload.content))
        if upload.isChecked {
            for item in chunks.candidates(upload.digest, size: upload.content.count) {
                if (try? transport.read(item, atMost: frame.count + 1)) == frame { return }
            }
        }
        guard let identity = identities.min() else { return }
        let own = (chunks.items[upload.digest] ?? []).first { item in
            ItemNames.writer(item.name).map { identities.contains($0) } ?? false
        }
        let name = own?.name ?? ItemNames.name(identity, upload.digest)
        try transport.write(frame, named: name)
        summary.writtenBytes += frame.count
        chunks.wrote(SyncItem(name: name, size: frame.count, stamp: ""), upload.digest)
    }

    /// Notes the chunks for which a peer asks: those that are not listed, those of this peer, whose items are checked, and those of peers that
    /// take part no longer.
    mutating func serve(_ digests: [ChunkDigest], _ transaction: StoreTransaction) throws {
        guard let meta = transaction.engine?.meta else { return }
        for digest in digests.prefix(Self.greatestRequest) {
            guard try ChunkTable.contains(digest, transaction.storage) else { continue }
            let writers = (chunks.items[digest] ?? []).map { ItemNames.writer($0.name) }
            let isOfOthers = writers.contains { writer in
                guard let writer, meta.members[writer] != nil else { return false }
                return meta.retired[writer] == nil && !identities.contains(writer)
            }
            let isOwn = writers.contains { $0.map { identities.contains($0) } ?? false }
            if isOwn || !isOfOthers { chunks.noteRequest(digest, isChecked: !writers.isEmpty, transaction) }
        }
    }

    // MARK: Reading

    /// Reads the chunks that are waited for and listed.
    ///
    /// - Returns: Whether a chunk arrived.
    mutating func fetchChunks() throws -> Bool {
        var tried: Set<String> = []
        var hasArrived = false
        while !chunks.missing.isEmpty {
            let portion = readChunks(&tried)
            guard !portion.isEmpty else { break }
            var hasChangedState = false
            try transact { exchange, transaction, outbox in
                let before = transaction.engine?.meta.rebase != nil
                let contents = portion.compactMap(\.content)
                if !contents.isEmpty { try transaction.handle(.chunks(contents, at: transaction.now)) }
                let missing = Set((transaction.engine?.missingChunks ?? []).map(\.digest))
                for read in portion {
                    guard missing.contains(read.digest) || read.content == nil else {
                        hasArrived = true
                        continue
                    }
                    exchange.refuse(read.item, transaction)
                }
                hasChangedState = before && transaction.engine?.meta.rebase == nil
                exchange.settleWaiting(transaction)
            }
            if hasChangedState { readWaitingAgain() }
        }
        return hasArrived
    }

    /// A chunk as it was read; the content is nil if the item has no chunk.
    private typealias ReadChunk = (digest: ChunkDigest, item: SyncItem, content: [UInt8]?)

    /// Reads chunks. Where an item cannot be read the exchange goes on without it, and fails in the end.
    private mutating func readChunks(_ tried: inout Set<String>) -> [ReadChunk] {
        var portion: [ReadChunk] = []
        for chunk in chunks.missing where portion.count < Self.portionCount && readFailures < Self.greatestFailures {
            let candidates = chunks.candidates(chunk.digest, size: chunk.size)
            guard let item = candidates.first(where: { !tried.contains($0.name) }) else { continue }
            tried.insert(item.name)
            do {
                guard let bytes = try transport.read(item, atMost: item.size + 1) else { continue }
                summary.readBytes += bytes.count
                guard case .chunk(let content)? = try? SyncFrame.decode(bytes) else {
                    portion.append((chunk.digest, item, nil))
                    continue
                }
                portion.append((chunk.digest, item, content))
            } catch let error as SyncError where error.code == .refusedItem {
                portion.append((chunk.digest, item, nil))
            } catch {
                readFailure = readFailure ?? error
                readFailures += 1
            }
        }
        return portion
    }

    /// Refuses an item whose bytes are not those of its chunk; it is said once, and another one is asked for.
    private mutating func refuse(_ item: SyncItem, _ transaction: StoreTransaction) {
        chunks.noteDamage(item, transaction)
        let reason = "the bytes are not those of the part of a large value that the name says"
        summary.refused.append(SyncSummary.Refusal(item: item.name, reason: reason))
    }

    /// Asks for the chunks that are waited for and not listed.
    mutating func askForChunks(_ transaction: StoreTransaction, _ outbox: inout Outbox) {
        chunks.forgetDamage(transaction)
        let missing = transaction.engine?.missingChunks ?? []
        let wanted = missing.filter { chunks.candidates($0.digest, size: $0.size).isEmpty }.map(\.digest)
        // Another copy that is damaged too makes it another request.
        let detail = chunks.damaged.sorted { $0.key < $1.key }.map { $0.key + $0.value }.joined()
        let request = Array(wanted.prefix(Self.greatestRequest))
        outbox.ask(for: request, SyncChecksum.text(of: Array(detail.utf8)), transaction, &records)
    }

    // MARK: Compaction

    /// Lets the engine forget what all members have, and removes the items of chunks that nothing names any more: those of this peer, and
    /// those of peers that take part no longer.
    mutating func compact(_ transaction: StoreTransaction, _ outbox: inout Outbox, isLong: Bool) throws {
        guard let engine = transaction.engine else { return }
        if try isLong || engine.hasChunksToForget(transaction.storage, at: transaction.now) {
            try transaction.handle(.compact)
            chunks.looksForUnused = true
        }
        guard chunks.looksForUnused, let engine = transaction.engine else { return }
        chunks.looksForUnused = false
        let awaited = engine.awaitedChunks
        let own = identities.union(engine.meta.formerIdentities)
        for (digest, items) in chunks.items where !awaited.contains(digest) {
            let removable = items.map(\.name).filter { name in
                guard let writer = ItemNames.writer(name) else { return false }
                return own.contains(writer) || engine.meta.retired[writer] != nil
            }
            guard !removable.isEmpty, try !ChunkTable.isKnown(digest, transaction.storage) else { continue }
            outbox.discard(chunks: removable)
        }
    }
}
