/// What transactions of a frame are written relative to: the time and, for each author, the sequence of the one before.
struct TransactionContext {
    var milliseconds: UInt64 = 0
    var sequences: [PeerID: UInt64] = [:]
}

extension ByteWriter {
    private static func flags(_ transaction: SyncTransaction) -> UInt8 {
        (transaction.carried == nil ? 0 : 1) | (transaction.generation == 0 ? 0 : 2)
            | (transaction.time.counter == 0 ? 0 : 4) | (transaction.dependencies.isEmpty ? 0 : 8)
    }

    mutating func write(_ transaction: SyncTransaction, _ context: inout TransactionContext) {
        let author = transaction.id.author
        write(byte: Self.flags(transaction))
        write(peer: author)
        write(signed: Int64(bitPattern: transaction.id.sequence &- (context.sequences[author] ?? 0)))
        write(signed: Int64(transaction.time.milliseconds) - Int64(context.milliseconds))
        if transaction.time.counter != 0 { write(number: UInt64(transaction.time.counter)) }
        context.sequences[author] = transaction.id.sequence
        context.milliseconds = transaction.time.milliseconds
        if transaction.generation != 0 { write(byte: transaction.generation) }
        if !transaction.dependencies.isEmpty {
            write(count: transaction.dependencies.count)
            for dependency in transaction.dependencies { write(dependency) }
        }
        if let carried = transaction.carried {
            write(carried.id)
            write(carried.seen)
        }
        write(count: transaction.operations.count)
        for operation in transaction.operations { write(operation) }
    }
}

extension ByteReader {
    mutating func transaction(_ context: inout TransactionContext) throws -> SyncTransaction {
        let flags = try byte()
        guard flags < 16 else { throw error(.value) }
        let author = try peer()
        let sequence = (context.sequences[author] ?? 0) &+ UInt64(bitPattern: try signed())
        let (milliseconds, isOver) = Int64(context.milliseconds).addingReportingOverflow(try signed())
        guard sequence > 0, sequence <= TransactionID.greatestSequence, !isOver, milliseconds >= 0,
            milliseconds <= Int64(HybridTime.greatestMilliseconds)
        else { throw error(.overflow) }
        let counter = flags & 4 == 0 ? 0 : try number()
        guard let counter = UInt16(exactly: counter), (counter != 0) == (flags & 4 != 0) else { throw error(.value) }
        context.sequences[author] = sequence
        context.milliseconds = UInt64(milliseconds)
        let generation = flags & 2 == 0 ? 0 : try byte()
        var dependencies: [TransactionID] = []
        if flags & 8 != 0 { for _ in 0..<(try count(ofObjectsOf: 2)) { dependencies.append(try transaction()) } }
        let carried = flags & 1 == 0 ? nil : SyncTransaction.Carried(try transaction(), seen: try vector())
        let id = TransactionID(author, sequence)
        var operations: [SyncOperation] = []
        for _ in 0..<(try count(ofObjectsOf: 2)) { operations.append(try operation(author: author)) }
        return SyncTransaction(
            id, time: HybridTime(milliseconds: UInt64(milliseconds), counter: counter), dependencies: dependencies,
            carried: carried, generation: generation, operations: operations)
    }
}
