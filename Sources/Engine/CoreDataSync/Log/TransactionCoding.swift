/// What transactions of a frame are written relative to: the time and, for each author, the one before.
struct TransactionContext {
    var milliseconds: UInt64 = 0
    var last: [PeerID: TransactionHead] = [:]

    mutating func follow(_ transaction: SyncTransaction) {
        milliseconds = transaction.time.milliseconds
        last[transaction.id.author] = TransactionHead(transaction)
    }

    /// The digest of an author's transaction if it is the one before in the frame; 0 before the first of all.
    func previous(of id: TransactionID) -> UInt32? {
        if let last = last[id.author], last.sequence + 1 == id.sequence { return last.digest }
        return id.sequence == 1 ? 0 : nil
    }
}

/// The last transaction of an author that is known, by which the next one is recognised as its successor.
package struct TransactionHead: Hashable, Sendable {
    package let sequence: UInt64
    package let digest: UInt32

    init(sequence: UInt64, digest: UInt32) {
        self.sequence = sequence
        self.digest = digest
    }

    init(_ transaction: SyncTransaction) {
        self.init(sequence: transaction.id.sequence, digest: transaction.digest)
    }

    /// Whether a transaction follows another one of equal name.
    func contradicts(_ transaction: SyncTransaction) -> Bool {
        sequence + 1 == transaction.id.sequence && digest != transaction.previous
    }
}

extension ByteWriter {
    private static func flags(_ transaction: SyncTransaction, _ context: TransactionContext) -> UInt8 {
        (transaction.carried == nil ? 0 : 1) | (transaction.generation == 0 ? 0 : 2)
            | (transaction.time.counter == 0 ? 0 : 4) | (transaction.dependencies.isEmpty ? 0 : 8)
            | (context.previous(of: transaction.id) == transaction.previous ? 0 : 16)
    }

    mutating func write(_ transaction: SyncTransaction, _ context: inout TransactionContext) {
        let id = transaction.id
        let flags = Self.flags(transaction, context)
        write(byte: flags)
        write(peer: id.author)
        write(signed: Int64(bitPattern: id.sequence &- (context.last[id.author]?.sequence ?? 0)))
        write(signed: Int64(transaction.time.milliseconds) - Int64(context.milliseconds))
        if transaction.time.counter != 0 { write(number: UInt64(transaction.time.counter)) }
        if flags & 16 != 0 { write(fixed: UInt64(transaction.previous), count: 4) }
        context.follow(transaction)
        writeRest(
            transaction.generation, transaction.dependencies, transaction.carried, transaction.operations)
    }

    /// Writes what comes after the times: the same in a frame and in what digests are made of.
    mutating func writeRest(
        _ generation: UInt8, _ dependencies: [TransactionID], _ carried: SyncTransaction.Carried?,
        _ operations: [SyncOperation]
    ) {
        if generation != 0 { write(byte: generation) }
        if !dependencies.isEmpty {
            write(count: dependencies.count)
            for dependency in dependencies { write(dependency) }
        }
        if let carried {
            write(carried.id)
            write(carried.seen)
        }
        write(count: operations.count)
        for operation in operations { write(operation) }
    }
}

extension ByteReader {
    mutating func transaction(_ context: inout TransactionContext) throws -> SyncTransaction {
        let flags = try byte()
        guard flags < 32 else { throw error(.value) }
        let author = try peer()
        let sequence = (context.last[author]?.sequence ?? 0) &+ UInt64(bitPattern: try signed())
        let (milliseconds, isOver) = Int64(context.milliseconds).addingReportingOverflow(try signed())
        guard sequence > 0, sequence <= TransactionID.greatestSequence, !isOver, milliseconds >= 0,
            milliseconds <= Int64(HybridTime.greatestMilliseconds)
        else { throw error(.overflow) }
        let id = TransactionID(author, sequence)
        let counter = flags & 4 == 0 ? 0 : try number()
        guard let counter = UInt16(exactly: counter), (counter != 0) == (flags & 4 != 0) else { throw error(.value) }
        let known = context.previous(of: id)
        guard let previous = flags & 16 == 0 ? known : UInt32(truncatingIfNeeded: try fixed(4)),
            flags & 16 == 0 || previous != known
        else { throw error(.value) }
        let generation = flags & 2 == 0 ? 0 : try byte()
        var dependencies: [TransactionID] = []
        if flags & 8 != 0 { for _ in 0..<(try count(ofObjectsOf: 2)) { dependencies.append(try transaction()) } }
        let carried = flags & 1 == 0 ? nil : SyncTransaction.Carried(try transaction(), seen: try vector())
        var operations: [SyncOperation] = []
        for _ in 0..<(try count(ofObjectsOf: 2)) { operations.append(try operation(author: author)) }
        let transaction = SyncTransaction(
            id, time: HybridTime(milliseconds: UInt64(milliseconds), counter: counter), dependencies: dependencies,
            carried: carried, generation: generation, operations: operations, previous: previous)
        context.follow(transaction)
        return transaction
    }
}
